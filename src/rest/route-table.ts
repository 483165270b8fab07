import type { Route } from './route.ts';
import { checkHealth } from './routes/check-health.ts';
import { listAgents, listProjects, listTags, listTypes } from './routes/count-labels.ts';
import { deleteMemories } from './routes/delete-memories.ts';
import { deleteMemory } from './routes/delete-memory.ts';
import { exportRecords } from './routes/export-records.ts';
import { getMemory } from './routes/get-memory.ts';
import { importRecords } from './routes/import-records.ts';
import { listMemories } from './routes/list-memories.ts';
import { listVersions } from './routes/list-versions.ts';
import { purgeMemory } from './routes/purge-memory.ts';
import { restoreMemory } from './routes/restore-memory.ts';
import { searchMemories, searchMemoriesByUrl } from './routes/search-memories.ts';
import { showStats } from './routes/show-stats.ts';
import { storeMemories } from './routes/store-memories.ts';
import { storeMemory } from './routes/store-memory.ts';
import { updateMemory } from './routes/update-memory.ts';

/** The whole API, in the order it is documented. */
export const ROUTES: readonly Route[] = [
  storeMemory,
  storeMemories,
  listMemories,
  getMemory,
  updateMemory,
  deleteMemory,
  deleteMemories,
  restoreMemory,
  listVersions,
  purgeMemory,
  searchMemories,
  searchMemoriesByUrl,
  listTags,
  listTypes,
  listProjects,
  listAgents,
  showStats,
  checkHealth,
  exportRecords,
  importRecords,
];
