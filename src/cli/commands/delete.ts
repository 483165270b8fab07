import { createInterface } from 'node:readline/promises';
import type { DeleteOutcome, LocalSession } from '../../server/local-session.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import type { Arguments } from '../read-arguments.ts';
import { readListFilter, withoutUndefined } from '../read-filters.ts';
import { safeLine } from '../safe-text.ts';
import { showCount } from '../show-age.ts';
import { showMemoryLine } from '../show-memory.ts';
import type { Terminal } from '../terminal.ts';
import { toJson } from '../to-json.ts';
import { UsageError } from '../usage-error.ts';

export async function run({ args, terminal, json, open }: CommandContext): Promise<number> {
  const byName = args.words.length > 0;
  const filter = readListFilter(args);
  const times = withoutUndefined({ after: args.text('after'), before: args.text('before') });
  if (!byName && Object.keys({ ...filter, ...times }).length === 0) {
    throw new UsageError(
      '`ltm delete` needs ids, hashes or keys, or at least one filter.',
      'For example `ltm delete --tags scratch --dry-run`.',
    );
  }
  const session = await open();
  const target = byName ? namedTarget(args) : { filter, ...times };
  const isDryRun = args.isOn('dry-run');
  if (!byName && !isDryRun && !args.isOn('yes') && !(await isConfirmed(session, target, terminal))) return EXIT.refused;
  const outcome = await session.engine.deleteMemories(session.caller, { ...target, dryRun: isDryRun });
  if (json) terminal.printJson(toJson(outcome));
  else showOutcome(outcome, terminal);
  for (const ref of outcome.missing) terminal.warn(`there is no memory "${safeLine(ref)}"`);
  return outcome.missing.length === 0 ? EXIT.ok : EXIT.notFound;
}

type Target = Parameters<LocalSession['engine']['deleteMemories']>[1];

function namedTarget(args: Arguments): Target {
  const revision = args.number('revision', { min: 1, max: Number.MAX_SAFE_INTEGER });
  return { refs: args.words, ...withoutUndefined({ project: args.text('project'), revision }) };
}

async function isConfirmed({ engine, caller }: LocalSession, target: Target, terminal: Terminal): Promise<boolean> {
  if (!terminal.isInteractive)
    throw new UsageError('Deleting by filter needs --yes where nobody can be asked.', 'Look first with --dry-run.');
  const preview = await engine.deleteMemories(caller, { ...target, dryRun: true });
  if (preview.count === 0) return true;
  for (const memory of preview.memories.slice(0, 5)) showMemoryLine(memory, terminal, Date.now());
  const { stdin, stderr } = terminal.streams;
  const dialogue = createInterface({ input: stdin, output: stderr as NodeJS.WritableStream });
  const answer = await dialogue.question(`Delete ${showCount(preview.count, 'memory', 'memories')}? [y/N] `);
  dialogue.close();
  return /^y(es)?$/i.test(answer.trim());
}

function showOutcome({ outcome, memories, count }: DeleteOutcome, terminal: Terminal): void {
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
