import { inGroup } from '../../verbs/in-group.ts';
import {
  acknowledgeInsight,
  archiveMemories,
  cleanUp,
  listArchived,
  listInsights,
  maintain,
  mergeMemories,
  readMaintenance,
} from './verbs/clean-up.ts';
import {
  consolidate,
  pauseConsolidation,
  readConsolidationStatus,
  recommendConsolidation,
  resumeConsolidation,
  undoConsolidation,
} from './verbs/consolidate.ts';

export const VERBS = inGroup('Consolidation', {
  consolidate,
  readConsolidationStatus,
  recommendConsolidation,
  undoConsolidation,
  pauseConsolidation,
  resumeConsolidation,
  cleanUp,
  mergeMemories,
  archiveMemories,
  listArchived,
  maintain,
  readMaintenance,
  listInsights,
  acknowledgeInsight,
});
