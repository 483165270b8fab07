import { randomUUID } from 'node:crypto';
import type { IdentityStore } from '../../auth/ports.ts';
import type { Clock } from '../../engine/ports.ts';
import {
  type AuditRow,
  INVITE_COLUMNS,
  type InviteRow,
  type LinkRow,
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
} from '../sqlite/identity-rows.ts';
import { applyIdentityChanges } from './change-identity.ts';
import type { Value } from './database.ts';
import { createTokenStore } from './tokens.ts';
import type { Transactions } from './transactions.ts';

export function createIdentityStore(transactions: Transactions, clock: Clock): IdentityStore {
  const { read, write, surroundings } = transactions;
  return {
    async changeIdentity(changes, actor) {
      const request = { changes, actor, now: clock.now(), changeId: randomUUID() };
      return write('no_space', (session) => applyIdentityChanges(session, surroundings.schema, request));
    },
    ...createTokenStore(transactions),
    ...readingMethods(transactions),
    async keepSecret(name, value) {
      const ask = 'SELECT value FROM server_secrets WHERE name = $1';
      const kept = await read('no_space', (session) => session.query<{ value: string }>(ask, [name]));
      if (kept.rows[0] !== undefined) return kept.rows[0].value;
      return write('no_space', async (session) => {
        session.send('INSERT INTO server_secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING', [name, value]);
        const { rows } = await session.query<{ value: string }>(ask, [name]);
        return rows[0]?.value ?? value;
      });
    },
  };
}

type Reading = Exclude<keyof IdentityStore, 'changeIdentity' | 'keepSecret' | 'findToken' | 'listTokens' | 'touchToken'>;

function readingMethods({ read }: Transactions): Pick<IdentityStore, Reading> {
  const all = async <Row, T>(to: (row: Row) => T, sql: string, ...values: Value[]): Promise<T[]> =>
    (await read('no_space', (session) => session.query<Row>(sql, values))).rows.map(to);
  const one = async <Row, T>(to: (row: Row) => T, sql: string, ...values: Value[]): Promise<T | null> => (await all(to, sql, ...values))[0] ?? null;
  return {
    findUser: (by) => {
      const [column, value] = 'id' in by ? (['id', by.id] as const) : (['email', by.email] as const);
      return one<UserRow, ReturnType<typeof toUser>>(toUser, `SELECT ${USER_COLUMNS} FROM users WHERE ${column} = $1`, value);
    },
    listUsers: () => all(toUser, `SELECT ${USER_COLUMNS} FROM users ORDER BY created_at, id`),
    findPassword: (userId) => one(({ hash }: { hash: string }) => hash, 'SELECT hash FROM passwords WHERE user_id = $1', userId),
    findTeam: (by) => {
      const [column, value] = 'id' in by ? (['id', by.id] as const) : (['name', by.name] as const);
      return one<TeamRow, ReturnType<typeof toTeam>>(toTeam, `SELECT ${TEAM_COLUMNS} FROM teams WHERE ${column} = $1`, value);
    },
    listMemberships: (userId) =>
      all(
        (row: MembershipRow & TeamRow) => ({ ...toMembership(row), team: toTeam(row) }),
        `SELECT m.team_id, m.user_id, m.role, m.joined_at, t.id, t.name, t.owner_id, t.created_at
         FROM memberships AS m JOIN teams AS t ON t.id = m.team_id WHERE m.user_id = $1 ORDER BY t.created_at, t.id`,
        userId,
      ),
    listMembers: (teamId) =>
      all(
        (row: MembershipRow & UserRow & { id: string | null }) => ({ ...toMembership(row), user: row.id === null ? null : toUser(row) }),
        `SELECT m.team_id, m.user_id, m.role, m.joined_at, u.id, u.name, u.email, u.created_at, u.suspended_at
         FROM memberships AS m LEFT JOIN users AS u ON u.id = m.user_id WHERE m.team_id = $1 ORDER BY m.joined_at, m.user_id`,
        teamId,
      ),
    findInvite: (sha256) => one<InviteRow, ReturnType<typeof toInvite>>(toInvite, `SELECT ${INVITE_COLUMNS} FROM invites WHERE sha256 = $1`, sha256),
    listInvites: (teamId) => all(toInvite, `SELECT ${INVITE_COLUMNS} FROM invites WHERE team_id = $1 ORDER BY created_at, id`, teamId),
    findLink: (sha256) =>
      one<LinkRow, ReturnType<typeof toLink>>(toLink, 'SELECT sha256, space_id, record_id, created_at FROM public_links WHERE sha256 = $1', sha256),
    listAudit: ({ teamId, beforeSeq = Number.MAX_SAFE_INTEGER, limit }) =>
      all<AuditRow, ReturnType<typeof toAuditEntry>>(
        toAuditEntry,
        `SELECT seq, at, actor, op, subject, team_id FROM audit WHERE seq < $1 ${teamId === undefined ? '' : 'AND team_id = $3'} ORDER BY seq DESC LIMIT $2`,
        ...[beforeSeq, Math.max(0, limit), ...(teamId === undefined ? [] : [teamId])],
      ),
  };
}
