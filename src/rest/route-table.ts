import type { Route } from './route.ts';
import { createToken, listTokens, revokeCurrentToken, revokeToken } from './routes/access-tokens.ts';
import { listAudit, listChanges } from './routes/audit.ts';
import { checkHealth } from './routes/check-health.ts';
import { listAgents, listProjects, listTags, listTypes } from './routes/count-labels.ts';
import { deleteMemories } from './routes/delete-memories.ts';
import { deleteMemory } from './routes/delete-memory.ts';
import { exportRecords } from './routes/export-records.ts';
import { followEvents } from './routes/follow-events.ts';
import { getMemory } from './routes/get-memory.ts';
import { listGrants, revokeGrant } from './routes/grants.ts';
import { importRecords } from './routes/import-records.ts';
import { acceptInvite, createInvite, listInvites, revokeInvite } from './routes/invites.ts';
import { listMemories } from './routes/list-memories.ts';
import { listVersions } from './routes/list-versions.ts';
import { changePassword } from './routes/password.ts';
import { purgeMemory } from './routes/purge-memory.ts';
import { restoreMemory } from './routes/restore-memory.ts';
import { searchMemories, searchMemoriesByUrl } from './routes/search-memories.ts';
import { showStats } from './routes/show-stats.ts';
import { storeMemories } from './routes/store-memories.ts';
import { storeMemory } from './routes/store-memory.ts';
import { listMembers, removeMember, setRole } from './routes/team-members.ts';
import { createTeam, deleteTeam, leaveTeam, listTeams, transferTeam } from './routes/teams.ts';
import { updateMemory } from './routes/update-memory.ts';
import { listUsers, removeUser, suspendUser } from './routes/users.ts';
import { whoami } from './routes/whoami.ts';

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
  followEvents,
  exportRecords,
  importRecords,
  whoami,
  listTokens,
  createToken,
  revokeCurrentToken,
  revokeToken,
  changePassword,
  listGrants,
  revokeGrant,
  listTeams,
  createTeam,
  deleteTeam,
  transferTeam,
  leaveTeam,
  listMembers,
  setRole,
  removeMember,
  createInvite,
  listInvites,
  revokeInvite,
  acceptInvite,
  listUsers,
  suspendUser,
  removeUser,
  listAudit,
  listChanges,
];
