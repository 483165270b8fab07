import type { CommandContext } from '../../../cli/command.ts';
import { needRefs } from '../../../cli/need-refs.ts';
import { UsageError } from '../../../cli/report-error.ts';
import { safeLine, showCount } from '../../../cli/safe-text.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import { readFlags } from '../../../cli/verb-command.ts';
import { toIso } from '../../../model/instant.ts';
import { showMemoryLine } from '../../memories/terminal/show-memory.ts';
import type { MaintenanceReport } from '../insight.ts';
import { cleanUp as cleanUpVerb, mergeMemories } from '../verbs/clean-up.ts';

export async function cleanUp({ args, terminal, answer, client }: CommandContext): Promise<void> {
  const dryRun = !args.isOn('apply');
  const { print, note, paint } = terminal;
  const outcome = await (await client()).cleanUp({ ...readFlags<object>(cleanUpVerb, args), dryRun });
  answer(outcome, () => {
    for (const { keep, others } of outcome.found) {
      print(`${paint('cyan', keep.id)}  ${safeLine(keep.title)}`);
      for (const { id, title, similarity } of others)
        print(`  ${Math.round(similarity * 100)} %  ${id}  ${safeLine(title)}`);
    }
    print(
      `${dryRun ? 'Would merge' : 'Merged'} ${outcome.merged} of ${showCount(outcome.examined, 'memory', 'memories')}.`,
    );
    if (dryRun && outcome.groups > 0) note('--apply merges them.');
    if (outcome.run !== null) note(`\`ltm consolidate undo ${outcome.run}\` takes it back.`);
  });
}

export async function merge({ args, terminal, answer, client }: CommandContext): Promise<void> {
  const { content, ...rest } = readFlags<{ content: string }>(mergeMemories, args);
  if (args.words.length < 2 || content === undefined)
    throw new UsageError('Name at least two memories, and what takes their place: ltm merge REF REF… --content TEXT.');
  const outcome = await (await client()).mergeMemories({ ...rest, refs: args.words, content });
  answer(outcome, () => {
    terminal.print(`Stored ${outcome.memory.id} in place of ${outcome.merged.join(', ')}.`);
    terminal.note(`\`ltm consolidate undo ${outcome.run}\` takes it back.`);
  });
}

export async function archive(context: CommandContext): Promise<void> {
  const { args, terminal, answer } = context;
  const client = await context.client();
  if (args.words.length === 0) {
    const { memories } = await client.listArchived({});
    return answer({ memories }, () => {
      for (const memory of memories) showMemoryLine(memory, terminal, Date.now());
      if (memories.length === 0) terminal.note('Nothing is archived.');
    });
  }
  const outcome = await client.archiveMemories({ refs: needRefs(args, 'archive') });
  answer(outcome, () => {
    terminal.print(`Archived ${outcome.archived.join(', ') || 'nothing'}.`);
    if (outcome.run !== null) terminal.note('`ltm restore` brings them back.');
  });
}

export async function maintain({ args, terminal, answer, client }: CommandContext): Promise<void> {
  const verbs = await client();
  if (args.isOn('status')) {
    const { report } = await verbs.readMaintenance({});
    return answer({ report }, () =>
      report === null ? terminal.note('It was never applied.') : showMaintenance(report, terminal),
    );
  }
  const report = await verbs.maintain({ dryRun: !args.isOn('apply') });
  answer(report, () => showMaintenance(report, terminal));
}

function showMaintenance(
  { steps, errors, dryRun, startedAt }: MaintenanceReport,
  { print, note, warn }: Terminal,
): void {
  print(`${toIso(startedAt)}${dryRun ? ', nothing was changed' : ''}`);
  for (const { step, counts, notice } of steps) {
    print(
      `${step.padEnd(11)} ${Object.entries(counts)
        .map(([name, count]) => `${name} ${count}`)
        .join(', ')}`,
    );
    if (notice !== null) note(safeLine(notice));
  }
  for (const error of errors) warn(safeLine(error));
}

export async function insights({ args, terminal, answer, client }: CommandContext): Promise<void> {
  const { print, note, paint } = terminal;
  const [action, id] = args.words;
  if (action !== undefined) {
    if (action !== 'acknowledge' || id === undefined) throw new UsageError('Say which: ltm insights acknowledge ID.');
    const { insight } = await (await client()).acknowledgeInsight({ insight: id });
    return answer({ insight }, `Acknowledged: ${safeLine(insight.text)}`);
  }
  const { insights: found } = await (await client()).listInsights({});
  answer({ insights: found }, () => {
    const fresh = found.filter(({ isAcknowledged }) => !isAcknowledged);
    for (const { id: card, text, confidence } of fresh)
      print(`${paint('cyan', card)}  ${confidence}  ${safeLine(text)}`);
    if (fresh.length === 0) note('There is nothing to tell.');
  });
}
