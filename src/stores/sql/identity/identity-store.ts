import type { IdentityStore } from '../../../auth/ports.ts';
import type { Clock } from '../../../engine/ports.ts';
import type { IdentityChange, IdentityOutcome } from '../../../model/identity.ts';
import type { Instant } from '../../../model/ids.ts';
import {
  type AuditRow,
  INVITE_COLUMNS,
  type InviteRow,
  type LinkRow,
  type MembershipRow,
  TEAM_COLUMNS,
  type TeamRow,
  TOKEN_COLUMNS,
  type TokenRow,
  toAuditEntry,
  toInvite,
  toLink,
  toMembership,
  toTeam,
  toToken,
  toUser,
  USER_COLUMNS,
  type UserRow,
} from '../../rows/identity-rows.ts';
import {
  count,
  exists,
  lock,
  type SqlDatabase,
  type SqlValue,
  type Steps,
  select,
  sendRows,
  write,
} from '../statements.ts';
import { applyIdentityChange } from './change-identity.ts';

const AUDIT_COLUMNS = ['seq', 'at', 'actor', 'op', 'subject', 'team_id'];

export function createIdentityStore(database: SqlDatabase, clock: Clock): IdentityStore {
  return {
    async changeIdentity(changes, actor) {
      const request = { actor, now: clock.now(), mark: database.newMark() };
      return database.write('no_space', () => applyChanges(changes, request), {
        weight: changes.length,
        keeps: ({ outcome }) => outcome === 'changed',
      });
    },
    ...createIdentityReader(openPlainSql(database)),
  };
}

/** One after another, so that the audit log has no gaps and each sees what the one before it did. */
function* applyChanges(
  changes: readonly IdentityChange[],
  { actor, now, mark }: { actor: string; now: Instant; mark: string | null },
): Steps<IdentityOutcome> {
  yield* lock('identities', '');
  if (mark !== null && (yield* exists('SELECT 1 FROM audit WHERE change_id = $1', mark))) return { outcome: 'changed' };
  let seq = yield* count('SELECT max(seq) AS n FROM audit');
  const marks = mark === null ? {} : { change_id: mark };
  for (const [index, change] of changes.entries()) {
    const applied = yield* applyIdentityChange(change);
    if (typeof applied === 'string') return { outcome: 'conflict', conflict: { index, reason: applied } };
    yield* sendRows({
      into: { table: 'audit', columns: [...AUDIT_COLUMNS, ...Object.keys(marks)] },
      space: null,
      rows: [[++seq, now, actor, change.op, applied.subject, applied.teamId, ...Object.values(marks)]],
    });
  }
  return { outcome: 'changed' };
}

/** One statement at a time over the tables that belong to no space. */
interface PlainSql {
  select<Row>(sql: string, ...values: SqlValue[]): Promise<readonly Row[]>;
  /** Kept at once; returns how many rows changed. */
  change(sql: string, ...values: SqlValue[]): Promise<number>;
}

export function openPlainSql(database: SqlDatabase): PlainSql {
  return {
    select: <Row>(sql: string, ...values: SqlValue[]) => database.read('no_space', () => select<Row>(sql, ...values)),
    change: (sql, ...values) => database.write('no_space', () => write(sql, ...values)),
  };
}

/** A token's last use is written down at most this often. */
const TOUCH_INTERVAL_MS = 60_000;
const TOUCH_IS_DUE = 'id = $1 AND (last_used_at IS NULL OR last_used_at <= $2)';

/** Everything about identities but their changes. */
function createIdentityReader(sql: PlainSql): Omit<IdentityStore, 'changeIdentity'> {
  return { ...peopleReader(sql), ...teamReader(sql), ...tokenReader(sql), ...secretKeeper(sql) };
}

async function all<Row, T>(
  { select }: PlainSql,
  to: (row: Row) => T,
  [sql, ...values]: [string, ...SqlValue[]],
): Promise<T[]> {
  return (await select<Row>(sql, ...values)).map(to);
}

async function one<Row, T>(plain: PlainSql, to: (row: Row) => T, question: [string, ...SqlValue[]]): Promise<T | null> {
  return (await all(plain, to, question))[0] ?? null;
}

