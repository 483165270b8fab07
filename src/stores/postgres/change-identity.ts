import type { AccessToken, Grant, IdentityChange, IdentityConflict, IdentityOutcome, PublicLink, TeamId, User } from '../../model/identity.ts';
import type { Instant } from '../../model/ids.ts';
import { type LinkRow, TOKEN_COLUMNS, USER_COLUMNS } from '../sqlite/identity-rows.ts';
import { addInvite, addTeam, consumeInvite, putMember, removeInvite, removeMember, removeTeam, transferTeam } from './change-teams.ts';
import type { Session, Value } from './database.ts';

/** What the audit log says of a change that was applied. */
export interface Applied {
  subject: string;
  teamId: TeamId | null;
}
export type Refusal = IdentityConflict['reason'];

export interface IdentityWork {
  /** Writes with one statement; returns how many rows changed. */
  write(sql: string, ...values: Value[]): Promise<number>;
  find<Row>(sql: string, ...values: Value[]): Promise<Row | undefined>;
}

export interface IdentityRequest {
  changes: readonly IdentityChange[];
  actor: string;
  now: Instant;
  /** The same at each try: by it a try knows that an earlier one was committed although its connection broke. */
  changeId: string;
}

/** "lwho": changes of identities stand in line here, so that their audit log has no gaps and each sees what the one before it did. */
const LOCK = 0x6c77686f;

/** Runs inside a write transaction. */
export async function applyIdentityChanges(session: Session, schema: string, request: IdentityRequest): Promise<IdentityOutcome> {
  const { changes, actor, now, changeId } = request;
  const work: IdentityWork = {
    write: async (sql, ...values) => (await session.query(sql, values)).count,
    find: async <Row>(sql: string, ...values: Value[]) => (await session.query<Row>(sql, values)).rows[0],
  };
  await work.find('SELECT pg_advisory_xact_lock($1::int, hashtext($2))', LOCK, schema);
  if ((await work.find('SELECT 1 FROM audit WHERE change_id = $1', changeId)) !== undefined) return { outcome: 'changed' };
  let seq = (await work.find<{ last: number | null }>('SELECT max(seq) AS last FROM audit'))?.last ?? 0;
  session.send('SAVEPOINT changes');
  for (const [index, change] of changes.entries()) {
    const applied = await applyIdentityChange(work, change);
    if (typeof applied === 'string') {
      session.send('ROLLBACK TO SAVEPOINT changes');
      return { outcome: 'conflict', conflict: { index, reason: applied } };
    }
    const { subject, teamId } = applied;
    session.send('INSERT INTO audit (seq, at, actor, op, subject, team_id, change_id) VALUES ($1, $2, $3, $4, $5, $6, $7)', [
      ...[++seq, now, actor, change.op, subject, teamId, changeId],
    ]);
  }
  return { outcome: 'changed' };
}

async function applyIdentityChange(work: IdentityWork, change: IdentityChange): Promise<Applied | Refusal> {
  switch (change.op) {
    case 'add_user':
      return addUser(work, change.user);
    case 'update_user':
      return updateUser(work, change);
    case 'remove_user':
      return removeUser(work, change.id);
    case 'set_password':
      return setPassword(work, change.userId, change.hash);
    case 'add_token':
      return addToken(work, change.token);
    case 'revoke_token':
      return revokeToken(work, change.id, change.at);
    case 'add_team':
      return addTeam(work, change.team);
    case 'remove_team':
      return removeTeam(work, change.id);
    case 'transfer_team':
      return transferTeam(work, change.id, change.to);
    case 'put_member':
      return putMember(work, change.membership, change.unlessMember ?? false);
    case 'remove_member':
      return removeMember(work, change);
    case 'add_invite':
      return addInvite(work, change.invite);
    case 'consume_invite':
      return consumeInvite(work, change);
    case 'remove_invite':
      return removeInvite(work, change.id);
    case 'add_grant':
      return ofGrant(change.grant);
    case 'remove_grant':
      return removeGrant(work, change.grant);
    case 'add_link':
      return addLink(work, change.link);
    case 'remove_link':
      return removeLink(work, change.sha256);
  }
}

function ofUser(id: string): Applied {
  return { subject: `user:${id}`, teamId: null };
}

async function addUser({ write, find }: IdentityWork, { id, name, email, createdAt, suspendedAt }: User): Promise<Applied | Refusal> {
  // Ids of people and of teams name spaces: one that stood for both would open a team's space to a stranger.
  if ((await find('SELECT 1 FROM teams WHERE id = $1', id)) !== undefined) return 'exists';
  const added = await write(`INSERT INTO users (${USER_COLUMNS}) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`, id, name, email, createdAt, suspendedAt);
  return added === 0 ? 'exists' : ofUser(id);
}

