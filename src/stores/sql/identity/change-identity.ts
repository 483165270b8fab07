import type { IdentityChange, IdentityConflict, TeamId, UserId } from '../../../model/identity.ts';
import type { Instant, SpaceId } from '../../../model/ids.ts';
import { sha256Of } from '../../../model/sha256.ts';
import { exists, find, type Steps, write } from '../statements.ts';
import { addRow, INVITES, LINKS, REMOVALS, TEAMS, TOKENS, USERS } from './identity-tables.ts';

/** What the audit log says of a change that was applied. */
interface Applied {
  subject: string;
  teamId: TeamId | null;
}

type Outcome = Steps<Applied | IdentityConflict['reason']>;
type Of<Op extends IdentityChange['op']> = Extract<IdentityChange, { op: Op }>;

/** Who makes a change, and when. */
interface Making {
  actor: string;
  now: Instant;
}

const APPLIERS: { [Op in Exclude<IdentityChange['op'], 'add_grant'>]: (change: Of<Op>, making: Making) => Outcome } = {
  add_user: addUser,
  update_user: updateUser,
  remove_user: removeUser,
  purge_user: purgeUser,
  set_password: setPassword,
  add_token: addToken,
  revoke_token: revokeToken,
  add_team: addTeam,
  remove_team: removeTeam,
  transfer_team: transferTeam,
  put_member: putMember,
  remove_member: removeMember,
  add_invite: addInvite,
  consume_invite: consumeInvite,
  remove_invite: removeInvite,
  remove_grant: removeGrant,
  add_link: addLink,
  remove_link: removeLink,
};

/** Runs inside a write transaction; after a refusal, what was written before it must be rolled back. */
export function* applyIdentityChange(change: IdentityChange, making: Making): Outcome {
  if (change.op === 'add_grant') return of('grant', change.grant.id, change.grant.teamId);
  // The compiler does not follow that the table's entry for an op takes the changes of that op.
  const apply: (change: never, making: Making) => Outcome = APPLIERS[change.op];
  return yield* apply(change as never, making);
}

/** A link is named by its record: its hash means nothing to anybody who reads the log. */
function of(what: 'user' | 'team' | 'token' | 'invite' | 'grant' | 'link', id: string, teamId: TeamId | null): Applied {
  return { subject: `${what}:${id}`, teamId };
}

function* addUser({ user }: Of<'add_user'>): Outcome {
  // Ids of people and of teams name spaces: one that stood for both would open a team's space to a stranger.
  if (yield* exists('SELECT 1 FROM teams WHERE id = $1', user.id)) return 'exists';
  if (yield* exists('SELECT 1 FROM removals WHERE id = $1 AND purge_asked_at IS NOT NULL', user.id)) return 'removed';
  yield* write('DELETE FROM removals WHERE id = $1', user.id);
  return (yield* addRow(USERS, user)) === 0 ? 'exists' : of('user', user.id, null);
}

function* updateUser(change: Of<'update_user'>): Outcome {
  const { id } = change;
  const old = yield* find<{ name: string; email: string | null; suspended_at: Instant | null }>(
    'SELECT name, email, suspended_at FROM users WHERE id = $1',
    id,
  );
  if (old === undefined) return 'missing';
  const { name = old.name, email = old.email, suspendedAt = old.suspended_at } = change;
  if (yield* exists('SELECT 1 FROM users WHERE email = $1 AND id <> $2', email, id)) return 'exists';
  yield* write('UPDATE users SET name = $1, email = $2, suspended_at = $3 WHERE id = $4', name, email, suspendedAt, id);
  return of('user', id, null);
}

/** Told apart without keeping it: whoever reads the database learns no address of somebody who is gone. */
export function hashEmail(email: string): string {
  return sha256Of(email.normalize('NFC').trim().toLowerCase());
}

function* isRemoved(id: UserId): Steps<boolean> {
  return yield* exists('SELECT 1 FROM removals WHERE id = $1', id);
}

function* addRemoval(what: 'team' | 'user', id: string, { actor, now }: Making, email: string | null): Steps<void> {
  const open = { purgeAskedAt: null, emptiedAt: null, doneAt: null };
  const emailSha256 = email === null ? null : hashEmail(email);
  yield* addRow(REMOVALS, { id, what, removedAt: now, removedBy: actor, ...open, emailSha256 });
}

