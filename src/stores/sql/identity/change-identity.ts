import type {
  AccessToken,
  Grant,
  IdentityChange,
  IdentityConflict,
  Invite,
  Membership,
  PublicLink,
  Team,
  TeamId,
  User,
  UserId,
} from '../../../model/identity.ts';
import type { Instant, SpaceId } from '../../../model/ids.ts';
import { INVITE_COLUMNS, type LinkRow, TEAM_COLUMNS, TOKEN_COLUMNS, USER_COLUMNS } from '../../rows/identity-rows.ts';
import { exists, find, type Steps, write } from '../statements.ts';

/** Runs inside a write transaction; after a refusal, what was written before it must be rolled back. */
export function* applyIdentityChange(change: IdentityChange): Steps<Applied | Refusal> {
  switch (change.op) {
    case 'add_user':
      return yield* addUser(change.user);
    case 'update_user':
      return yield* updateUser(change);
    case 'remove_user':
      return yield* removeUser(change.id);
    case 'set_password':
      return yield* setPassword(change.userId, change.hash);
    case 'add_token':
      return yield* addToken(change.token);
    case 'revoke_token':
      return yield* revokeToken(change.id, change.at);
    case 'add_team':
      return yield* addTeam(change.team);
    case 'remove_team':
      return yield* removeTeam(change.id);
    case 'transfer_team':
      return yield* transferTeam(change.id, change.to);
    case 'put_member':
      return yield* putMember(change.membership, change.unlessMember ?? false);
    case 'remove_member':
      return yield* removeMember(change);
    case 'add_invite':
      return yield* addInvite(change.invite);
    case 'consume_invite':
      return yield* consumeInvite(change);
    case 'remove_invite':
      return yield* removeInvite(change.id);
    case 'add_grant':
      return ofGrant(change.grant);
    case 'remove_grant':
      return yield* removeGrant(change.grant);
    case 'add_link':
      return yield* addLink(change.link);
    case 'remove_link':
      return yield* removeLink(change.sha256);
  }
}

