import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import { type Membership, ROLES, type Role, type Team, type TeamId, type User } from '../../model/identity.ts';
import type { Accounts } from '../accounts.ts';
import type { AccountPorts } from './account-ports.ts';
import { demandScope } from './account-rights.ts';
import { applyChanges } from './apply-changes.ts';
import { needTeam } from './need-team.ts';

type MemberVerbs = Pick<Accounts, 'listMembers' | 'setRole' | 'removeMember' | 'leaveTeam'>;
type Member = Membership & { user: User | null };

export function createMemberVerbs(ports: AccountPorts): MemberVerbs {
  return {
    async listMembers(asker, name) {
      const { teamId } = await needTeam(ports, asker, { name, action: 'read' });
      return ports.identity.listMembers(teamId);
    },
    setRole: (asker, team, change) => setRole(ports, asker, { team, ...change }),
    removeMember: (asker, team, user) => removeMember(ports, asker, { team, user }),
    leaveTeam: (asker, name) => leaveTeam(ports, asker, name),
  };
}

/** By user id or email. */
export async function needMember(
  { identity }: Pick<AccountPorts, 'identity'>,
  teamId: TeamId,
  who: string,
): Promise<Member> {
  const members = await identity.listMembers(teamId);
  const found =
    members.find(({ userId }) => userId === who) ??
    members.find(({ user }) => user?.email !== null && user?.email === who.trim().toLowerCase());
  if (found === undefined)
    throw new EngineError('not_found', 'This person is not in the team.', {
      hint: '`ltm teams members` shows who is.',
    });
  return found;
}

export function rankOf(role: Role): number {
  return ROLES.indexOf(role);
}

async function setRole(
  ports: AccountPorts,
  asker: Caller,
  { team: name, user, role }: { team: string; user: string; role: Role },
): Promise<void> {
  const own = await needTeam(ports, asker, { name, action: 'manage_members' });
  const member = await needMember(ports, own.teamId, user);
  if (role === 'owner')
    throw new EngineError('invalid_input', 'A team has one owner.', {
      hint: 'Hand the team over: `ltm teams transfer`.',
    });
  if (member.role === 'owner') throw ownerStays(own.team);
  demandOwnerForAdmins(own.role, [member.role, role]);
  if (member.role === role) return;
  const { teamId, userId, joinedAt } = member;
  await applyChanges(ports.identity, asker, [{ op: 'put_member', membership: { teamId, userId, role, joinedAt } }]);
}

async function removeMember(
  ports: AccountPorts,
  asker: Caller,
  { team: name, user }: { team: string; user: string },
): Promise<void> {
  const own = await needTeam(ports, asker, { name, action: 'manage_members' });
  const { teamId, userId, role } = await needMember(ports, own.teamId, user);
  if (role === 'owner') throw ownerStays(own.team);
  if (userId !== asker.userId) demandOwnerForAdmins(own.role, [role]);
  await applyChanges(ports.identity, asker, [{ op: 'remove_member', teamId, userId, at: ports.clock.now() }]);
}

async function leaveTeam(ports: AccountPorts, asker: Caller, name: string): Promise<void> {
  const { teamId, userId, role, team } = await needTeam(ports, asker, { name, action: 'read' });
  demandScope(asker, 'write');
  if (role === 'owner') throw ownerStays(team);
  await applyChanges(ports.identity, asker, [{ op: 'remove_member', teamId, userId, at: ports.clock.now() }]);
}

/** Admins do not make or unmake each other. */
function demandOwnerForAdmins(own: Role, concerned: readonly Role[]): void {
  if (own === 'owner' || concerned.every((role) => rankOf(role) < rankOf('admin'))) return;
  throw new EngineError('forbidden', 'Only the owner of the team decides about admins.', {
    hint: "Ask the team's owner.",
    details: { needed: 'owner' },
  });
}

function ownerStays({ name }: Team): EngineError {
  return new EngineError('invalid_input', 'The owner cannot leave or be removed.', {
    hint: `Hand the team over first (\`ltm teams transfer ${name}\`), or delete it.`,
  });
}
