import type { AccessToken, Grant, IdentityChange, PublicLink, TeamId, User } from '../../../model/identity.ts';
import type { Instant, SpaceId } from '../../../model/ids.ts';
import { type LinkRow, TOKEN_COLUMNS, USER_COLUMNS } from '../../rows/identity-rows.ts';
import { exists, find, type Steps, write } from '../statements.ts';
import { type Applied, ofGrant, ofLink, ofToken, ofUser, type Refusal } from './audit-subject.ts';
import {
  addInvite,
  addTeam,
  consumeInvite,
  putMember,
  removeInvite,
  removeMember,
  removeTeam,
  transferTeam,
} from './change-teams.ts';

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
