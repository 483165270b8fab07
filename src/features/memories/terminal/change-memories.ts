import { ask } from '../../../cli/ask.ts';
import type { CommandContext } from '../../../cli/command.ts';
import { editText } from '../../../cli/edit-text.ts';
import { needRefs, tellMissing } from '../../../cli/need-refs.ts';
import { readContent } from '../../../cli/read-content.ts';
import { EXIT, UsageError } from '../../../cli/report-error.ts';
import { safeLine, showCount } from '../../../cli/safe-text.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import { readFilterFlags, readFlags } from '../../../cli/verb-command.ts';
import { EngineError } from '../../../model/errors.ts';
import type { JsonObject } from '../../../model/json.ts';
import { UPDATABLE_FIELDS } from '../../../model/memory-fields.ts';
import { isLessTrusted } from '../../../model/record.ts';
import type { Client } from '../../../verbs/client.ts';
import type { Memory, StoredOutcome, UpdateOutcome } from '../memory.ts';
import type { DeleteOutcome } from '../name-as-memories.ts';
import { type DeleteInput, deleteMemories } from '../verbs/delete-memories.ts';
import { type NewMemory, storeMemory } from '../verbs/store-memory.ts';
import { type ChangedMemory, updateMemory } from '../verbs/update-memory.ts';
import { showMemoryLine } from './show-memory.ts';

export async function store({ args, terminal, answer, client }: CommandContext): Promise<number> {
  const content = await readContent(args.words, terminal.streams);
  const outcome = await (await client()).storeMemory({ ...readFlags<NewMemory>(storeMemory, args), content });
  answer(outcome, () => showStored(outcome, terminal));
  return outcome.outcome === 'refused' ? EXIT.refused : EXIT.ok;
}

function showStored(outcome: StoredOutcome, { print, paint, warn }: Terminal): void {
  const id = outcome.outcome === 'refused' ? '' : paint('cyan', outcome.memory.id);
  switch (outcome.outcome) {
    case 'stored':
      print(`Stored ${id}${outcome.chunks.length > 1 ? ` in ${outcome.chunks.length} pieces` : ''}.`);
      if (outcome.supersedes.length > 0) print(`It supersedes ${outcome.supersedes.join(', ')}.`);
      break;
    case 'duplicate':
      print(`Already stored as ${id}; nothing was written.`);
      break;
    case 'merged':
    case 'appended':
      print(`${outcome.outcome === 'merged' ? 'Merged into' : 'Appended to'} ${id}, a near duplicate.`);
      break;
    case 'updated':
      print(`Updated ${id}, which has this key.`);
      break;
    case 'refused':
      print('Not stored: there is a near duplicate.');
      break;
  }
  if (outcome.outcome === 'stored' || outcome.outcome === 'refused')
    for (const { id: like, similarity, title } of outcome.resembles)
      print(`  ${Math.round(similarity * 100)} % like ${paint('cyan', like)}  ${safeLine(title)}`);
  for (const warning of outcome.warnings) warn(safeLine(warning));
}

/** Said about the change, not of the memory. */
const CONDITIONS: readonly string[] = ['versioned', 'reason', 'revision', 'noRedact'];

export async function edit(context: CommandContext): Promise<void> {
  const { args, terminal, answer } = context;
  const ref = needRefs(args, 'edit')[0]!;
  const client = await context.client();
  const said = readFlags<ChangedMemory>(updateMemory, args);
  const content = args.text('content');
  if (content !== undefined) said.content = await readContent([content], terminal.streams);
  const hasChanges = Object.keys(said).some((name) => !CONDITIONS.includes(name));
  const changes = args.isOn('undo')
    ? { reason: 'undone', ...(await readUndo(ref, client)) }
    : hasChanges
      ? {}
      : await editContent(ref, context, client);
  const outcome = await client.updateMemory({ ref, ...changes, ...said });
  answer(outcome, () => showChange(outcome, terminal));
}

type Changes = Omit<ChangedMemory, 'ref'>;

/** The state before the last change, as a change of its own. */
async function readUndo(ref: string, client: Client): Promise<Changes> {
  const current = await findOne(ref, client);
  const [last] = (await client.listVersions({ ref })).versions;
  if (last === undefined) throw new UsageError(`"${ref}" was never changed, so there is nothing to undo.`);
  const removed = Object.fromEntries(Object.keys(current.metadata).map((key) => [key, null]));
  const {
    createdAt: _,
    trust,
    ...before
  } = Object.fromEntries(UPDATABLE_FIELDS.map((name) => [name, last.memory[name]])) as Pick<
    Memory,
    (typeof UPDATABLE_FIELDS)[number]
  >;
  return {
    ...before,
    tags: [...last.memory.tags],
    metadata: { ...removed, ...last.memory.metadata } as JsonObject,
    // an undone change takes its trust with it, and gives none back
    ...(isLessTrusted(trust, current.trust) && { trust }),
  };
}

