import {
  acknowledgeInsight,
  archiveMemories,
  cleanUp,
  listArchived,
  listInsights,
  maintain,
  mergeMemories,
  readMaintenance,
} from '../../verbs/consolidation/clean-up.ts';
import {
  consolidate,
  pauseConsolidation,
  readConsolidationStatus,
  recommendConsolidation,
  resumeConsolidation,
  undoConsolidation,
} from '../../verbs/consolidation/consolidate.ts';
import { inGroup } from '../../verbs/in-group.ts';

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