function* addUser({ id, name, email, createdAt, suspendedAt }: User): Steps<Applied | Refusal> {
  // Ids of people and of teams name spaces: one that stood for both would open a team's space to a stranger.
  if (yield* exists('SELECT 1 FROM teams WHERE id = $1', id)) return 'exists';
  const added = yield* write(
    `INSERT INTO users (${USER_COLUMNS}) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
    id,
    name,
    email,
    createdAt,
    suspendedAt,
  );
  return added === 0 ? 'exists' : ofUser(id);
}

function* updateUser(change: Extract<IdentityChange, { op: 'update_user' }>): Steps<Applied | Refusal> {
  const { id } = change;
  const old = yield* find<{ name: string; email: string | null; suspended_at: Instant | null }>(
    'SELECT name, email, suspended_at FROM users WHERE id = $1',
    id,
  );
  if (old === undefined) return 'missing';
  const { name = old.name, email = old.email, suspendedAt = old.suspended_at } = change;
  if (yield* exists('SELECT 1 FROM users WHERE email = $1 AND id <> $2', email, id)) return 'exists';
  yield* write('UPDATE users SET name = $1, email = $2, suspended_at = $3 WHERE id = $4', name, email, suspendedAt, id);
  return ofUser(id);
}

function* removeUser(id: string): Steps<Applied | Refusal> {
  if (!(yield* exists('SELECT 1 FROM users WHERE id = $1', id))) return 'missing';
  if (yield* exists('SELECT 1 FROM teams WHERE owner_id = $1', id)) return 'owns_team';
  yield* write('DELETE FROM access_tokens WHERE user_id = $1', id);
  yield* write('DELETE FROM memberships WHERE user_id = $1', id);
  yield* write('DELETE FROM oauth_artifacts WHERE user_id = $1', id);
  yield* write('DELETE FROM users WHERE id = $1', id);
  return ofUser(id);
}

function* setPassword(userId: string, hash: string | null): Steps<Applied | Refusal> {
  if (!(yield* exists('SELECT 1 FROM users WHERE id = $1', userId))) return 'missing';
  if (hash === null) yield* write('DELETE FROM passwords WHERE user_id = $1', userId);
  else
    yield* write(
      'INSERT INTO passwords (user_id, hash) VALUES ($1, $2) ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash',
      userId,
      hash,
    );
  return ofUser(userId);
}

function* addToken(token: AccessToken): Steps<Applied | Refusal> {
  const { id, sha256, userId, name, scopes, teamId, agent, createdAt, lastUsedAt, revokedAt, expiresAt } = token;
  if (teamId !== null && !(yield* exists('SELECT 1 FROM teams WHERE id = $1', teamId))) return 'missing';
  const added = yield* write(
    `INSERT INTO access_tokens (${TOKEN_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING`,
    ...[id, sha256, userId, name, JSON.stringify(scopes), teamId, agent, createdAt, lastUsedAt, revokedAt, expiresAt],
  );
  return added === 0 ? 'exists' : ofToken(id, teamId);
}

function* revokeToken(id: string, at: Instant): Steps<Applied | Refusal> {
  const token = yield* find<{ team_id: string | null }>('SELECT team_id FROM access_tokens WHERE id = $1', id);
  if (token === undefined) return 'missing';
  yield* write('UPDATE access_tokens SET revoked_at = coalesce(revoked_at, $1) WHERE id = $2', at, id);
  return ofToken(id, token.team_id);
}

function* removeGrant(grant: Grant): Steps<Applied | Refusal> {
  const tokens = yield* write('DELETE FROM oauth_artifacts WHERE grant_id = $1', grant.id);
  const grants = yield* write("DELETE FROM oauth_artifacts WHERE model = 'Grant' AND id = $1", grant.id);
  return tokens + grants === 0 ? 'missing' : ofGrant(grant);
}

function* addLink({ sha256, space, recordId, createdAt }: PublicLink): Steps<Applied | Refusal> {
  const added = yield* write(
    'INSERT INTO public_links (sha256, space_id, record_id, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    ...[sha256, space, recordId, createdAt],
  );
  return added === 0 ? 'exists' : ofLink(recordId, yield* findTeamOf(space));
}

function* removeLink(sha256: string): Steps<Applied | Refusal> {
  const link = yield* find<LinkRow>('SELECT space_id, record_id FROM public_links WHERE sha256 = $1', sha256);
  if (link === undefined) return 'missing';
  yield* write('DELETE FROM public_links WHERE sha256 = $1', sha256);
  return ofLink(link.record_id, yield* findTeamOf(link.space_id));
}

function* findTeamOf(space: SpaceId): Steps<TeamId | null> {
  return (yield* exists('SELECT 1 FROM teams WHERE id = $1', space)) ? space : null;
}

/** What the audit log says of a change that was applied. */
interface Applied {
  subject: string;
  teamId: TeamId | null;
}
type Refusal = IdentityConflict['reason'];

function ofUser(id: UserId): Applied {
  return { subject: `user:${id}`, teamId: null };
}

function ofMember(userId: UserId, teamId: TeamId): Applied {
  return { subject: `user:${userId}`, teamId };
}

function ofTeam(id: TeamId): Applied {
  return { subject: `team:${id}`, teamId: id };
}

function ofToken(id: string, teamId: TeamId | null): Applied {
  return { subject: `token:${id}`, teamId };
}

function ofInvite(id: string, teamId: TeamId): Applied {
  return { subject: `invite:${id}`, teamId };
}

function ofGrant({ id, teamId }: Grant): Applied {
  return { subject: `grant:${id}`, teamId };
}

/** Named by its record: the link's hash means nothing to anybody who reads the log. */
function ofLink(recordId: string, teamId: TeamId | null): Applied {
  return { subject: `link:${recordId}`, teamId };
}

function* findOwner(team: TeamId): Steps<UserId | undefined> {
  return (yield* find<{ owner_id: UserId }>('SELECT owner_id FROM teams WHERE id = $1', team))?.owner_id;
}

function* addTeam({ id, name, ownerId, createdAt }: Team): Steps<Applied | Refusal> {
  if (yield* exists('SELECT 1 FROM users WHERE id = $1', id)) return 'exists';
  const added = yield* write(
    `INSERT INTO teams (${TEAM_COLUMNS}) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
    id,
    name,
    ownerId,
    createdAt,
  );
  if (added === 0) return 'exists';
  yield* write(
    "INSERT INTO memberships (team_id, user_id, role, joined_at) VALUES ($1, $2, 'owner', $3)",
    id,
    ownerId,
    createdAt,
  );
  return ofTeam(id);
}

/** Memberships, invites and tokens go with the team's row. */
function* removeTeam(id: TeamId): Steps<Applied | Refusal> {
  yield* write('DELETE FROM public_links WHERE space_id = (SELECT id FROM teams WHERE id = $1)', id);
  return (yield* write('DELETE FROM teams WHERE id = $1', id)) === 0 ? 'missing' : ofTeam(id);
}

function* transferTeam(id: TeamId, to: UserId): Steps<Applied | Refusal> {
  const owner = yield* findOwner(id);
  if (owner === undefined) return 'missing';
  if (!(yield* exists('SELECT 1 FROM memberships WHERE team_id = $1 AND user_id = $2', id, to))) return 'missing';
  yield* write("UPDATE memberships SET role = 'admin' WHERE team_id = $1 AND user_id = $2", id, owner);
  yield* write("UPDATE memberships SET role = 'owner' WHERE team_id = $1 AND user_id = $2", id, to);
  yield* write('UPDATE teams SET owner_id = $1 WHERE id = $2', to, id);
  return ofTeam(id);
}

/** A team has one owner, who changes by transfer alone. */
function* putMember({ teamId, userId, role, joinedAt }: Membership, unlessMember: boolean): Steps<Applied | Refusal> {
  const owner = yield* findOwner(teamId);
  if (owner === undefined) return 'missing';
  const applied = ofMember(userId, teamId);
  const isMember = yield* exists('SELECT 1 FROM memberships WHERE team_id = $1 AND user_id = $2', teamId, userId);
  if (isMember && unlessMember) return applied;
  if (owner === userId && role !== 'owner') return 'owns_team';
  if (owner !== userId && role === 'owner') return 'exists';
  yield* write(
    'INSERT INTO memberships (team_id, user_id, role, joined_at) VALUES ($1, $2, $3, $4) ON CONFLICT (team_id, user_id) DO UPDATE SET role = excluded.role',
    ...[teamId, userId, role, joinedAt],
  );
  return applied;
}

function* removeMember({
  teamId,
  userId,
  at,
}: Extract<IdentityChange, { op: 'remove_member' }>): Steps<Applied | Refusal> {
  if ((yield* findOwner(teamId)) === userId) return 'owns_team';
  if ((yield* write('DELETE FROM memberships WHERE team_id = $1 AND user_id = $2', teamId, userId)) === 0)
    return 'missing';
  yield* write(
    'UPDATE access_tokens SET revoked_at = coalesce(revoked_at, $1) WHERE team_id = $2 AND user_id = $3',
    at,
    teamId,
    userId,
  );
  return ofMember(userId, teamId);
}

function* addInvite(invite: Invite): Steps<Applied | Refusal> {
  const { id, sha256, teamId, role, createdBy, createdAt, expiresAt, consumedAt, consumedBy } = invite;
  if ((yield* findOwner(teamId)) === undefined) return 'missing';
  const added = yield* write(
    `INSERT INTO invites (${INVITE_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
    ...[id, sha256, teamId, role, createdBy, createdAt, expiresAt, consumedAt, consumedBy],
  );
  return added === 0 ? 'exists' : ofInvite(id, teamId);
}

function* consumeInvite(change: Extract<IdentityChange, { op: 'consume_invite' }>): Steps<Applied | Refusal> {
  const { sha256, userId, at } = change;
  const consumed = yield* write(
    'UPDATE invites SET consumed_at = $1, consumed_by = $2 WHERE sha256 = $3 AND consumed_at IS NULL AND expires_at > $4',
    ...[at, userId, sha256, at],
  );
  const invite = yield* find<{ id: string; team_id: TeamId }>(
    'SELECT id, team_id FROM invites WHERE sha256 = $1',
    sha256,
  );
  return consumed === 0 || invite === undefined ? 'gone' : ofInvite(invite.id, invite.team_id);
}

function* removeInvite(id: string): Steps<Applied | Refusal> {
  const invite = yield* find<{ team_id: TeamId }>('SELECT team_id FROM invites WHERE id = $1', id);
  if (invite === undefined) return 'missing';
  yield* write('DELETE FROM invites WHERE id = $1', id);
  return ofInvite(id, invite.team_id);
}
