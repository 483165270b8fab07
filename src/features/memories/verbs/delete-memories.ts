import { EngineError } from '../../../model/errors.ts';
import type { ListFilter } from '../../../model/filter.ts';
import { previewMemory, unlessEmpty } from '../../../verbs/describe-memory.ts';
import { noticesOfTrust } from '../../../verbs/describe-origin.ts';
import { type Field, flag, integer, ref, text } from '../../../verbs/field.ts';
import {
  ALL_TAGS,
  FILTER_FLAGS,
  FILTERS,
  type FilterInput,
  SHOWN_FILTERS,
  toFilter,
} from '../../../verbs/memory-input.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { Memory } from '../memory.ts';
import type { DeleteOutcome } from '../name-as-memories.ts';
import { gatherRefs, NAMED, projectOfKey, theOne } from './name-memories.ts';
import { NOTE } from './reject-memories.ts';

const revision: Field = {
  ...integer(1, Number.MAX_SAFE_INTEGER, 'Fail unless it is still at this revision.'),
  header: 'If-Match',
};

export const deleteMemory = defineVerb<
  { ref: string; project?: string; revision?: number },
  { outcome: 'deleted'; memory: Memory }
>({
  needs: 'write',
  input: { ref, project: projectOfKey },
  inHeaders: { revision },
  async run({ engine, caller }, { ref: name, ...options }) {
    const { memories } = await engine.deleteMemories(caller, { refs: [name], ...options });
    return { outcome: 'deleted', memory: theOne(memories) };
  },
  rest: {
    at: 'DELETE /memories/{ref}',
    summary: 'Delete one memory; it can be restored',
    answers: { 200: 'Deleted.', 412: 'The memory is no longer at the revision in If-Match.' },
  },
});

export interface DeleteInput extends FilterInput {
  /** Instead of a filter. */
  ids?: readonly string[];
  contains?: string;
  dryRun?: boolean;
  /** With one id. */
  revision?: number;
  /** The text does not come back. */
  forever?: boolean;
  /** With forever. */
  note?: string;
}

/** Passages of documents bear the tags that they were taken in with, and searches by tags show them: whoever deletes by tags means them too. */
function withPassages(filter: ListFilter): ListFilter {
  return filter.tags === undefined ? filter : { kinds: ['memory', 'section'], ...filter };
}

export const deleteMemories = defineVerb<DeleteInput, DeleteOutcome>({
  needs: 'write',
  input: {
    ids: { type: 'refs', min: 1, max: 100, about: 'Ids, content hashes or keys, instead of a filter.' },
    ...FILTERS,
    contains: text('Only memories whose content contains this text literally.', { min: 1, max: 1000 }),
    dry_run: flag('Only show what would be deleted.'),
    forever: flag('They are wrong, not merely not needed: the same text is not stored again, whoever says it.'),
    note: { ...NOTE, about: 'With forever: why.' },
    revision: { ...revision, header: undefined, about: 'Fail unless it is still at this revision; only with one id.' },
  },
  run({ engine, caller }, { ids, dryRun, revision: at, after, before, forever, note, ...rest }) {
    const filter = toFilter(rest);
    const said = { forever, why: note };
    if (ids === undefined)
      return engine.deleteMemories(caller, { filter: withPassages(filter), after, before, dryRun, ...said });
    const { project, ...narrowing } = filter;
    if (Object.keys(narrowing).length > 0 || after !== undefined || before !== undefined)
      throw new EngineError('invalid_input', 'Send either ids or a filter, not both.', {
        hint: 'With ids, only project is allowed: it is the project of the keys.',
        details: { field: 'ids' },
      });
    return engine.deleteMemories(caller, { refs: ids, project, dryRun, revision: at, ...said });
  },
  rest: {
    at: 'POST /memories/delete',
    summary: 'Delete several memories, by id or by filter; they can be restored',
    headers: ['X-Time-Zone'],
    example: { body: { tags: ['scratch'], before: 'last month', dry_run: true } },
    answers: { 200: 'What was deleted, or would be deleted.' },
  },
  tool: {
    name: 'memory_delete',
    title: 'Delete memories',
    text: 'Delete by id, or everything that passes the filters. memory_restore undoes it.',
    shown: {
      id: 'Id, content hash or key',
      ids: '',
      ...SHOWN_FILTERS,
      dry_run: 'Only show what would go',
    },
    own: NAMED,
    without: ['contains'],
    read: readToolInput,
    destructive: true,
    idempotent: true,
    output: { outcome: 'string', count: 'number' },
    answer: (out, { context }) => ({
      message: summarise(out),
      outcome: out.outcome,
      count: out.count,
      memories: out.memories.map((memory) => previewMemory(memory, context)),
      missing: unlessEmpty(out.missing),
      notices: unlessEmpty(noticesOfTrust(out.memories)),
    }),
  },
  command: {
    name: 'delete',
    summary: 'Delete memories (`ltm restore` undoes it)',
    usage: '[REF…]',
    about:
      'Deletes the given memories, or everything that passes the filters. On a terminal, asks before deleting by filter. What the transcript, prompt or import of one session had said is not taken from there again; --forever keeps the text out whoever says it.',
    flags: [...FILTER_FLAGS, 'contains', 'dry_run', 'revision', 'forever', 'note'],
    own: [ALL_TAGS, { name: 'yes', short: 'y', description: 'Do not ask.' }],
    examples: [
      'ltm delete 01k9x2m4q8b7c6d5e4f3',
      'ltm delete --tags scratch --before "3 months ago" --dry-run',
      'ltm delete 01k9x2m4q8b7c6d5e4f3 --forever',
    ],
  },
});

/** Ids win over filters, since older agents send both. */
function readToolInput(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { ids, rest } = gatherRefs(args);
  if (ids.length > 0) {
    const { project, dry_run, revision: at, forever, note } = rest;
    return { ids, project, dry_run, revision: at, forever, note };
  }
  const {
    tag_match: _,
    include_superseded: __,
    dry_run: ___,
    revision: ____,
    forever: _5,
    note: _6,
    ...narrowing
  } = rest;
  if (Object.values(narrowing).flat().length > 0) return rest;
  throw new EngineError('invalid_input', 'Nothing says what to delete.', {
    hint: 'Give id, ids, tags, type, project, agent, after or before.',
    details: { field: 'id' },
  });
}

function summarise({ outcome, count, missing, memories }: DeleteOutcome): string {
  const notThere = missing.length === 0 ? '' : ` ${missing.length} not found.`;
  const shown = count > memories.length ? ` The first ${memories.length} are shown.` : '';
  if (outcome === 'would_delete') return `Would delete ${count}; nothing was changed.${shown}${notThere}`;
  return count === 0
    ? `Nothing was deleted.${notThere}`
    : `Deleted ${count}; memory_restore undoes it.${shown}${notThere}`;
}
