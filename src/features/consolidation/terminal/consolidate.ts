import type { CommandContext } from '../../../cli/command.ts';
import { UsageError } from '../../../cli/report-error.ts';
import { safeLine, showCount } from '../../../cli/safe-text.ts';
import type { Terminal } from '../../../cli/terminal.ts';
import { readFlags } from '../../../cli/verb-command.ts';
import { toIso } from '../../../model/instant.ts';
import { type ConsolidationReport, type ConsolidationStatus, HORIZONS, type Horizon } from '../consolidation.ts';
import { consolidate as verb } from '../verbs/consolidate.ts';

const ACTIONS = ['status', 'run', 'recommend', 'pause', 'resume', 'undo'];

export async function consolidate(context: CommandContext): Promise<void> {
  const { args, terminal, answer } = context;
  const [action = 'status', what] = args.words;
  if (!ACTIONS.includes(action))
    throw new UsageError(`There is no \`ltm consolidate ${safeLine(action)}\`.`, `Say one of ${ACTIONS.join(', ')}.`);
  const client = await context.client();
  switch (action) {
    case 'run': {
      const report = await client.consolidate({ ...readFlags<object>(verb, args), horizon: needHorizon(what) });
      return answer(report, () => showReport(report, terminal));
    }
    case 'recommend': {
      const said = await client.recommendConsolidation({ horizon: needHorizon(what) });
      return answer(said, [`${said.recommendation}:`, ...said.reasons].join('\n'));
    }
    case 'undo': {
      const { run, restored, removed, left } = await client.undoConsolidation({ run: what ?? 'last' });
      return answer({ run, restored, removed, left }, () => {
        terminal.print(`Undid ${run.purpose} of ${toIso(run.startedAt)}: ${restored} restored, ${removed} removed.`);
        if (left.length > 0)
          terminal.note(`${left.length} were changed since and left as they are: ${left.join(', ')}`);
      });
    }
    case 'pause':
    case 'resume': {
      const meant = what === undefined ? {} : { horizon: needHorizon(what) };
      const status = await (action === 'pause' ? client.pauseConsolidation(meant) : client.resumeConsolidation(meant));
      return answer(status, () => showStatus(status, terminal));
    }
    default: {
      const status = await client.readConsolidationStatus({});
      answer(status, () => showStatus(status, terminal));
    }
  }
}

function needHorizon(word: string | undefined): Horizon {
  const horizon = HORIZONS.find((one) => one === word);
  if (horizon === undefined) throw new UsageError(`Say which horizon: ${HORIZONS.join(', ')}.`);
  return horizon;
}

function showReport(report: ConsolidationReport, { print, note, paint }: Terminal): void {
  const { examined, decay, duplicates, summaries, associations, forgetting, run, dryRun } = report;
  print(
    `${dryRun ? 'Would look' : 'Looked'} at ${showCount(examined, 'memory', 'memories')}${report.isComplete ? '' : '; the next run continues behind them'}.`,
  );
  print(`Quality: ${decay.changed} of ${decay.measured} change by their reads.`);
  print(`Summaries: ${summaries.clusters}.`);
  for (const { id, title, sources } of summaries.made)
    print(`  ${dryRun ? '' : `${paint('cyan', id)}  `}${safeLine(title)} (${sources.length} sources)`);
  print(
    `Duplicates: ${showCount(duplicates.groups, 'group')} with ${duplicates.memories} to merge${duplicates.groups > 0 ? '; see `ltm cleanup`' : ''}.`,
  );
  print(`Relations proposed: ${associations.proposed}.`);
  for (const { from, to, type, reason } of associations.pairs)
    print(`  ${paint('cyan', from)} ${type} ${paint('cyan', to)}: ${safeLine(reason)}`);
  print(
    `Archived: ${forgetting.archived}${forgetting.spared > 0 ? `, ${forgetting.spared} spared because they are protected` : ''}.`,
  );
  for (const { id, title, reason } of forgetting.memories)
    print(`  ${paint('cyan', id)}  ${reason}: ${safeLine(title)}`);
  for (const notice of report.notices) note(safeLine(notice));
  if (dryRun) note('Nothing was changed.');
  else note(`\`ltm consolidate undo ${run}\` takes all of it back.`);
}

function showStatus({ isScheduled, horizons, runs, forget }: ConsolidationStatus, { print, note }: Terminal): void {
  for (const { horizon, schedule, isPaused, nextAt, lastAt } of horizons) {
    const when =
      schedule === null ? 'not scheduled' : isPaused ? `${schedule}, paused` : `${schedule}, next ${toIso(nextAt!)}`;
    print(`${horizon.padEnd(10)} ${when}${lastAt === null ? '' : `, last ${toIso(lastAt)}`}`);
  }
  for (const { id, purpose, state, startedAt, changes } of runs) {
    const made = Object.entries(changes).filter(([, n]) => n > 0);
    print(`${id}  ${toIso(startedAt)}  ${purpose}, ${state}${made.map(([name, n]) => `, ${n} ${name}`).join('')}`);
  }
  if (!isScheduled) note('Nothing runs by itself: consolidation_schedule is empty.');
  note(`What may be archived: ${forget} (consolidation_forget).`);
}
