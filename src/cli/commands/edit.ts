import { EngineError } from '../../model/errors.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Memory, UpdateOutcome } from '../../model/memory.ts';
import { UPDATABLE_FIELDS } from '../../model/memory-fields.ts';
import { toWire } from '../../model/wire.ts';
import type { Client } from '../../verbs/client.ts';
import { type ChangedMemory, updateMemory } from '../../verbs/memories/update-memory.ts';
import type { CommandContext } from '../command.ts';
import { editText } from '../edit-text.ts';
import { EXIT } from '../exit-codes.ts';
import { needWords } from '../need-words.ts';
import { readContent } from '../read-content.ts';
import { safeLine } from '../safe-text.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { readFlags } from '../verb-command.ts';

/** Said about the change, not of the memory. */
const CONDITIONS: readonly string[] = ['versioned', 'reason', 'revision'];

export async function run(context: CommandContext): Promise<number> {
  const { args, terminal, json } = context;
  const ref = needWords(args, 'edit')[0]!;
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
  if (json) terminal.printJson(toWire(outcome));
  else showOutcome(outcome, terminal);
  return EXIT.ok;
}

type Changes = Omit<ChangedMemory, 'ref'>;

/** The state before the last change, as a change of its own. */
async function readUndo(ref: string, client: Client): Promise<Changes> {
  const current = await findOne(ref, client);
  const [last] = (await client.listVersions({ ref })).versions;
  if (last === undefined) throw new UsageError(`"${ref}" was never changed, so there is nothing to undo.`);
  const removed = Object.fromEntries(Object.keys(current.metadata).map((key) => [key, null]));
  const { createdAt: _, ...before } = Object.fromEntries(
    UPDATABLE_FIELDS.map((name) => [name, last.memory[name]]),
  ) as Pick<Memory, (typeof UPDATABLE_FIELDS)[number]>;
  return { ...before, tags: [...last.memory.tags], metadata: { ...removed, ...last.memory.metadata } as JsonObject };
}

async function editContent(ref: string, { terminal, env, sources }: CommandContext, client: Client): Promise<Changes> {
  const { content, revision } = await findOne(ref, client);
  if (!terminal.isInteractive)
    throw new UsageError(
      'Nothing to change is given, and there is no terminal to open an editor on.',
      '`ltm help edit` lists the flags.',
    );
  return { content: await editText(content, { env, sources }), revision };
}

async function findOne(ref: string, client: Client): Promise<Memory> {
  const { memories } = await client.getMemories({ ids: [ref] });
  if (memories[0] !== undefined) return memories[0];
  throw new EngineError('not_found', `There is no memory "${ref}".`, { hint: '`ltm list` shows ids.' });
}

function showOutcome(
  { outcome, memory, changed, previous, warnings }: UpdateOutcome,
  { print, paint, warn, note }: Terminal,
): void {
  if (outcome === 'unchanged') print(`${paint('cyan', memory.id)} already says so: nothing was changed.`);
  if (outcome === 'updated')
    print(`Changed ${changed.join(', ')} of ${paint('cyan', memory.id)} (revision ${memory.revision}).`);
  if (outcome === 'versioned') print(`Stored ${paint('cyan', memory.id)}, which supersedes ${previous}.`);
  if (outcome === 'updated') note(`Undo: ltm edit ${memory.id} --undo`);
  for (const warning of warnings) warn(safeLine(warning));
}