function* removeUser({ id }: Of<'remove_user'>, making: Making): Outcome {
  const user = yield* find<{ email: string | null }>('SELECT email FROM users WHERE id = $1', id);
  if (user === undefined) return 'missing';
  if (yield* exists('SELECT 1 FROM teams WHERE owner_id = $1', id)) return 'owns_team';
  for (const table of ['access_tokens', 'memberships', 'oauth_artifacts'])
    yield* write(`DELETE FROM ${table} WHERE user_id = $1`, id);
  yield* write('DELETE FROM public_links WHERE user_id = $1 OR space_id = $1', id);
  yield* write('DELETE FROM invites WHERE created_by = $1 AND consumed_at IS NULL', id);
  yield* write('DELETE FROM users WHERE id = $1', id);
  yield* addRemoval('user', id, making, user.email);
  return of('user', id, null);
}

/** The first time counts; asked again, what was stored meanwhile is looked for again. */
function* purgeUser({ id }: Of<'purge_user'>, { now }: Making): Outcome {
  const asked = yield* write(
    "UPDATE removals SET purge_asked_at = coalesce(purge_asked_at, $2), done_at = NULL WHERE id = $1 AND what = 'user'",
    id,
    now,
  );
  return asked === 0 ? 'missing' : of('user', id, null);
}

function* setPassword({ userId, hash }: Of<'set_password'>): Outcome {
  if (!(yield* exists('SELECT 1 FROM users WHERE id = $1', userId))) return 'missing';
  if (hash === null) yield* write('DELETE FROM passwords WHERE user_id = $1', userId);
  else
    yield* write(
      'INSERT INTO passwords (user_id, hash) VALUES ($1, $2) ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash',
      userId,
      hash,
    );
  return of('user', userId, null);
}

function* addToken({ token }: Of<'add_token'>): Outcome {
  const { id, teamId, userId } = token;
  if (yield* isRemoved(userId)) return 'removed';
  if (teamId !== null && !(yield* exists('SELECT 1 FROM teams WHERE id = $1', teamId))) return 'missing';
  return (yield* addRow(TOKENS, token)) === 0 ? 'exists' : of('token', id, teamId);
}

function* revokeToken({ id, at }: Of<'revoke_token'>): Outcome {
  const token = yield* find<{ team_id: string | null }>('SELECT team_id FROM access_tokens WHERE id = $1', id);
  if (token === undefined) return 'missing';
  yield* write('UPDATE access_tokens SET revoked_at = coalesce(revoked_at, $1) WHERE id = $2', at, id);
  return of('token', id, token.team_id);
}

function* findOwner(team: TeamId): Steps<UserId | undefined> {
  return (yield* find<{ owner_id: UserId }>('SELECT owner_id FROM teams WHERE id = $1', team))?.owner_id;
}

function* addTeam({ team }: Of<'add_team'>): Outcome {
  const { id, ownerId, createdAt } = team;
  if (yield* exists('SELECT 1 FROM users WHERE id = $1', id)) return 'exists';
  if ((yield* addRow(TEAMS, team)) === 0) return 'exists';
  yield* write(
    "INSERT INTO memberships (team_id, user_id, role, joined_at) VALUES ($1, $2, 'owner', $3)",
    id,
    ownerId,
    createdAt,
  );
  return of('team', id, id);
}

/** Memberships, invites and tokens go with the team's row. */
function* removeTeam({ id }: Of<'remove_team'>, making: Making): Outcome {
  yield* write('DELETE FROM public_links WHERE space_id = (SELECT id FROM teams WHERE id = $1)', id);
  if ((yield* write('DELETE FROM teams WHERE id = $1', id)) === 0) return 'missing';
  yield* addRemoval('team', id, making, null);
  return of('team', id, id);
}

function* transferTeam({ id, to }: Of<'transfer_team'>): Outcome {
  const owner = yield* findOwner(id);
  if (owner === undefined) return 'missing';
  if (!(yield* exists('SELECT 1 FROM memberships WHERE team_id = $1 AND user_id = $2', id, to))) return 'missing';
  yield* write("UPDATE memberships SET role = 'admin' WHERE team_id = $1 AND user_id = $2", id, owner);
  yield* write("UPDATE memberships SET role = 'owner' WHERE team_id = $1 AND user_id = $2", id, to);
  yield* write('UPDATE teams SET owner_id = $1 WHERE id = $2', to, id);
  return of('team', id, id);
}

