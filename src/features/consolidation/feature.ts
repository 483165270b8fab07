import { runKind } from '../../engine/consolidation/run-kind.ts';
import { withdrawSummaries } from '../../engine/consolidation/withdraw-summaries.ts';
import type { ApiOf } from '../../engine/engine.ts';
import { defineFeature } from '../feature.ts';
import { late } from '../late.ts';

const running = () => import('../../engine/consolidation/consolidate.ts');
const reporting = () => import('../../engine/consolidation/report-state.ts');
const undoing = () => import('../../engine/consolidation/undo-run.ts');
const cleaning = () => import('../../engine/consolidation/clean-up.ts');
const merging = () => import('../../engine/consolidation/merge-memories.ts');
const listing = () => import('../../engine/consolidation/list-archived.ts');
const insights = () => import('../../engine/consolidation/keep-insights.ts');
const maintaining = () => import('../../engine/consolidation/maintain.ts');

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

export const consolidation = defineFeature({
  name: 'consolidation',
  about: 'Summaries, merging, archiving and insights as memories age.',
  needs: ['memories', 'quality', 'graph', 'truth'],
  kinds: [runKind],
  guard: withdrawSummaries,
  api,
  verbs: async () => (await import('./verbs.ts')).VERBS,
  commands: async () => (await import('./commands.ts')).COMMANDS,
});
