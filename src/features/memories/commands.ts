import type { CommandLine } from '../../cli/command.ts';
import { commandOf } from '../../cli/verb-command.ts';
import { deleteMemories } from './verbs/delete-memories.ts';
import { getMemories } from './verbs/get-memories.ts';
import { listMemories } from './verbs/list-memories.ts';
import { purgeMemories } from './verbs/purge-memories.ts';
import { listRejections, rejectMemories } from './verbs/reject-memories.ts';
import { listVersions, restoreMemories } from './verbs/restore-memories.ts';
import { searchMemories } from './verbs/search-memories.ts';
import { storeMemory } from './verbs/store-memory.ts';
import { updateMemory } from './verbs/update-memory.ts';

export const COMMANDS: readonly CommandLine[] = [
  commandOf(storeMemory, async () => (await import('./terminal/change-memories.ts')).store),
  commandOf(searchMemories, async () => (await import('./terminal/read-memories.ts')).search),
  commandOf(getMemories, async () => (await import('./terminal/read-memories.ts')).get),
  commandOf(listMemories, async () => (await import('./terminal/read-memories.ts')).list),
  commandOf(updateMemory, async () => (await import('./terminal/change-memories.ts')).edit),
  commandOf(deleteMemories, async () => (await import('./terminal/change-memories.ts')).remove),
  commandOf(restoreMemories, async () => (await import('./terminal/change-memories.ts')).restore),
  commandOf(purgeMemories, async () => (await import('./terminal/purge-memories.ts')).purge),
  commandOf(rejectMemories, async () => (await import('./terminal/reject-memories.ts')).reject),
  commandOf(listRejections, async () => (await import('./terminal/reject-memories.ts')).rejected),
  commandOf(listVersions, async () => (await import('./terminal/read-memories.ts')).history),
];
