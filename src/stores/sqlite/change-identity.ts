import type { SQLInputValue } from 'node:sqlite';
import type { AccessToken, Grant, IdentityChange, IdentityConflict, IdentityOutcome, PublicLink, TeamId, User } from '../../model/identity.ts';
import type { Instant } from '../../model/ids.ts';
import { addInvite, addTeam, consumeInvite, putMember, removeInvite, removeMember, removeTeam, transferTeam } from './change-teams.ts';
import type { Connection } from './connection.ts';
import { type LinkRow, TOKEN_COLUMNS, USER_COLUMNS } from './identity-rows.ts';
import type { Verdict } from './writer-queue.ts';

/** What the audit log says of a change that was applied. */
export interface Applied {
  subject: string;
  teamId: TeamId | null;
}
export type Refusal = IdentityConflict['reason'];

/** Writes with one statement; returns how many rows changed. */
export type Write = (sql: string, ...values: SQLInputValue[]) => number;
export interface IdentityWork {
  write: Write;
  find<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined;
}

/** Runs inside a write transaction, which keeps all of it or nothing. */
export function applyIdentityChanges(
  connection: Connection,
  changes: readonly IdentityChange[],
  { actor, now }: { actor: string; now: Instant },
): Verdict<IdentityOutcome> {
  const work: IdentityWork = {
    write: (sql, ...values) => Number(connection.statement(sql).run(...values).changes),
    find: <Row>(sql: string, ...values: SQLInputValue[]) => connection.statement(sql).get(...values) as Row | undefined,
  };
  for (const [index, change] of changes.entries()) {
    const applied = applyIdentityChange(work, change);
    if (typeof applied === 'string') return { keep: false, value: { outcome: 'conflict', conflict: { index, reason: applied } } };
    const { subject, teamId } = applied;
    work.write('INSERT INTO audit (at, actor, op, subject, team_id) VALUES (?, ?, ?, ?, ?)', now, actor, change.op, subject, teamId);
  }
  return { keep: true, value: { outcome: 'changed' } };
}

function applyIdentityChange(work: IdentityWork, change: IdentityChange): Applied | Refusal {
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

function addUser({ write, find }: IdentityWork, { id, name, email, createdAt, suspendedAt }: User): Applied | Refusal {
  // Ids of people and of teams name spaces: one that stood for both would open a team's space to a stranger.
  if (find('SELECT 1 FROM teams WHERE id = ?', id) !== undefined) return 'exists';
  const added = write(`INSERT INTO users (${USER_COLUMNS}) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`, id, name, email, createdAt, suspendedAt);
  return added === 0 ? 'exists' : ofUser(id);
}

function updateUser({ write, find }: IdentityWork, change: Extract<IdentityChange, { op: 'update_user' }>): Applied | Refusal {
  const { id } = change;
  const old = find<{ name: string; email: string | null; suspended_at: Instant | null }>('SELECT name, email, suspended_at FROM users WHERE id = ?', id);
  if (old === undefined) return 'missing';
  const { name = old.name, email = old.email, suspendedAt = old.suspended_at } = change;
  const updated = write('UPDATE OR IGNORE users SET name = ?, email = ?, suspended_at = ? WHERE id = ?', name, email, suspendedAt, id);
  return updated === 0 ? 'exists' : ofUser(id);
}

function removeUser({ write, find }: IdentityWork, id: string): Applied | Refusal {
  if (find('SELECT 1 FROM users WHERE id = ?', id) === undefined) return 'missing';
  if (find('SELECT 1 FROM teams WHERE owner_id = ?', id) !== undefined) return 'owns_team';
  write('DELETE FROM access_tokens WHERE user_id = ?', id);
  write('DELETE FROM memberships WHERE user_id = ?', id);
  write('DELETE FROM oauth_artifacts WHERE user_id = ?', id);
  write('DELETE FROM users WHERE id = ?', id);
  return ofUser(id);
}

function setPassword({ write, find }: IdentityWork, userId: string, hash: string | null): Applied | Refusal {
  if (find('SELECT 1 FROM users WHERE id = ?', userId) === undefined) return 'missing';
  if (hash === null) write('DELETE FROM passwords WHERE user_id = ?', userId);
  else write('INSERT INTO passwords (user_id, hash) VALUES (?, ?) ON CONFLICT DO UPDATE SET hash = excluded.hash', userId, hash);
  return ofUser(userId);
}

function addToken({ write, find }: IdentityWork, token: AccessToken): Applied | Refusal {
  const { id, sha256, userId, name, scopes, teamId, agent, createdAt, lastUsedAt, revokedAt, expiresAt } = token;
  if (teamId !== null && find('SELECT 1 FROM teams WHERE id = ?', teamId) === undefined) return 'missing';
  const added = write(
    `INSERT INTO access_tokens (${TOKEN_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    ...[id, sha256, userId, name, JSON.stringify(scopes), teamId, agent, createdAt, lastUsedAt, revokedAt, expiresAt],
  );
  return added === 0 ? 'exists' : { subject: `token:${id}`, teamId };
}

function revokeToken({ write, find }: IdentityWork, id: string, at: Instant): Applied | Refusal {
  const token = find<{ team_id: string | null }>('SELECT team_id FROM access_tokens WHERE id = ?', id);
  if (token === undefined) return 'missing';
  write('UPDATE access_tokens SET revoked_at = ifnull(revoked_at, ?) WHERE id = ?', at, id);
  return { subject: `token:${id}`, teamId: token.team_id };
}

function ofGrant({ id, teamId }: Grant): Applied {
  return { subject: `grant:${id}`, teamId };
}

function removeGrant({ write }: IdentityWork, grant: Grant): Applied | Refusal {
  const ended =
    write('DELETE FROM oauth_artifacts WHERE grant_id = ?', grant.id) + write("DELETE FROM oauth_artifacts WHERE model = 'Grant' AND id = ?", grant.id);
  return ended === 0 ? 'missing' : ofGrant(grant);
}

function addLink(work: IdentityWork, { sha256, space, recordId, createdAt }: PublicLink): Applied | Refusal {
  const added = work.write(
    'INSERT INTO public_links (sha256, space_id, record_id, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    ...[sha256, space, recordId, createdAt],
  );
  return added === 0 ? 'exists' : ofLink(work, space, recordId);
}

function removeLink(work: IdentityWork, sha256: string): Applied | Refusal {
  const link = work.find<LinkRow>('SELECT space_id, record_id FROM public_links WHERE sha256 = ?', sha256);
  if (link === undefined) return 'missing';
  work.write('DELETE FROM public_links WHERE sha256 = ?', sha256);
  return ofLink(work, link.space_id, link.record_id);
}

/** Named by its record: the link's hash means nothing to anybody who reads the log. */
function ofLink({ find }: IdentityWork, space: string, recordId: string): Applied {
  const isTeam = find('SELECT 1 FROM teams WHERE id = ?', space) !== undefined;
  return { subject: `link:${recordId}`, teamId: isTeam ? space : null };
}
