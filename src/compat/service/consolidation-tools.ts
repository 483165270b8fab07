import {
  type ConsolidationReport,
  type ConsolidationStatus,
  HORIZONS,
  type Horizon,
} from '../../features/consolidation/consolidation.ts';
import { EngineError } from '../../model/errors.ts';
import { toIso } from '../../model/instant.ts';
import { choice, flag, label, text } from '../../verbs/field.ts';
import { defineServiceTool, documentAnswer, linesAnswer, type Tool, type ToolContext } from './define-service-tool.ts';

const ACTIONS = ['run', 'status', 'recommend', 'scheduler', 'pause', 'resume', 'merge'] as const;
const JOBS_SHOWN = 5;

interface ConsolidateArguments {
  action: (typeof ACTIONS)[number];
  time_horizon?: Horizon;
  content_hashes?: string[];
  merged_content?: string;
  tags?: string[];
  memory_type?: string;
}

const memoryConsolidate = defineServiceTool<ConsolidateArguments>({
  name: 'memory_consolidate',
  title: 'Consolidate Memories (Unified)',
  text: 'Summarise what belongs together and weigh memories by use (run), see what was done and is planned (status, scheduler, recommend), pause and resume the schedule, or merge memories into one text. Every run can be undone.',
  action: 'write',
  destructive: true,
  listed: {
    action: { ...choice(ACTIONS), isRequired: true },
    time_horizon: choice(HORIZONS, 'run, recommend; pause, resume: only this one'),
    immediate: flag(),
    content_hashes: { type: 'refs', max: 100, about: 'merge' },
    merged_content: text('merge', { max: 1_000_000 }),
    tags: { type: 'tags', about: 'merge' },
    memory_type: label('merge'),
  },
  defaults: { immediate: true },
  run: (context, args) => ANSWERS[args.action](context, args),
});

type Answer = (context: ToolContext, args: ConsolidateArguments) => ReturnType<Tool['run']>;

const ANSWERS: Readonly<Record<ConsolidateArguments['action'], Answer>> = {
  async run(context, { time_horizon: horizon }) {
    const report = await context.engine.consolidate(context.caller, { horizon: need(horizon) });
    const lines = [...reportLines(report), ...(await nameAssociations(context, report))];
    const { run, notices, associations } = report;
    return linesAnswer(lines, { run, notices, associations: associations.proposed });
  },
  async status({ engine, caller }) {
    const status = await engine.readConsolidationStatus(caller);
    const { done, failed, totals } = countRuns(status);
    return linesAnswer(
      [
        `Consolidation status: ${status.isScheduled ? 'scheduled' : 'on demand'}`,
        `Runs: ${done} done, ${failed} interrupted`,
        ...Object.entries(totals).map(([name, count]) => `${name}: ${count}`),
      ],
      { runs: done, failed, ...totals },
    );
  },
  async recommend({ engine, caller }, { time_horizon: horizon }) {
    const said = await engine.recommendConsolidation(caller, need(horizon));
    const word = RECOMMENDATIONS[said.recommendation];
    const old = said.memories === 0 ? 0 : Math.round((said.olderThanMonth / said.memories) * 100);
    return linesAnswer(
      [
        `Recommendation for ${said.horizon}: ${word}`,
        ...said.reasons.map((reason) => `- ${reason}`),
        `Memories: ${said.memories}, in the horizon: ${said.inHorizon}, older than a month: ${old} %`,
      ],
      { recommendation: word, memory_count: said.memories, in_horizon: said.inHorizon },
    );
  },
  async scheduler({ engine, caller }) {
    return schedulerAnswer(await engine.readConsolidationStatus(caller));
  },
  pause: (context, args) => pause(context, args, true),
  resume: (context, args) => pause(context, args, false),
  async merge({ engine, caller }, { content_hashes: refs = [], merged_content: content, tags, memory_type: type }) {
    if (content === undefined)
      throw new EngineError('invalid_input', 'merged_content is required to merge.', {
        details: { field: 'merged_content' },
      });
    const { memory, merged } = await engine.mergeMemories(caller, {
      refs,
      content,
      ...(tags !== undefined && tags.length > 0 && { tags }),
      ...(type !== undefined && { type }),
    });
    return documentAnswer({
      ok: true,
      content_hash: memory.contentHash,
      merged: merged.length,
      deleted: 0,
      failed: [],
    });
  },
};

export const RECOMMENDATIONS = {
  beneficial: 'CONSOLIDATION_BENEFICIAL',
  optional: 'CONSOLIDATION_OPTIONAL',
  none: 'NO_ACTION',
} as const;

function need(horizon: Horizon | undefined): Horizon {
  if (horizon !== undefined) return horizon;
  throw new EngineError('invalid_input', `time_horizon is required: ${HORIZONS.join(', ')}.`, {
    details: { field: 'time_horizon' },
  });
}

