import { VERBS } from '../verbs/verb-table.ts';
import type { Route } from './route.ts';
import { createToken, listTokens, revokeCurrentToken, revokeToken } from './routes/access-tokens.ts';
import { listAudit, listChanges } from './routes/audit.ts';
import { followEvents } from './routes/follow-events.ts';
import { listGrants, revokeGrant } from './routes/grants.ts';
import { acceptInvite, createInvite, listInvites, revokeInvite } from './routes/invites.ts';
import { changePassword } from './routes/password.ts';
import { listMembers, removeMember, setRole } from './routes/team-members.ts';
import { createTeam, deleteTeam, leaveTeam, listTeams, transferTeam } from './routes/teams.ts';
import { listUsers, removeUser, suspendUser } from './routes/users.ts';
import { whoami } from './routes/whoami.ts';
import { routesOf } from './verb-routes.ts';

/** The whole API, in the order it is documented. */
export const ROUTES: readonly Route[] = [
  ...Object.values(VERBS).flatMap((verb) => routesOf(verb)),
  followEvents,
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
