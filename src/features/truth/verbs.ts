import { inGroup } from '../../verbs/in-group.ts';
import { listConflicts, resolveConflict } from './verbs/list-conflicts.ts';

export const VERBS = inGroup('History', { listConflicts, resolveConflict });
