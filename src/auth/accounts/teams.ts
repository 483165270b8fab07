import { EngineError } from '../../model/errors.ts';
import { type Membership, ROLES, type Role, type Team, type TeamId, type User } from '../../model/identity.ts';
import { type Asker, OPERATOR } from '../accounts.ts';
import {
  type AccountPorts,
  type AccountVerbs,
  applyChanges,
  demandOperator,
  demandPerson,
  demandScope,
  isOpenTo,
  needTeam,
  tryChanges,
} from './account-rights.ts';
import { newId, readTeamName, TEAM_PREFIX } from './names.ts';

const USUAL_LIMIT = 50;
const MAX_LIMIT = 500;

export const TEAM_VERBS = {
  createTeam: (ports) => async (asker, name) => {
    demandScope(asker, 'write');
    demandPerson(asker, 'make teams');
    const now = ports.clock.now();
    const team: Team = { id: newId(TEAM_PREFIX, now), name: readTeamName(name), ownerId: asker.userId, createdAt: now };
    const conflict = await tryChanges(ports.identity, asker, [{ op: 'add_team', team }]);
    if (conflict === null) return team;
    throw new EngineError('duplicate', 'A team with this name already exists.', {
      hint: 'Choose another name.',
      details: { field: 'name' },
    });
  },
  listTeams: (ports) => async (asker) => {
    demandScope(asker, 'read');
    return (await ports.identity.listMemberships(asker.userId)).filter(({ teamId }) => isOpenTo(asker, teamId));
  },
  removeTeam: (ports) => async (asker, name) => {
    const { team } = await needTeam(ports, asker, { name, action: 'manage_team' });
    await applyChanges(ports.identity, asker, [{ op: 'remove_team', id: team.id }]);
    return team;
  },
  transferTeam: (ports) => async (asker, name, to) => {
    const { team } = await needTeam(ports, asker, { name, action: 'manage_team' });
    const { userId, user } = await needMember(ports, team.id, to);
    if (userId === team.ownerId) return team;
    if (user !== null && user.suspendedAt !== null)
      throw new EngineError('invalid_input', 'This person is suspended.', {
        hint: 'Transfer the team to somebody else.',
      });
    await applyChanges(ports.identity, asker, [{ op: 'transfer_team', id: team.id, to: userId }]);
    return { ...team, ownerId: userId };
  },
  listMembers: (ports) => async (asker, name) => {
    const { teamId } = await needTeam(ports, asker, { name, action: 'read' });
    return ports.identity.listMembers(teamId);
  },
  setRole: (ports) => async (asker, name, change) => {
    const { user, role } = change;

    const own = await needTeam(ports, asker, { name, action: 'manage_members' });
    const member = await needMember(ports, own.teamId, user);
    if (role === 'owner')
      throw new EngineError('invalid_input', 'A team has one owner.', {
        hint: 'Transfer the team with `ltm teams transfer`.',
      });
    if (member.role === 'owner') throw teamOwnerStays(own.team);
    demandOwnerForAdmins(own.role, [member.role, role]);
    if (member.role === role) return;
    const { teamId, userId, joinedAt } = member;
    await applyChanges(ports.identity, asker, [{ op: 'put_member', membership: { teamId, userId, role, joinedAt } }]);
  },
  removeMember: (ports) => async (asker, name, user) => {
    const own = await needTeam(ports, asker, { name, action: 'manage_members' });
    const { teamId, userId, role } = await needMember(ports, own.teamId, user);
    if (role === 'owner') throw teamOwnerStays(own.team);
    if (userId !== asker.userId) demandOwnerForAdmins(own.role, [role]);
    await applyChanges(ports.identity, asker, [{ op: 'remove_member', teamId, userId, at: ports.clock.now() }]);
  },
  leaveTeam: (ports) => async (asker, name) => {
    const { teamId, userId, role, team } = await needTeam(ports, asker, { name, action: 'read' });
    demandScope(asker, 'write');
    if (role === 'owner') throw teamOwnerStays(team);
    await applyChanges(ports.identity, asker, [{ op: 'remove_member', teamId, userId, at: ports.clock.now() }]);
  },
  /** The operator reads everything; the admins of a team what concerns it. */
  listAudit:
    (ports) =>
    async (asker, options = {}) => {
      const { team, cursor, limit = USUAL_LIMIT } = options;
      const teamId = team === undefined ? undefined : await teamOf(ports, asker, team);
      if (teamId === undefined) demandOperator(asker, 'read the audit log of the server');
      const beforeSeq = cursor === undefined ? undefined : readCursor(cursor);
      const most = Math.min(MAX_LIMIT, Math.max(1, limit));
      const found = await ports.identity.listAudit({ teamId, beforeSeq, limit: most + 1 });
      const items = found.slice(0, most);
      return { items, cursor: found.length > most ? String(items.at(-1)!.seq) : null };
    },
} satisfies Partial<AccountVerbs>;

type Member = Membership & { user: User | null };

/** By user id or email. */
async function needMember({ identity }: Pick<AccountPorts, 'identity'>, teamId: TeamId, who: string): Promise<Member> {
  const members = await identity.listMembers(teamId);
  const found =
    members.find(({ userId }) => userId === who) ??
    members.find(({ user }) => user?.email !== null && user?.email === who.trim().toLowerCase());
  if (found === undefined)
    throw new EngineError('not_found', 'This person is not in the team.', {
      hint: '`ltm teams members` lists the members.',
    });
  return found;
}

export function rankOf(role: Role): number {
  return ROLES.indexOf(role);
}

/** Admins do not make or unmake each other. */
function demandOwnerForAdmins(own: Role, concerned: readonly Role[]): void {
  if (own === 'owner' || concerned.every((role) => rankOf(role) < rankOf('admin'))) return;
  throw new EngineError('forbidden', 'Only the owner of the team can appoint or remove admins.', {
    hint: "Ask the team's owner.",
    details: { needed: 'owner' },
  });
}

function teamOwnerStays({ name }: Team): EngineError {
  return new EngineError('invalid_input', 'The owner cannot leave or be removed.', {
    hint: `Hand the team over first (\`ltm teams transfer ${name} USER\`; \`ltm teams members ${name}\` shows who is in it), or delete it (\`ltm teams rm ${name}\`).`,
  });
}

async function teamOf(ports: AccountPorts, asker: Asker, name: string): Promise<string> {
  if (asker !== OPERATOR) return (await needTeam(ports, asker, { name, action: 'manage_members' })).teamId;
  const team = (await ports.identity.findTeam({ name })) ?? (await ports.identity.findTeam({ id: name }));
  if (team === null) throw new EngineError('not_found', 'team not found');
  return team.id;
}

function readCursor(cursor: string): number {
  if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
  throw new EngineError('invalid_cursor', 'This cursor is not valid.', {
    hint: 'Start again without a cursor.',
  });
}
