import { diffMemories } from '../../verbs/history/diff-memories.ts';
import { undoChanges } from '../../verbs/history/undo-changes.ts';
import { inGroup } from '../../verbs/in-group.ts';

export const VERBS = inGroup('History', { diffMemories, undoChanges });
