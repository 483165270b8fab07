import { z } from 'zod';
import { FORGET_REASONS } from '../../model/memory.ts';
import { type Answers, count, counts, instant, text, texts } from '../../rest/answer-fields.ts';
import { memory } from '../memories/answers.ts';
import { FORGET_MODES, HORIZONS, RUN_STATES } from './consolidation.ts';
import { INSIGHT_KINDS } from './insight.ts';

const { strictObject: fields, array: list, number, boolean } = z;

const horizon = z.enum(HORIZONS);
const named = { id: text, title: text };
const group = fields({ keep: fields(named), others: list(fields({ ...named, similarity: number() })) });
const runId = text
  .nullable()
  .describe('Undo it with POST /consolidation/runs/{run}/undo; null if nothing was changed.');
const reason = z.enum(FORGET_REASONS);

const run = fields({
  id: text,
  purpose: z.enum([...HORIZONS, 'cleanup', 'merge', 'archive', 'insights']),
  state: z.enum(RUN_STATES),
  by: text,
  started_at: instant,
  finished_at: instant.nullable(),
  undone_at: instant.nullable(),
  examined: count,
  changes: fields(counts('quality', 'summaries', 'archived', 'merged', 'insights', 'associations')),
});

const status = fields({
  is_scheduled: boolean(),
  forget: z.enum(FORGET_MODES),
  horizons: list(
    fields({
      horizon,
      schedule: text.nullable(),
      is_paused: boolean(),
      last_at: instant.nullable(),
      next_at: instant.nullable(),
    }),
  ),
  runs: list(run).describe('The latest first.'),
});

const insight = fields({
  id: text,
  kind: z.enum(INSIGHT_KINDS),
  tags: texts,
  text,
  confidence: number(),
  memories: count,
  recent_types: texts,
  earlier_types: texts,
  is_acknowledged: boolean(),
});

const maintenance = fields({
  dry_run: boolean(),
  started_at: instant,
  finished_at: instant,
  steps: list(fields({ step: text, counts: z.record(text, number()), run: runId, notice: text.nullable() })),
  errors: texts,
});

export const ANSWERS: Answers = {
  consolidate: fields({
    run: runId,
    horizon,
    dry_run: boolean(),
    started_at: instant,
    finished_at: instant,
    examined: count,
    is_complete: boolean().describe('false: memories of the horizon are left for the next run.'),
    decay: fields({
      ...counts('measured', 'changed'),
      average_relevance: number().nullable(),
      lowest: list(fields({ ...named, relevance: number() })),
    }),
    duplicates: fields({ ...counts('groups', 'memories'), found: list(group) }),
    summaries: fields({ clusters: count, made: list(fields({ ...named, sources: texts })) }),
    associations: fields({
      proposed: count.describe('Relations with a reason; nobody states them until they are confirmed.'),
      pairs: list(fields({ from: text, to: text, type: text, confidence: number(), reason: text })),
    }),
    forgetting: fields({
      archived: count,
      spared: count.describe('Protected.'),
      reasons: z.record(text, count),
      memories: list(fields({ ...named, reason })),
    }),
    notices: texts,
  }),
  readConsolidationStatus: status,
  pauseConsolidation: status,
  resumeConsolidation: status,
  recommendConsolidation: fields({
    horizon,
    recommendation: z.enum(['beneficial', 'optional', 'none']),
    reasons: texts,
    ...counts('memories', 'in_horizon', 'older_than_month'),
    since_last_run_days: number().nullable(),
  }),
  undoConsolidation: fields({
    run,
    ...counts('restored', 'removed'),
    left: texts.describe('Changed by somebody since, and left as they are.'),
  }),
  cleanUp: fields({
    run: runId,
    dry_run: boolean(),
    ...counts('examined', 'groups', 'merged'),
    found: list(group).describe('The first hundred.'),
  }),
  mergeMemories: fields({ run: text, memory, merged: texts }),
  archiveMemories: fields({ run: runId, archived: texts, missing: texts }),
  listArchived: fields({ memories: list(memory) }),
  maintain: maintenance,
  readMaintenance: fields({ report: maintenance.nullable() }),
  listInsights: fields({ insights: list(insight) }),
  acknowledgeInsight: fields({ insight }),
};
