import { listConflicts, resolveConflict } from '../../verbs/history/list-conflicts.ts';
import { inGroup } from '../../verbs/in-group.ts';

export const VERBS = inGroup('History', { listConflicts, resolveConflict });