async function editContent(ref: string, { terminal, env, sources }: CommandContext, client: Client): Promise<Changes> {
  const { content, revision } = await findOne(ref, client);
  if (!terminal.isInteractive)
    throw new UsageError(
      'Nothing to change was given, and there is no terminal for an editor.',
      '`ltm help edit` lists the flags.',
    );
  return { content: await editText(content, { env, sources }), revision };
}

async function findOne(ref: string, client: Client): Promise<Memory> {
  const { memories } = await client.getMemories({ ids: [ref] });
  if (memories[0] !== undefined) return memories[0];
  throw new EngineError('not_found', `There is no memory "${ref}".`, { hint: '`ltm list` shows ids.' });
}

function showChange(
  { outcome, memory, changed, previous, warnings }: UpdateOutcome,
  { print, paint, warn, note }: Terminal,
): void {
  if (outcome === 'unchanged') print(`${paint('cyan', memory.id)} is unchanged.`);
  if (outcome === 'updated')
    print(`Changed ${changed.join(', ')} of ${paint('cyan', memory.id)} (revision ${memory.revision}).`);
  if (outcome === 'versioned') print(`Stored ${paint('cyan', memory.id)}, which supersedes ${previous}.`);
  if (outcome === 'updated') note(`Undo: ltm edit ${memory.id} --undo`);
  for (const warning of warnings) warn(safeLine(warning));
}

/** `ltm delete`. */
export async function remove({ args, terminal, answer, ...context }: CommandContext): Promise<number> {
  const byName = args.words.length > 0;
  const { dryRun = false, revision, forever, note, ...filter } = readFilterFlags<DeleteInput>(deleteMemories, args);
  if (!byName && Object.keys(filter).length === 0) {
    throw new UsageError(
      '`ltm delete` needs ids, hashes or keys, or at least one filter.',
      'For example `ltm delete --tags scratch --dry-run`.',
    );
  }
  const client = await context.client();
  const said = { forever, note };
  const target: DeleteInput = byName
    ? { ids: args.words, project: filter.project, revision, ...said }
    : { ...filter, ...said };
  if (!byName && !dryRun && !args.isOn('yes') && !(await isConfirmed(client, target, terminal))) return EXIT.refused;
  const outcome = await client.deleteMemories({ ...target, dryRun });
  answer(outcome, () => showDeleted(outcome, terminal));
  return tellMissing(outcome.missing, 'memory', terminal);
}

async function isConfirmed(client: Client, target: DeleteInput, terminal: Terminal): Promise<boolean> {
  if (!terminal.isInteractive)
    throw new UsageError('Without a terminal, deleting by filter needs --yes.', 'Look first with --dry-run.');
  const preview = await client.deleteMemories({ ...target, dryRun: true });
  if (preview.count === 0) return true;
  for (const memory of preview.memories.slice(0, 5)) showMemoryLine(memory, terminal, Date.now());
  return ask(`Delete ${showCount(preview.count, 'memory', 'memories')}?`, terminal);
}

function showDeleted({ outcome, memories, count }: DeleteOutcome, terminal: Terminal): void {
  const { print, note } = terminal;
  for (const memory of memories) showMemoryLine({ ...memory, deletedAt: null }, terminal, Date.now());
  if (count > memories.length) print(`… and ${count - memories.length} more`);
  if (outcome === 'would_delete') note(`Would delete ${showCount(count, 'memory', 'memories')}.`);
  else if (count > 0)
    note(
      `Deleted ${count}. Undo: ltm restore ${count <= 3 ? memories.map((memory) => memory.id).join(' ') : '… (`ltm list --deleted` shows the ids)'}`,
    );
  else note('Nothing to delete.');
}

export async function restore({ args, terminal, answer, client }: CommandContext): Promise<number> {
  const { restored, missing } = await (await client()).restoreMemories({ ids: needRefs(args, 'restore') });
  answer({ restored, missing }, () => {
    for (const memory of restored) showMemoryLine(memory, terminal, Date.now());
    terminal.note(`Restored ${restored.length}.`);
  });
  return tellMissing(missing, 'deleted memory', terminal);
}
