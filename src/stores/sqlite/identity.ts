import type { SQLInputValue } from 'node:sqlite';
import type { IdentityStore } from '../../auth/ports.ts';
import type { Clock } from '../../engine/ports.ts';
import { applyIdentityChanges } from './change-identity.ts';
import type { Connection } from './connection.ts';
import {
  INVITE_COLUMNS,
  type MembershipRow,
  TEAM_COLUMNS,
  type TeamRow,
  toAuditEntry,
  toInvite,
  toLink,
  toMembership,
  toTeam,
  toUser,
  USER_COLUMNS,
  type UserRow,
} from './identity-rows.ts';
import { retryWhileBusy } from './retry-while-busy.ts';
import { createTokenStore } from './tokens.ts';
import type { WriterQueue } from './writer-queue.ts';

export function createIdentityStore(connection: Connection, queue: WriterQueue, clock: Clock): IdentityStore {
  return {
    changeIdentity: (changes, actor) => queue.write(() => applyIdentityChanges(connection, changes, { actor, now: clock.now() }), { weight: changes.length }),
    ...createTokenStore(connection, queue),
    ...readingMethods(connection),
    async keepSecret(name, value) {
      const read = () => connection.statement('SELECT value FROM server_secrets WHERE name = ?').get(name)?.value;
      const kept = await retryWhileBusy(read);
      if (kept !== undefined) return String(kept);
      return queue.write(() => {
        connection.statement('INSERT INTO server_secrets (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING').run(name, value);
        return { keep: true, value: String(read()) };
      });
    },
  };
}

type Reading = Exclude<keyof IdentityStore, 'changeIdentity' | 'keepSecret' | 'findToken' | 'listTokens' | 'touchToken'>;

function readingMethods(connection: Connection): Pick<IdentityStore, Reading> {
  const all = <Row, T>(to: (row: Row) => T, sql: string, ...values: SQLInputValue[]): Promise<T[]> =>
    retryWhileBusy(() => (connection.statement(sql).all(...values) as Row[]).map(to));
  const one = async <Row, T>(to: (row: Row) => T, sql: string, ...values: SQLInputValue[]): Promise<T | null> => (await all(to, sql, ...values))[0] ?? null;
  return {
    findUser: (by) => {
      const [column, value] = 'id' in by ? ['id', by.id] : ['email', by.email];
      return one(toUser, `SELECT ${USER_COLUMNS} FROM users WHERE ${column} = ?`, value);
    },
    listUsers: () => all(toUser, `SELECT ${USER_COLUMNS} FROM users ORDER BY created_at, id`),
    findPassword: (userId) => one(({ hash }: { hash: string }) => hash, 'SELECT hash FROM passwords WHERE user_id = ?', userId),
    findTeam: (by) => {
      const [column, value] = 'id' in by ? ['id', by.id] : ['name', by.name];
      return one(toTeam, `SELECT ${TEAM_COLUMNS} FROM teams WHERE ${column} = ?`, value);
    },
    listMemberships: (userId) =>
      all(
        (row: MembershipRow & TeamRow) => ({ ...toMembership(row), team: toTeam(row) }),
        `SELECT m.team_id, m.user_id, m.role, m.joined_at, t.id, t.name, t.owner_id, t.created_at
         FROM memberships AS m JOIN teams AS t ON t.id = m.team_id WHERE m.user_id = ? ORDER BY t.created_at, t.id`,
        userId,
      ),
    listMembers: (teamId) =>
      all(
        (row: MembershipRow & UserRow & { id: string | null }) => ({ ...toMembership(row), user: row.id === null ? null : toUser(row) }),
        `SELECT m.team_id, m.user_id, m.role, m.joined_at, u.id, u.name, u.email, u.created_at, u.suspended_at
         FROM memberships AS m LEFT JOIN users AS u ON u.id = m.user_id WHERE m.team_id = ? ORDER BY m.joined_at, m.user_id`,
        teamId,
      ),
    findInvite: (sha256) => one(toInvite, `SELECT ${INVITE_COLUMNS} FROM invites WHERE sha256 = ?`, sha256),
    listInvites: (teamId) => all(toInvite, `SELECT ${INVITE_COLUMNS} FROM invites WHERE team_id = ? ORDER BY created_at, id`, teamId),
    findLink: (sha256) => one(toLink, 'SELECT sha256, space_id, record_id, created_at FROM public_links WHERE sha256 = ?', sha256),
    listAudit: ({ teamId, beforeSeq = Number.MAX_SAFE_INTEGER, limit }) =>
      all(
        toAuditEntry,
        `SELECT seq, at, actor, op, subject, team_id FROM audit WHERE seq < ? ${teamId === undefined ? '' : 'AND team_id = ?'} ORDER BY seq DESC LIMIT ?`,
        ...[beforeSeq, ...(teamId === undefined ? [] : [teamId]), Math.max(0, limit)],
      ),
  };
}
