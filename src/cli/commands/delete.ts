import { toWire } from '../../model/wire.ts';
import type { DeleteOutcome } from '../../server/local-session.ts';
import type { Client } from '../../verbs/client.ts';
import { type DeleteInput, deleteMemories } from '../../verbs/memories/delete-memories.ts';
import { ask } from '../ask.ts';
import type { CommandContext } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { safeLine } from '../safe-text.ts';
import { showCount } from '../show-age.ts';
import { showMemoryLine } from '../show-memory.ts';
import type { Terminal } from '../terminal.ts';
import { UsageError } from '../usage-error.ts';
import { readFilterFlags } from '../verb-command.ts';

export async function run(context: CommandContext): Promise<number> {
  const { args, terminal, json } = context;
  const byName = args.words.length > 0;
  const { dryRun = false, revision, ...filter } = readFilterFlags<DeleteInput>(deleteMemories, args);
  if (!byName && Object.keys(filter).length === 0) {
    throw new UsageError(
      '`ltm delete` needs ids, hashes or keys, or at least one filter.',
      'For example `ltm delete --tags scratch --dry-run`.',
    );
  }
  const client = await context.client();
  const target: DeleteInput = byName ? { ids: args.words, project: filter.project, revision } : filter;
  if (!byName && !dryRun && !args.isOn('yes') && !(await isConfirmed(client, target, terminal))) return EXIT.refused;
  const outcome = await client.deleteMemories({ ...target, dryRun });
  if (json) terminal.printJson(toWire(outcome));
  else showOutcome(outcome, terminal);
  for (const ref of outcome.missing) terminal.warn(`there is no memory "${safeLine(ref)}"`);
  return outcome.missing.length === 0 ? EXIT.ok : EXIT.notFound;
}

async function isConfirmed(client: Client, target: DeleteInput, terminal: Terminal): Promise<boolean> {
  if (!terminal.isInteractive)
    throw new UsageError('Deleting by filter needs --yes where nobody can be asked.', 'Look first with --dry-run.');
  const preview = await client.deleteMemories({ ...target, dryRun: true });
  if (preview.count === 0) return true;
  for (const memory of preview.memories.slice(0, 5)) showMemoryLine(memory, terminal, Date.now());
  return ask(`Delete ${showCount(preview.count, 'memory', 'memories')}?`, terminal);
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
