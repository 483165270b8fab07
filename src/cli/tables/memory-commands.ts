import { deleteMemories } from '../../verbs/memories/delete-memories.ts';
import { getMemories } from '../../verbs/memories/get-memories.ts';
import { listMemories } from '../../verbs/memories/list-memories.ts';
import { listVersions, restoreMemories } from '../../verbs/memories/restore-memories.ts';
import { searchMemories } from '../../verbs/memories/search-memories.ts';
import { storeMemory } from '../../verbs/memories/store-memory.ts';
import { updateMemory } from '../../verbs/memories/update-memory.ts';
import { showStats } from '../../verbs/state/check-health.ts';
import type { Command } from '../command.ts';
import { commandOf } from '../verb-command.ts';

/** What people do with memories. */
export const MEMORY_COMMANDS: readonly Command[] = [
  commandOf(storeMemory, () => import('../commands/store.ts')),
  commandOf(searchMemories, () => import('../commands/search.ts')),
  commandOf(getMemories, () => import('../commands/get.ts')),
  commandOf(listMemories, () => import('../commands/list.ts')),
  commandOf(updateMemory, () => import('../commands/edit.ts')),
  commandOf(deleteMemories, () => import('../commands/delete.ts')),
  commandOf(restoreMemories, () => import('../commands/restore.ts')),
  commandOf(listVersions, () => import('../commands/history.ts')),
  commandOf(showStats, () => import('../commands/stats.ts')),
];