function peopleReader(
  sql: PlainSql,
): Pick<IdentityStore, 'findUser' | 'listUsers' | 'findPassword' | 'findLink' | 'listAudit'> {
  return {
    findUser: (by) => {
      const [column, value] = 'id' in by ? ['id', by.id] : ['email', by.email];
      return one<UserRow, ReturnType<typeof toUser>>(sql, toUser, [
        `SELECT ${USER_COLUMNS} FROM users WHERE ${column} = $1`,
        value,
      ]);
    },
    listUsers: () => all(sql, toUser, [`SELECT ${USER_COLUMNS} FROM users ORDER BY created_at, id`]),
    findPassword: (userId) =>
      one(sql, ({ hash }: { hash: string }) => hash, ['SELECT hash FROM passwords WHERE user_id = $1', userId]),
    findLink: (sha256) =>
      one<LinkRow, ReturnType<typeof toLink>>(sql, toLink, [
        'SELECT sha256, space_id, record_id, created_at FROM public_links WHERE sha256 = $1',
        sha256,
      ]),
    listAudit: ({ teamId, beforeSeq = Number.MAX_SAFE_INTEGER, limit }) => {
      const ofTeam = teamId === undefined ? '' : 'AND team_id = $3';
      return all<AuditRow, ReturnType<typeof toAuditEntry>>(sql, toAuditEntry, [
        `SELECT seq, at, actor, op, subject, team_id FROM audit WHERE seq < $1 ${ofTeam} ORDER BY seq DESC LIMIT $2`,
        ...[beforeSeq, Math.max(0, limit), ...(teamId === undefined ? [] : [teamId])],
      ]);
    },
  };
}

function teamReader(
  sql: PlainSql,
): Pick<IdentityStore, 'findTeam' | 'listMemberships' | 'listMembers' | 'findInvite' | 'listInvites'> {
  return {
    findTeam: (by) => {
      const [column, value] = 'id' in by ? ['id', by.id] : ['name', by.name];
      return one<TeamRow, ReturnType<typeof toTeam>>(sql, toTeam, [
        `SELECT ${TEAM_COLUMNS} FROM teams WHERE ${column} = $1`,
        value,
      ]);
    },
    listMemberships: (userId) =>
      all(sql, (row: MembershipRow & TeamRow) => ({ ...toMembership(row), team: toTeam(row) }), [
        `SELECT m.team_id, m.user_id, m.role, m.joined_at, t.id, t.name, t.owner_id, t.created_at
         FROM memberships AS m JOIN teams AS t ON t.id = m.team_id WHERE m.user_id = $1 ORDER BY t.created_at, t.id`,
        userId,
      ]),
    listMembers: (teamId) =>
      all(
        sql,
        (row: MembershipRow & UserRow & { id: string | null }) => ({
          ...toMembership(row),
          user: row.id === null ? null : toUser(row),
        }),
        [
          `SELECT m.team_id, m.user_id, m.role, m.joined_at, u.id, u.name, u.email, u.created_at, u.suspended_at
         FROM memberships AS m LEFT JOIN users AS u ON u.id = m.user_id WHERE m.team_id = $1 ORDER BY m.joined_at, m.user_id`,
          teamId,
        ],
      ),
    findInvite: (sha256) =>
      one<InviteRow, ReturnType<typeof toInvite>>(sql, toInvite, [
        `SELECT ${INVITE_COLUMNS} FROM invites WHERE sha256 = $1`,
        sha256,
      ]),
    listInvites: (teamId) =>
      all(sql, toInvite, [`SELECT ${INVITE_COLUMNS} FROM invites WHERE team_id = $1 ORDER BY created_at, id`, teamId]),
  };
}

function tokenReader(sql: PlainSql): Pick<IdentityStore, 'findToken' | 'listTokens' | 'touchToken'> {
  return {
    findToken: (sha256) =>
      one<TokenRow, ReturnType<typeof toToken>>(sql, toToken, [
        `SELECT ${TOKEN_COLUMNS} FROM access_tokens WHERE sha256 = $1`,
        sha256,
      ]),
    listTokens: (userId) => {
      const ofWhom: [string, ...SqlValue[]] = userId === undefined ? [''] : ['WHERE user_id = $1', userId];
      const [where, ...values] = ofWhom;
      return all(sql, toToken, [
        `SELECT ${TOKEN_COLUMNS} FROM access_tokens ${where} ORDER BY created_at, id`,
        ...values,
      ]);
    },
    async touchToken(id, at) {
      const since = at - TOUCH_INTERVAL_MS;
      // A token in use is asked for all the time, and seldom due: no write for that.
      const due = await sql.select(`SELECT 1 FROM access_tokens WHERE ${TOUCH_IS_DUE}`, id, since);
      if (due.length > 0)
        await sql.change(`UPDATE access_tokens SET last_used_at = $3 WHERE ${TOUCH_IS_DUE}`, id, since, at);
    },
  };
}

function secretKeeper(sql: PlainSql): Pick<IdentityStore, 'keepSecret'> {
  const read = async (name: string) =>
    (await sql.select<{ value: string }>('SELECT value FROM server_secrets WHERE name = $1', name))[0]?.value;
  return {
    async keepSecret(name, value) {
      const kept = await read(name);
      if (kept !== undefined) return kept;
      await sql.change('INSERT INTO server_secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING', name, value);
      return (await read(name)) ?? value;
    },
  };
}
