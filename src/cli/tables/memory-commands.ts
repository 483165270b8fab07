import type { OnDuplicate } from '../../model/memory.ts';
import { SEARCH_MODES } from '../../model/search.ts';
import type { Command, Flag } from '../command.ts';
import { FILTER_FLAGS, PAGE_FLAGS } from '../flags.ts';

const ON_DUPLICATE = [
  'report',
  'store',
  'merge',
  'append',
  'supersede',
  'refuse',
] as const satisfies readonly OnDuplicate[];

const CONTENT_FLAGS: readonly Flag[] = [
  { name: 'type', short: 't', value: 'TYPE', description: 'What kind of memory it is: decision, error, learning …' },
  { name: 'tags', value: 'TAG,…', many: true, description: 'Its tags, separated by commas.' },
  { name: 'project', short: 'p', value: 'NAME', description: 'The project it belongs to.' },
  {
    name: 'metadata',
    short: 'm',
    value: 'KEY=VALUE',
    many: true,
    description: 'A fact about it; or a whole JSON object.',
  },
  { name: 'quality', value: '0…1', description: 'How good it is.' },
  { name: 'valid-from', value: 'TIME', description: 'True from this time on.' },
  { name: 'valid-until', value: 'TIME', description: 'True until this time.' },
];

/** What people do with memories. */
export const MEMORY_COMMANDS: readonly Command[] = [
  {
    name: 'store',
    summary: 'Store a memory',
    usage: '[TEXT | -]',
    about: 'Takes the text as an argument, or from stdin.',
    flags: [
      ...CONTENT_FLAGS,
      {
        name: 'key',
        short: 'k',
        value: 'NAME',
        description: 'Your own name for it; storing under it again replaces the content.',
      },
      { name: 'agent', value: 'NAME', description: 'Who wrote it.' },
      { name: 'session', value: 'ID', description: 'The session it comes from; skips the check for near duplicates.' },
      {
        name: 'conversation',
        value: 'ID',
        description: 'The conversation it belongs to; skips the check for near duplicates.',
      },
      {
        name: 'on-duplicate',
        value: 'WHAT',
        choices: ON_DUPLICATE,
        description: `When a memory nearly like it is there: ${ON_DUPLICATE.join(', ')}.`,
      },
      { name: 'idempotency-key', value: 'KEY', description: 'The same command with the same key is done once.' },
    ],
    examples: [
      'ltm store "Staging runs on port 8443" --type decision --tags infra,staging',
      'git log -1 --format=%B | ltm store - --project web --type observation',
      'ltm store "Release on Fridays only" --key release-day -m owner=ops',
    ],
    load: () => import('../commands/store.ts'),
  },
  {
    name: 'search',
    summary: 'Find memories by words, meaning and time',
    usage: '[QUERY]',
    about:
      'Words, a question, "quoted phrases" and prefix* all work. Without a query the filters decide, newest first.',
    flags: [
      ...PAGE_FLAGS,
      {
        name: 'mode',
        value: 'MODE',
        choices: SEARCH_MODES,
        description: 'hybrid: words and meaning; text: words; semantic: meaning; exact: the very characters.',
      },
      {
        name: 'when',
        short: 'w',
        value: 'PHRASE',
        description: 'A time in words: "last week", "between March and May".',
      },
      ...FILTER_FLAGS,
      { name: 'max-chars', value: 'N', description: 'Most characters of content in the answer.' },
      { name: 'explain', description: 'Show why each hit stands where it stands.' },
    ],
    examples: [
      'ltm search staging port',
      'ltm search "why did we choose sqlite" --type decision',
      'ltm search deploy --when "last week" --json',
    ],
    load: () => import('../commands/search.ts'),
  },
  {
    name: 'get',
    summary: 'Show memories in full',
    usage: 'REF…',
    about: 'REF is an id, a content hash or a key.',
    flags: [
      {
        name: 'project',
        short: 'p',
        value: 'NAME',
        description: 'The project of the keys, where several projects use the same one.',
      },
      { name: 'content', description: 'Print the content alone, exactly as it is stored.' },
      { name: 'include-deleted', description: 'Also deleted ones.' },
    ],
    examples: ['ltm get 01k9x2m4q8b7c6d5e4f3', 'ltm get release-day --content'],
    load: () => import('../commands/get.ts'),
  },
  {
    name: 'list',
    summary: 'List memories, newest first',
    usage: '',
    flags: [
      ...PAGE_FLAGS,
      ...FILTER_FLAGS,
      { name: 'contains', value: 'TEXT', description: 'Whose content holds this text, letter by letter.' },
      { name: 'deleted', description: 'Only deleted ones.' },
      { name: 'include-deleted', description: 'Also deleted ones.' },
      { name: 'stale-days', value: 'N', description: 'Not created, changed or read in so many days.' },
    ],
    maxWords: 0,
    examples: ['ltm list', 'ltm list --tags auth --after 2026-01-01', 'ltm list --deleted'],
    load: () => import('../commands/list.ts'),
  },
  {
    name: 'edit',
    summary: 'Change a memory',
    usage: 'REF',
    about: 'Without flags, opens the content in $VISUAL or $EDITOR. The earlier state stays in `ltm history`.',
    flags: [
      { name: 'content', short: 'c', value: 'TEXT', description: 'New content; - reads it from stdin.' },
      ...CONTENT_FLAGS,
      { name: 'versioned', description: 'Make a new memory that supersedes this one.' },
      { name: 'undo', description: 'Go back to the state before the last change.' },
      { name: 'reason', value: 'TEXT', description: 'Why; kept in the history.' },
      { name: 'revision', value: 'N', description: 'Only if it is still at this revision.' },
    ],
    maxWords: 1,
    examples: [
      'ltm edit release-day',
      'ltm edit 01k9x2m4q8b7c6d5e4f3 --tags infra,prod',
      'ltm edit release-day --undo',
    ],
    load: () => import('../commands/edit.ts'),
  },
  {
    name: 'delete',
    summary: 'Delete memories; `ltm restore` brings them back',
    usage: '[REF…]',
    about: 'By name, or everything that passes the filters. Asks first when filters are used on a terminal.',
    flags: [
      ...FILTER_FLAGS,
      { name: 'contains', value: 'TEXT', description: 'Whose content holds this text, letter by letter.' },
      { name: 'dry-run', description: 'Only show what would be deleted.' },
      { name: 'yes', short: 'y', description: 'Do not ask.' },
      { name: 'revision', value: 'N', description: 'Only if it is still at this revision (one REF).' },
    ],
    examples: ['ltm delete 01k9x2m4q8b7c6d5e4f3', 'ltm delete --tags scratch --before "3 months ago" --dry-run'],
    load: () => import('../commands/delete.ts'),
  },
  {
    name: 'restore',
    summary: 'Bring deleted memories back',
    usage: 'REF…',
    flags: [],
    examples: ['ltm restore 01k9x2m4q8b7c6d5e4f3', 'ltm list --deleted'],
    load: () => import('../commands/restore.ts'),
  },
  {
    name: 'history',
    summary: 'Show the earlier states of a memory',
    usage: 'REF',
    flags: [],
    maxWords: 1,
    examples: ['ltm history release-day', 'ltm edit release-day --undo'],
    load: () => import('../commands/history.ts'),
  },
  {
    name: 'stats',
    summary: 'Show what is stored and how the store is',
    usage: '',
    flags: [],
    maxWords: 0,
    examples: ['ltm stats', 'ltm stats --json'],
    load: () => import('../commands/stats.ts'),
  },
];