function reportLines(report: ConsolidationReport): string[] {
  const seconds = (report.finishedAt - report.startedAt) / 1000;
  const reasons = Object.entries(report.forgetting.reasons).map(([reason, count]) => `${reason} ${count}`);
  return [
    `Consolidation completed: ${report.horizon}`,
    `Seconds: ${seconds}`,
    `Memories processed: ${report.examined}`,
    `Quality changed: ${report.decay.changed}`,
    `Duplicate groups: ${report.duplicates.groups}`,
    `Associations discovered: ${report.associations.proposed}`,
    `Clusters: ${report.summaries.clusters}`,
    `Memories compressed: ${report.summaries.made.length}`,
    `Memories archived: ${report.forgetting.archived}${reasons.length === 0 ? '' : ` (${reasons.join(', ')})`}`,
    ...(report.run === null ? [] : [`Run: ${report.run}`]),
  ];
}

const ASSOCIATIONS_SHOWN = 5;
const HASH_SHOWN = 12;

/** Which two memories have to do with each other, and why; the rest is found by the graph tool. */
async function nameAssociations(
  { engine, caller }: ToolContext,
  { associations }: ConsolidationReport,
): Promise<string[]> {
  const shown = associations.pairs.slice(0, ASSOCIATIONS_SHOWN);
  if (shown.length === 0) return [];
  const { memories } = await engine.getMemories(caller, { refs: shown.flatMap(({ from, to }) => [from, to]) });
  const hashes = new Map(memories.map(({ id, contentHash }) => [id, contentHash.slice(0, HASH_SHOWN)]));
  const named = shown.map(
    ({ from, to, type, reason }) => `- ${hashes.get(from) ?? from} ${type} ${hashes.get(to) ?? to}: ${reason}`,
  );
  const more = associations.proposed - shown.length;
  return ['Associations:', ...named, ...(more > 0 ? [`- and ${more} more`] : [])];
}

export function countRuns({ runs }: ConsolidationStatus) {
  const totals = {
    'Memories processed': 0,
    'Associations discovered': 0,
    'Summaries made': 0,
    'Memories archived': 0,
    'Memories merged': 0,
  };
  for (const { examined, changes } of runs) {
    totals['Memories processed'] += examined;
    totals['Associations discovered'] += changes.associations;
    totals['Summaries made'] += changes.summaries;
    totals['Memories archived'] += changes.archived;
    totals['Memories merged'] += changes.merged;
  }
  const done = runs.filter(({ state }) => state === 'done').length;
  return { done, failed: runs.filter(({ state }) => state === 'interrupted').length, totals };
}

function schedulerAnswer(status: ConsolidationStatus) {
  const horizons = status.horizons.map(({ horizon, schedule, isPaused, nextAt }) => {
    if (schedule === null) return `${horizon}: disabled`;
    return `${horizon}: ${schedule}, ${isPaused ? 'paused' : `next ${nextAt === null ? 'unknown' : toIso(nextAt)}`}`;
  });
  const jobs = status.runs
    .slice(0, JOBS_SHOWN)
    .map(
      ({ purpose, state, startedAt, examined }) => `- ${toIso(startedAt)} ${purpose}: ${state}, ${examined} memories`,
    );
  return linesAnswer(
    [
      `Scheduler: ${status.isScheduled ? 'running' : 'disabled'}`,
      ...horizons,
      ...(jobs.length === 0 ? [] : ['Last jobs:', ...jobs]),
    ],
    {
      scheduled: status.isScheduled,
      horizons: status.horizons.map(({ horizon, schedule }) => ({ horizon, schedule })),
    },
  );
}

async function pause(
  { engine, caller }: ToolContext,
  { time_horizon: horizon }: ConsolidateArguments,
  isPaused: boolean,
) {
  await engine.pauseConsolidation(caller, { ...(horizon !== undefined && { horizon }), isPaused });
  const what = horizon === undefined ? 'All consolidation' : `${horizon} consolidation`;
  return linesAnswer([`${what} ${isPaused ? 'paused' : 'resumed'}`]);
}

/** Only what says the same: merging near copies is a person's decision. */
const SAME = 0.99;

/** Puts all but one of the memories that say the same behind that one; how many. */
export async function cleanUpDuplicates({
  engine,
  caller,
}: ToolContext): Promise<{ merged: number; run: string | null }> {
  const { merged, run } = await engine.cleanUp(caller, { dryRun: false, threshold: SAME });
  return { merged, run };
}

const memoryCleanup = defineServiceTool<object>({
  name: 'memory_cleanup',
  title: 'Cleanup Duplicates',
  text: 'Find memories that say the same and keep one of each; the others stay readable behind it.',
  action: 'write',
  destructive: true,
  idempotent: true,
  output: { message: 'string', count: 'number' },
  async run(context) {
    const { merged, run } = await cleanUpDuplicates(context);
    const lines =
      merged === 0 ? ['No duplicate memories found'] : [`Successfully removed ${merged} duplicate memories`];
    return linesAnswer(run === null ? lines : [...lines, `Run: ${run}`], { count: merged, run });
  },
});

export const CONSOLIDATION_TOOLS: readonly Tool[] = [memoryCleanup, memoryConsolidate];
