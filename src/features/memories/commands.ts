import type { CommandLine } from '../../cli/command.ts';
import { commandOf } from '../../cli/verb-command.ts';
import { deleteMemories } from '../../verbs/memories/delete-memories.ts';
import { getMemories } from '../../verbs/memories/get-memories.ts';
import { listMemories } from '../../verbs/memories/list-memories.ts';
import { purgeMemories } from '../../verbs/memories/purge-memories.ts';
import { listRejections, rejectMemories } from '../../verbs/memories/reject-memories.ts';
import { listVersions, restoreMemories } from '../../verbs/memories/restore-memories.ts';
import { searchMemories } from '../../verbs/memories/search-memories.ts';
import { storeMemory } from '../../verbs/memories/store-memory.ts';
import { updateMemory } from '../../verbs/memories/update-memory.ts';

export const COMMANDS: readonly CommandLine[] = [
  commandOf(storeMemory, async () => (await import('../../cli/commands/change-memories.ts')).store),
  commandOf(searchMemories, async () => (await import('../../cli/commands/read-memories.ts')).search),
  commandOf(getMemories, async () => (await import('../../cli/commands/read-memories.ts')).get),
  commandOf(listMemories, async () => (await import('../../cli/commands/read-memories.ts')).list),
  commandOf(updateMemory, async () => (await import('../../cli/commands/change-memories.ts')).edit),
  commandOf(deleteMemories, async () => (await import('../../cli/commands/change-memories.ts')).remove),
  commandOf(restoreMemories, async () => (await import('../../cli/commands/change-memories.ts')).restore),
  commandOf(purgeMemories, async () => (await import('../../cli/commands/purge-memories.ts')).purge),
  commandOf(rejectMemories, async () => (await import('../../cli/commands/reject-memories.ts')).reject),
  commandOf(listRejections, async () => (await import('../../cli/commands/reject-memories.ts')).rejected),
  commandOf(listVersions, async () => (await import('../../cli/commands/read-memories.ts')).history),
];
