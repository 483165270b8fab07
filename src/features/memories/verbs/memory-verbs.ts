import { inGroup } from '../../../verbs/in-group.ts';
import { deleteMemories, deleteMemory } from './delete-memories.ts';
import { getMemories, getMemory } from './get-memories.ts';
import { listMemories } from './list-memories.ts';
import { purgeMemories, purgeMemory } from './purge-memories.ts';
import { liftRejections, listRejections, rejectMemories } from './reject-memories.ts';
import { listVersions, restoreMemories, restoreMemory } from './restore-memories.ts';
import { searchMemories } from './search-memories.ts';
import { storeMemories, storeMemory } from './store-memory.ts';
import { updateMemory } from './update-memory.ts';

export const MEMORY_VERBS = {
  ...inGroup('Memories', { storeMemory, storeMemories, listMemories, getMemory, getMemories, updateMemory }),
  ...inGroup('Memories', { deleteMemory, deleteMemories, restoreMemory, restoreMemories, listVersions }),
  ...inGroup('Memories', { purgeMemory, purgeMemories, rejectMemories, listRejections, liftRejections }),
};

export const SEARCH_VERBS = inGroup('Search', { searchMemories });
