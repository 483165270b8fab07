import { inGroup } from '../../verbs/in-group.ts';
import { diffMemories } from './verbs/diff-memories.ts';
import { undoChanges } from './verbs/undo-changes.ts';

export const VERBS = inGroup('History', { diffMemories, undoChanges });
