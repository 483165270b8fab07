import { choice, flag, integer, label } from '../../../verbs/field.ts';
import { defineVerb } from '../../../verbs/verb.ts';
import type { ConsolidateInput } from '../consolidate.ts';
import {
  CONSOLIDATION_STEPS,
  type ConsolidationReport,
  type ConsolidationStatus,
  FORGET_MODES,
  HORIZONS,
  type Horizon,
  type Recommendation,
  type UndoneRun,
} from '../consolidation.ts';

const horizon = choice(
  HORIZONS,
  'daily: the last 2 days. weekly, monthly: everything. quarterly: older than 90 days. yearly: older than 365 days.',
);
const needed = { ...horizon, isRequired: true };

export const consolidate = defineVerb<ConsolidateInput, ConsolidationReport>({
  needs: 'read',
  writes: true,
  input: {
    horizon: needed,
    dry_run: flag('Only say what would be done.'),
    steps: {
      type: 'choices',
      choices: CONSOLIDATION_STEPS,
      about: 'Only these steps, instead of those of the horizon.',
    },
    forget: choice(FORGET_MODES, 'What may be archived, instead of what consolidation_forget says.'),
    limit: integer(
      1,
      100_000,
      'Maximum number of memories to look at; the next run continues behind them. Default: 10,000.',
    ),
  },
  run: ({ engine, caller }, input) => engine.consolidate(caller, input),
  rest: {
    at: 'POST /consolidation/runs',
    summary: 'Consolidate memories now; a run can be undone',
    example: { body: { horizon: 'weekly', dry_run: true } },
    answers: { 200: 'What was done, or would be done, step by step.' },
  },
  command: {
    name: 'consolidate',
    summary: 'Summarise, weigh and archive memories as they age',
    usage: '[status] | run HORIZON | recommend HORIZON | pause [HORIZON] | resume [HORIZON] | undo [RUN]',
    about:
      'HORIZON is daily, weekly, monthly, quarterly or yearly. A run can be undone as a whole; `undo` without RUN takes back the last one. Nothing runs by itself unless consolidation_schedule says so. See docs/consolidation.md.',
    flags: ['dry_run', 'steps', 'forget', ['limit', 'n']],
    maxWords: 2,
    examples: [
      'ltm consolidate run weekly --dry-run',
      'ltm consolidate run monthly --forget aged',
      'ltm consolidate undo',
    ],
  },
});

export const readConsolidationStatus = defineVerb<Record<string, never>, ConsolidationStatus>({
  needs: 'read',
  input: {},
  run: ({ engine, caller }) => engine.readConsolidationStatus(caller),
  rest: {
    at: 'GET /consolidation',
    summary: 'When consolidation runs, what is paused, and the last runs',
    answers: { 200: 'Schedules with their next times, and runs, the latest first.' },
  },
});

export const recommendConsolidation = defineVerb<{ horizon: Horizon }, Recommendation>({
  needs: 'read',
  input: { horizon: needed },
  run: ({ engine, caller }, input) => engine.recommendConsolidation(caller, input.horizon),
  rest: {
    at: 'GET /consolidation/recommendation',
    summary: 'Whether a run is worthwhile',
    example: { path: '/consolidation/recommendation?horizon=weekly' },
    answers: { 200: 'beneficial, optional or none, with the reasons.' },
  },
});

const pausing = (isPaused: boolean) =>
  defineVerb<{ horizon?: Horizon }, ConsolidationStatus>({
    needs: 'write',
    input: { horizon: choice(HORIZONS, 'Only this one. Default: all.') },
    run: ({ engine, caller }, input) => engine.pauseConsolidation(caller, { ...input, isPaused }),
    rest: {
      at: isPaused ? 'POST /consolidation/pause' : 'POST /consolidation/resume',
      summary: isPaused ? 'Pause scheduled consolidation' : 'Resume scheduled consolidation',
      example: { body: { horizon: 'weekly' } },
      answers: { 200: 'Schedules with their next times, and runs, the latest first.' },
    },
  });

export const pauseConsolidation = pausing(true);
export const resumeConsolidation = pausing(false);

export const undoConsolidation = defineVerb<{ run: string }, UndoneRun>({
  needs: 'write',
  input: { run: { ...label('The id of a run, or `last`.'), isRequired: true } },
  run: ({ engine, caller }, { run }) => engine.undoConsolidation(caller, run),
  rest: {
    at: 'POST /consolidation/runs/{run}/undo',
    summary: 'Undo everything that a run has done',
    example: { path: '/consolidation/runs/last/undo' },
    answers: { 200: 'How much was restored and removed, and what was left because it was changed since.' },
  },
});
