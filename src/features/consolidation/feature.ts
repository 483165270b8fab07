import type { ApiOf } from '../../engine/engine.ts';
import type { Job } from '../../engine/engine-parts.ts';
import type { ClientOf } from '../../verbs/client.ts';
import { defineFeature } from '../feature.ts';
import { late } from '../late.ts';
import { memoryKind } from '../memories/memory-kind.ts';
import { runKind } from './run-kind.ts';
import { settings } from './settings.ts';
import type { VERBS } from './verbs.ts';

const withdrawing = () => import('./withdraw-summaries.ts');
const running = () => import('./consolidate.ts');
const reporting = () => import('./report-state.ts');
const undoing = () => import('./undo-run.ts');
const cleaning = () => import('./clean-up.ts');
const merging = () => import('./merge-memories.ts');
const listing = () => import('./list-archived.ts');
const insights = () => import('./keep-insights.ts');
const maintaining = () => import('./maintain.ts');

const consolidating: Job = {
  name: 'consolidated',
  isDue: ({ settings }) => settings.consolidationSchedule.length > 0,
  run: async () => (await import('./consolidate-due.ts')).consolidateDue,
};

const api = {
  consolidate: late(running, 'consolidate'),
  readConsolidationStatus: late(reporting, 'readConsolidationStatus'),
  recommendConsolidation: late(reporting, 'recommendConsolidation'),
  pauseConsolidation: late(reporting, 'pauseConsolidation'),
  undoConsolidation: late(undoing, 'undoRun'),
  cleanUp: late(cleaning, 'cleanUp'),
  mergeMemories: late(merging, 'mergeMemories'),
  archiveMemories: late(merging, 'archiveMemories'),
  listArchived: late(listing, 'listArchived'),
  listInsights: late(insights, 'listInsights'),
  acknowledgeInsight: late(insights, 'acknowledgeInsight'),
  maintain: late(maintaining, 'maintain'),
  readMaintenance: late(maintaining, 'readMaintenance'),
};

declare module '../../engine/engine.ts' {
  interface Engine extends ApiOf<typeof api> {}
}

declare module '../../verbs/client.ts' {
  interface Client extends ClientOf<typeof VERBS> {}
}

export const consolidation = defineFeature({
  name: 'consolidation',
  about: 'Summaries, merging, archiving and insights as memories age.',
  settings,
  needs: ['memories', 'quality', 'graph', 'truth'],
  kinds: [runKind],
  follows: {
    ops: ['delete', 'purge', 'restore', 'take'],
    revised: [memoryKind.name],
    plan: async () => (await withdrawing()).withdrawSummaries,
  },
  restoring: async () => (await import('./restore-archived.ts')).restoreArchived,
  findOutdated: async () => (await withdrawing()).findOutdated,
  jobs: [consolidating],
  api,
  verbs: async () => (await import('./verbs.ts')).VERBS,
  answers: async () => (await import('./answers.ts')).ANSWERS,
  commands: async () => (await import('./commands.ts')).COMMANDS,
  tools: async () => (await import('./tools.ts')).listTools,
});
