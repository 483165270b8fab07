import type { JsonObject } from '../../model/json.ts';
import type { Memory, UpdateMemoryInput, UpdateOutcome } from '../../model/memory.ts';
import { toMemory } from '../../model/to-memory.ts';
import type { LocalSession } from '../../server/local-session.ts';
import type { CommandContext } from '../command.ts';
import { editText } from '../edit-text.ts';
import { EXIT } from '../exit-codes.ts';
import { needWords } from '../need-words.ts';
import type { Arguments } from '../read-arguments.ts';
import { readContent, readMetadata } from '../read-content.ts';
import { withoutUndefined } from '../read-filters.ts';
import { readOptionalTime } from '../read-time-flag.ts';
import { safeLine } from '../safe-text.ts';
import type { Terminal } from '../terminal.ts';
import { toJson } from '../to-json.ts';
import { UsageError } from '../usage-error.ts';

export async function run(context: CommandContext): Promise<number> {
  const { args, terminal, json, open } = context;
  const [ref] = needWords(args, 'edit');
  const session = await open();
  const changes = args.isOn('undo') ? await readUndo(ref!, session) : await readChanges(args, session, terminal);
  const input = {
    ref: ref!,
    ...(Object.keys(changes).length > 0 ? changes : await editContent(ref!, context, session)),
    ...readConditions(args),
  };
  const outcome = await session.engine.updateMemory(session.caller, input);
  if (json) terminal.printJson(toJson(outcome));
  else showOutcome(outcome, terminal);
  return EXIT.ok;
}

type Changes = Omit<UpdateMemoryInput, 'ref'>;

async function readChanges(args: Arguments, { config }: LocalSession, { streams }: Terminal): Promise<Changes> {
  const content = args.text('content');
  return withoutUndefined({
    content: content === undefined ? undefined : await readContent([content], streams),
    type: args.text('type'),
    tags: args.list('tags'),
    metadata: readMetadata(args),
    project: args.text('project'),
    quality: args.number('quality', { min: 0, max: 1 }),
    validFrom: await readOptionalTime(args, 'valid-from', config),
    validUntil: await readOptionalTime(args, 'valid-until', config),
  });
}

function readConditions(args: Arguments): Changes {
  return withoutUndefined({
    versioned: args.isOn('versioned') || undefined,
    reason: args.text('reason') ?? (args.isOn('undo') ? 'undone' : undefined),
    revision: args.number('revision', { min: 1, max: Number.MAX_SAFE_INTEGER }),
  });
}

/** The state before the last change, as a change of its own. */
async function readUndo(ref: string, session: LocalSession): Promise<Changes> {
  const current = await findOne(ref, session);
  const [last] = await session.engine.listVersions(session.caller, ref);
  if (last === undefined) throw new UsageError(`"${ref}" was never changed, so there is nothing to undo.`);
  const { content, type, tags, metadata, project, quality, validFrom, validUntil } = toMemory(last.record);
  const removed = Object.fromEntries(Object.keys(current.metadata).map((key) => [key, null]));
  return {
    content,
    type,
    tags: [...tags],
    metadata: { ...removed, ...metadata } as JsonObject,
    project,
    quality,
    validFrom,
    validUntil,
  };
}

async function editContent(ref: string, { terminal, env }: CommandContext, session: LocalSession): Promise<Changes> {
  const { content, revision } = await findOne(ref, session);
  if (!terminal.isInteractive)
    throw new UsageError(
      'Nothing to change is given, and there is no terminal to open an editor on.',
      '`ltm help edit` lists the flags.',
    );
  return { content: await editText(content, env), revision };
}

async function findOne(ref: string, { engine, caller }: LocalSession): Promise<Memory> {
  const { memories } = await engine.getMemories(caller, { refs: [ref] });
  const [memory] = memories;
  if (memory !== undefined) return memory;
  const { EngineError } = await import('../../model/errors.ts');
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
