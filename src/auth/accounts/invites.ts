import { randomBytes } from 'node:crypto';
import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { IdentityChange, Invite, Role, Team, User } from '../../model/identity.ts';
import type { AcceptedInvite } from '../accounts.ts';
import { checkPasswordRules } from '../password-rules.ts';
import { createToken, hashToken } from '../tokens.ts';
import {
  type AccountPorts,
  type AccountVerbs,
  applyChanges,
  demandPerson,
  demandScope,
  needTeam,
  tryChanges,
} from './account-rights.ts';
import { newId, readEmail, readName } from './names.ts';
import { rankOf } from './teams.ts';
import { describeSelf, emailTaken } from './users.ts';

const DAY_MS = 24 * 3600 * 1000;
const USUAL_DAYS = 7;
const MAX_DAYS = 30;
const CODE = /^[0-9a-f]{48}$/;

export const INVITE_VERBS = {
  createInvite:
    (ports) =>
    async (asker, name, options = {}) => {
      const { role = 'member', days = USUAL_DAYS } = options;

      const own = await needTeam(ports, asker, { name, action: 'invite' });
      const most: Role = own.role === 'owner' ? 'admin' : own.role;
      if (rankOf(role) > rankOf(most)) {
        throw new EngineError('forbidden', `You can invite people with the role ${most} at most.`, {
          hint: 'Ask the owner of the team for a higher role.',
          details: { role, most },
        });
      }
      if (!(days > 0 && days <= MAX_DAYS))
        throw new EngineError('invalid_input', `An invite lasts up to ${MAX_DAYS} days.`, {
          details: { field: 'days' },
        });
      const code = randomBytes(24).toString('hex');
      const now = ports.clock.now();
      const invite: Invite = {
        id: newId('inv_', now),
        sha256: hashToken(code),
        teamId: own.teamId,
        role,
        createdBy: asker.userId,
        createdAt: now,
        expiresAt: now + days * DAY_MS,
        consumedAt: null,
        consumedBy: null,
      };
      await applyChanges(ports.identity, asker, [{ op: 'add_invite', invite }]);
      return { code, invite, team: own.team };
    },
  listInvites: (ports) => async (asker, name) => {
    const { teamId } = await needTeam(ports, asker, { name, action: 'invite' });
    return (await ports.identity.listInvites(teamId)).filter((invite) => isOpen(invite, ports.clock.now()));
  },
  removeInvite: (ports) => async (asker, name, id) => {
    const { teamId } = await needTeam(ports, asker, { name, action: 'invite' });
    const invite = (await ports.identity.listInvites(teamId)).find((one) => one.id === id);
    if (invite === undefined) throw new EngineError('not_found', 'There is no such invite.');
    if (invite.createdBy !== asker.userId) await needTeam(ports, asker, { name, action: 'manage_members' });
    await applyChanges(ports.identity, asker, [{ op: 'remove_invite', id }]);
  },
  peekInvite: (ports) => (code) => peekInvite(ports, code),
  acceptInvite:
    (ports) =>
    async (asker, code, options = {}) =>
      asker === null ? joinAsNewcomer(ports, code, options) : join(ports, asker, code),
} satisfies Partial<AccountVerbs>;

async function peekInvite(
  { identity, clock }: AccountPorts,
  code: string,
): Promise<{ invite: Invite; team: Team } | null> {
  if (!CODE.test(code)) return null;
  const invite = await identity.findInvite(hashToken(code));
  if (invite === null || !isOpen(invite, clock.now())) return null;
  const team = await identity.findTeam({ id: invite.teamId });
  return team === null ? null : { invite, team };
}

async function join(ports: AccountPorts, asker: Caller, code: string): Promise<AcceptedInvite | null> {
  demandScope(asker, 'write');
  demandPerson(asker, 'join teams');
  const found = await peekInvite(ports, code);
  if (found === null) return null;
  const conflict = await tryChanges(ports.identity, asker, joining(found.invite, asker.userId, ports.clock.now()));
  if (conflict !== null) return null;
  return { user: await describeSelf(ports, asker), team: found.team, token: null };
}

/** The person, the token, the membership and the end of the invite are one step: of many at once exactly one gets in, and no half-made people stay behind. */
async function joinAsNewcomer(
  ports: AccountPorts,
  code: string,
  options: { name?: string; email?: string; password?: string },
): Promise<AcceptedInvite | null> {
  const { identity, clock, passwords } = ports;
  const found = await peekInvite(ports, code);
  if (found === null) return null;
  const now = clock.now();
  const id = newId('user_', now);
  const name = options.name?.trim() ? readName(options.name) : `invited-${id.slice(-6)}`;
  const email = options.email === undefined ? null : readEmail(options.email);
  const user: User = { id, name, email, createdAt: now, suspendedAt: null };
  if (options.password !== undefined) {
    checkPasswordRules(options.password, user);
    if (email === null)
      throw new EngineError('invalid_input', 'A password needs an email, because you sign in with it.', {
        details: { field: 'email' },
      });
  }
  const hash = options.password === undefined ? null : await passwords.hash(options.password);
  const { value, token } = createToken({ name: 'joined', userId: id, scopes: ['read', 'write'], now });
  const changes: IdentityChange[] = [
    { op: 'add_user', user },
    ...(hash === null ? [] : [{ op: 'set_password', userId: id, hash } as const]),
    { op: 'add_token', token },
    ...joining(found.invite, id, now),
  ];
  const result = await identity.changeIdentity(changes, id);
  if (result.outcome === 'changed') return { user, team: found.team, token: value };
  if (changes[result.conflict.index]?.op === 'add_user') throw emailTaken();
  return null;
}

/** Whoever is in the team already uses the invite up and keeps their role. */
function joining({ sha256, teamId, role }: Invite, userId: string, at: number): IdentityChange[] {
  return [
    { op: 'consume_invite', sha256, userId, at },
    { op: 'put_member', membership: { teamId, userId, role, joinedAt: at }, unlessMember: true },
  ];
}

function isOpen({ consumedAt, expiresAt }: Invite, now: number): boolean {
  return consumedAt === null && expiresAt > now;
}
