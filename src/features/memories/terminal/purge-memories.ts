import { confirm } from '../../../cli/ask.ts';
import type { CommandContext } from '../../../cli/command.ts';
import { tellMissing } from '../../../cli/need-refs.ts';
import { EXIT, UsageError } from '../../../cli/report-error.ts';
import { safeLine, showCount } from '../../../cli/safe-text.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import { readFlags } from '../../../cli/verb-command.ts';
import type { Client } from '../../../verbs/client.ts';
import { type PurgeInput, purgeMemories } from '../verbs/purge-memories.ts';
import { showMemoryLine } from './show-memory.ts';

type Purged = Awaited<ReturnType<Client['purgeMemories']>>;

const MAX_ASKED = 5;

export async function purge({ args, terminal, answer, ...context }: CommandContext): Promise<number> {
  const flags = readFlags<PurgeInput>(purgeMemories, args);
  const { dryRun = false, ...target }: PurgeInput = args.words.length > 0 ? { ...flags, ids: args.words } : flags;
  if (Object.keys(target).every((name) => name === 'derived'))
    throw new UsageError(
      '`ltm purge` needs ids, hashes or keys, or --source, --session or --expired.',
      'For example `ltm purge --source client:unknown-agent --dry-run`.',
    );
  const client = await context.client({ team: args.text('team') });
  const show = () => preview(client, target, terminal);
  if (!dryRun && !(await confirm(show, { args, terminal, what: 'purging' }))) return EXIT.refused;
  const outcome = await client.purgeMemories({ ...target, dryRun });
  answer(outcome, () => showPurged(outcome, terminal));
  if (outcome.derivedCount > 0) terminal.warn(describeDerived(outcome));
  for (const what of outcome.remains) terminal.warn(safeLine(what));
  return tellMissing(outcome.missing, 'memory', terminal);
}

/** The question; null where there is nothing to ask about. */
async function preview(client: Client, target: PurgeInput, terminal: Terminal): Promise<string | null> {
  const outcome = await client.purgeMemories({ ...target, dryRun: true });
  const { count, memories, derivedCount, relations } = outcome;
  if (count === 0 && relations === 0) return null;
  if (derivedCount > 0) terminal.warn(describeDerived(outcome));
  for (const memory of memories.slice(0, MAX_ASKED)) showMemoryLine(memory, terminal, Date.now());
  if (memories.length > 0 && count > MAX_ASKED) terminal.print(`… and ${count - MAX_ASKED} more`);
  return `Purge ${describeCount(outcome)} for good?`;
}

function describeCount({ count, relations }: Purged): string {
  return relations === 0
    ? showCount(count, 'record')
    : `${showCount(count, 'record')} and ${showCount(relations, 'relation')}`;
}

const MAX_NAMED = 10;

function describeDerived({ outcome, derived, derivedCount }: Purged): string {
  const named = `${derived.slice(0, MAX_NAMED).join(', ')}${derivedCount > MAX_NAMED ? ' …' : ''}`;
  const made = `${showCount(derivedCount, 'record')} made from them`;
  return outcome === 'purged'
    ? `${made} ${derivedCount === 1 ? 'is' : 'are'} still there: ${named}. \`ltm purge\` removes them by id.`
    : `${made} would stay: ${named}. --derived purges them too.`;
}

function showPurged(purged: Purged, terminal: Terminal): void {
  const { outcome, count, memories, relations } = purged;
  for (const memory of memories) showMemoryLine(memory, terminal, Date.now());
  if (memories.length > 0 && count > memories.length) terminal.print(`… and ${count - memories.length} more`);
  if (outcome === 'would_purge') terminal.note(`Would purge ${describeCount(purged)}.`);
  else terminal.note(count + relations === 0 ? 'Nothing to purge.' : `Purged ${describeCount(purged)}.`);
}