/** A team has one owner, who changes by transfer alone. */
function* putMember({ membership, unlessMember = false }: Of<'put_member'>): Outcome {
  const { teamId, userId, role, joinedAt } = membership;
  const owner = yield* findOwner(teamId);
  if (owner === undefined) return 'missing';
  if (yield* isRemoved(userId)) return 'removed';
  const applied = of('user', userId, teamId);
  const isMember = yield* exists('SELECT 1 FROM memberships WHERE team_id = $1 AND user_id = $2', teamId, userId);
  if (isMember && unlessMember) return applied;
  if (owner === userId && role !== 'owner') return 'owns_team';
  if (owner !== userId && role === 'owner') return 'exists';
  yield* write(
    'INSERT INTO memberships (team_id, user_id, role, joined_at) VALUES ($1, $2, $3, $4) ON CONFLICT (team_id, user_id) DO UPDATE SET role = excluded.role',
    teamId,
    userId,
    role,
    joinedAt,
  );
  return applied;
}

function* removeMember({ teamId, userId, at }: Of<'remove_member'>): Outcome {
  if ((yield* findOwner(teamId)) === userId) return 'owns_team';
  if ((yield* write('DELETE FROM memberships WHERE team_id = $1 AND user_id = $2', teamId, userId)) === 0)
    return 'missing';
  yield* write(
    'UPDATE access_tokens SET revoked_at = coalesce(revoked_at, $1) WHERE team_id = $2 AND user_id = $3',
    at,
    teamId,
    userId,
  );
  return of('user', userId, teamId);
}

function* addInvite({ invite }: Of<'add_invite'>): Outcome {
  const { id, teamId } = invite;
  if ((yield* findOwner(teamId)) === undefined) return 'missing';
  return (yield* addRow(INVITES, invite)) === 0 ? 'exists' : of('invite', id, teamId);
}

function* consumeInvite({ sha256, userId, at }: Of<'consume_invite'>): Outcome {
  const consumed = yield* write(
    `UPDATE invites SET consumed_at = $1, consumed_by = $2 WHERE sha256 = $3 AND consumed_at IS NULL AND expires_at > $4
       AND NOT EXISTS (SELECT 1 FROM users WHERE users.id = invites.created_by AND users.suspended_at IS NOT NULL)`,
    at,
    userId,
    sha256,
    at,
  );
  const sql = 'SELECT id, team_id FROM invites WHERE sha256 = $1';
  const invite = yield* find<{ id: string; team_id: TeamId }>(sql, sha256);
  return consumed === 0 || invite === undefined ? 'gone' : of('invite', invite.id, invite.team_id);
}

function* removeInvite({ id }: Of<'remove_invite'>): Outcome {
  const invite = yield* find<{ team_id: TeamId }>('SELECT team_id FROM invites WHERE id = $1', id);
  if (invite === undefined) return 'missing';
  yield* write('DELETE FROM invites WHERE id = $1', id);
  return of('invite', id, invite.team_id);
}

function* removeGrant({ grant: { id, teamId } }: Of<'remove_grant'>): Outcome {
  const tokens = yield* write('DELETE FROM oauth_artifacts WHERE grant_id = $1', id);
  const grants = yield* write("DELETE FROM oauth_artifacts WHERE model = 'Grant' AND id = $1", id);
  return tokens + grants === 0 ? 'missing' : of('grant', id, teamId);
}

function* addLink({ link }: Of<'add_link'>): Outcome {
  return (yield* addRow(LINKS, link)) === 0 ? 'exists' : of('link', link.recordId, yield* findTeamOf(link.space));
}

function* removeLink({ sha256 }: Of<'remove_link'>): Outcome {
  const sql = 'SELECT space_id, record_id FROM public_links WHERE sha256 = $1';
  const link = yield* find<{ space_id: SpaceId; record_id: string }>(sql, sha256);
  if (link === undefined) return 'missing';
  yield* write('DELETE FROM public_links WHERE sha256 = $1', sha256);
  return of('link', link.record_id, yield* findTeamOf(link.space_id));
}

function* findTeamOf(space: SpaceId): Steps<TeamId | null> {
  return (yield* exists('SELECT 1 FROM teams WHERE id = $1', space)) ? space : null;
}