async function updateUser({ write, find }: IdentityWork, change: Extract<IdentityChange, { op: 'update_user' }>): Promise<Applied | Refusal> {
  const { id } = change;
  const old = await find<{ name: string; email: string | null; suspended_at: Instant | null }>('SELECT name, email, suspended_at FROM users WHERE id = $1', id);
  if (old === undefined) return 'missing';
  const { name = old.name, email = old.email, suspendedAt = old.suspended_at } = change;
  if ((await find('SELECT 1 FROM users WHERE email = $1 AND id <> $2', email, id)) !== undefined) return 'exists';
  await write('UPDATE users SET name = $1, email = $2, suspended_at = $3 WHERE id = $4', name, email, suspendedAt, id);
  return ofUser(id);
}

async function removeUser({ write, find }: IdentityWork, id: string): Promise<Applied | Refusal> {
  if ((await find('SELECT 1 FROM users WHERE id = $1', id)) === undefined) return 'missing';
  if ((await find('SELECT 1 FROM teams WHERE owner_id = $1', id)) !== undefined) return 'owns_team';
  await write('DELETE FROM access_tokens WHERE user_id = $1', id);
  await write('DELETE FROM memberships WHERE user_id = $1', id);
  await write('DELETE FROM oauth_artifacts WHERE user_id = $1', id);
  await write('DELETE FROM users WHERE id = $1', id);
  return ofUser(id);
}

async function setPassword({ write, find }: IdentityWork, userId: string, hash: string | null): Promise<Applied | Refusal> {
  if ((await find('SELECT 1 FROM users WHERE id = $1', userId)) === undefined) return 'missing';
  if (hash === null) await write('DELETE FROM passwords WHERE user_id = $1', userId);
  else await write('INSERT INTO passwords (user_id, hash) VALUES ($1, $2) ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash', userId, hash);
  return ofUser(userId);
}

async function addToken({ write, find }: IdentityWork, token: AccessToken): Promise<Applied | Refusal> {
  const { id, sha256, userId, name, scopes, teamId, agent, createdAt, lastUsedAt, revokedAt, expiresAt } = token;
  if (teamId !== null && (await find('SELECT 1 FROM teams WHERE id = $1', teamId)) === undefined) return 'missing';
  const added = await write(
    `INSERT INTO access_tokens (${TOKEN_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING`,
    ...[id, sha256, userId, name, JSON.stringify(scopes), teamId, agent, createdAt, lastUsedAt, revokedAt, expiresAt],
  );
  return added === 0 ? 'exists' : { subject: `token:${id}`, teamId };
}

async function revokeToken({ write, find }: IdentityWork, id: string, at: Instant): Promise<Applied | Refusal> {
  const token = await find<{ team_id: string | null }>('SELECT team_id FROM access_tokens WHERE id = $1', id);
  if (token === undefined) return 'missing';
  await write('UPDATE access_tokens SET revoked_at = coalesce(revoked_at, $1) WHERE id = $2', at, id);
  return { subject: `token:${id}`, teamId: token.team_id };
}

function ofGrant({ id, teamId }: Grant): Applied {
  return { subject: `grant:${id}`, teamId };
}

async function removeGrant({ write }: IdentityWork, grant: Grant): Promise<Applied | Refusal> {
  const tokens = await write('DELETE FROM oauth_artifacts WHERE grant_id = $1', grant.id);
  const grants = await write("DELETE FROM oauth_artifacts WHERE model = 'Grant' AND id = $1", grant.id);
  return tokens + grants === 0 ? 'missing' : ofGrant(grant);
}

async function addLink(work: IdentityWork, { sha256, space, recordId, createdAt }: PublicLink): Promise<Applied | Refusal> {
  const added = await work.write(
    'INSERT INTO public_links (sha256, space_id, record_id, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    ...[sha256, space, recordId, createdAt],
  );
  return added === 0 ? 'exists' : ofLink(work, space, recordId);
}

async function removeLink(work: IdentityWork, sha256: string): Promise<Applied | Refusal> {
  const link = await work.find<LinkRow>('SELECT space_id, record_id FROM public_links WHERE sha256 = $1', sha256);
  if (link === undefined) return 'missing';
  await work.write('DELETE FROM public_links WHERE sha256 = $1', sha256);
  return ofLink(work, link.space_id, link.record_id);
}

/** Named by its record: the link's hash means nothing to anybody who reads the log. */
async function ofLink({ find }: IdentityWork, space: string, recordId: string): Promise<Applied> {
  const isTeam = (await find('SELECT 1 FROM teams WHERE id = $1', space)) !== undefined;
  return { subject: `link:${recordId}`, teamId: isTeam ? space : null };
}
