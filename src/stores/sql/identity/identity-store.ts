import type { IdentityStore } from '../../../auth/ports.ts';
import type { Clock } from '../../../engine/ports.ts';
import type { IdentityChange, IdentityOutcome, Removal } from '../../../model/identity.ts';
import type { Instant } from '../../../model/ids.ts';
import type { Row } from '../../../model/transfer.ts';
import { count, exists, lock, type SqlDatabase, type Steps, sendRows } from '../statements.ts';
import { applyIdentityChange, hashEmail } from './change-identity.ts';
import {
  AUDIT,
  INVITES,
  LINKS,
  MEMBERSHIPS,
  openPlainSql,
  type PlainSql,
  REMOVALS,
  TEAMS,
  TOKENS,
  USERS,
} from './identity-tables.ts';

const PUBLISHER_IS_ACTIVE =
  'NOT EXISTS (SELECT 1 FROM users WHERE users.id = public_links.user_id AND users.suspended_at IS NOT NULL)';

/** A token's last use is written down at most this often. */
const TOUCH_INTERVAL_MS = 60_000;
const TOUCH_IS_DUE = 'id = $1 AND (last_used_at IS NULL OR last_used_at <= $2)';

export function createIdentityStore(database: SqlDatabase, clock: Clock): IdentityStore {
  const sql = openPlainSql(database);
  return {
    async changeIdentity(changes, actor) {
      const request = { actor, now: clock.now(), mark: database.newMark() };
      return database.write('no_space', () => applyChanges(changes, request), {
        weight: changes.length,
        frees: changes.every(takesAway),
        keeps: ({ outcome }) => outcome === 'changed',
      });
    },
    ...readPeople(sql),
    ...readTeams(sql),
    ...keepTokens(sql),
    ...keepRemovals(sql),
  };
}

/** Rights that are taken from somebody go, however full the disk is. */
function takesAway(change: IdentityChange): boolean {
  return /^(?:remove|purge|revoke)_/.test(change.op) || (change.op === 'update_user' && change.suspendedAt != null);
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
    const applied = yield* applyIdentityChange(change, { actor, now });
    if (typeof applied === 'string') return { outcome: 'conflict', conflict: { index, reason: applied } };
    const line = { seq: ++seq, at: now, actor, op: change.op, ...applied };
    yield* sendRows({
      into: { table: AUDIT.name, columns: [...AUDIT.columns, ...Object.keys(marks)] },
      space: null,
      rows: [[...AUDIT.values(line), ...Object.values(marks)]],
    });
  }
  return { outcome: 'changed' };
}

function readPeople(sql: PlainSql) {
  return {
    findUser: (by) =>
      'id' in by ? sql.one(USERS, 'WHERE id = $1', by.id) : sql.one(USERS, 'WHERE email = $1', by.email),
    listUsers: () => sql.all(USERS, 'ORDER BY created_at, id'),
    async findPassword(userId) {
      const [row] = await sql.select<{ hash: string }>('SELECT hash FROM passwords WHERE user_id = $1', userId);
      return row?.hash ?? null;
    },
    findLink: (sha256) => sql.one(LINKS, `WHERE sha256 = $1 AND ${PUBLISHER_IS_ACTIVE}`, sha256),
    listAudit({ teamId, beforeSeq = Number.MAX_SAFE_INTEGER, limit }) {
      const [ofTeam, ...team] = teamId === undefined ? [''] : ['AND team_id = $3', teamId];
      const which = `WHERE seq < $1 ${ofTeam} ORDER BY seq DESC LIMIT $2`;
      return sql.all(AUDIT, which, beforeSeq, Math.max(0, limit), ...team);
    },
  } satisfies Partial<IdentityStore>;
}

function readTeams(sql: PlainSql) {
  return {
    findTeam: (by) =>
      'id' in by ? sql.one(TEAMS, 'WHERE id = $1', by.id) : sql.one(TEAMS, 'WHERE name = $1', by.name),
    async listMemberships(userId) {
      const rows = await sql.select<Row>(
        `SELECT m.team_id, m.user_id, m.role, m.joined_at, t.id, t.name, t.owner_id, t.created_at
         FROM memberships AS m JOIN teams AS t ON t.id = m.team_id WHERE m.user_id = $1 ORDER BY t.created_at, t.id`,
        userId,
      );
      return rows.map((row) => ({ ...MEMBERSHIPS.read(row), team: TEAMS.read(row) }));
    },
    async listMembers(teamId) {
      const rows = await sql.select<Row>(
        `SELECT m.team_id, m.user_id, m.role, m.joined_at, u.id, u.name, u.email, u.created_at, u.suspended_at
         FROM memberships AS m LEFT JOIN users AS u ON u.id = m.user_id WHERE m.team_id = $1 ORDER BY m.joined_at, m.user_id`,
        teamId,
      );
      return rows.map((row) => ({ ...MEMBERSHIPS.read(row), user: row.id === null ? null : USERS.read(row) }));
    },
    findInvite: (sha256) => sql.one(INVITES, 'WHERE sha256 = $1', sha256),
    listInvites: (teamId) => sql.all(INVITES, 'WHERE team_id = $1 ORDER BY created_at, id', teamId),
  } satisfies Partial<IdentityStore>;
}

function keepRemovals(sql: PlainSql) {
  const toRemoval = (row: Removal & { emailSha256: string | null }): Removal => {
    const { emailSha256: _, ...removal } = row;
    return removal;
  };
  return {
    async findRemoval(by) {
      const found =
        'id' in by
          ? await sql.one(REMOVALS, 'WHERE id = $1', by.id)
          : await sql.one(REMOVALS, 'WHERE email_sha256 = $1 ORDER BY removed_at DESC LIMIT 1', hashEmail(by.email));
      return found && toRemoval(found);
    },
    async listRemovals() {
      const which = "WHERE done_at IS NULL AND (what = 'team' OR purge_asked_at IS NOT NULL) ORDER BY removed_at, id";
      return (await sql.all(REMOVALS, which)).map(toRemoval);
    },
    async markRemoval(id, step, at) {
      await sql.change(`UPDATE removals SET ${step}_at = $2 WHERE id = $1`, id, at);
    },
    async listTeamIds() {
      const rows = await sql.select<{ id: string }>(
        "SELECT id FROM teams UNION SELECT id FROM removals WHERE what = 'team' AND done_at IS NULL ORDER BY id",
      );
      return rows.map(({ id }) => id);
    },
  } satisfies Partial<IdentityStore>;
}

function keepTokens(sql: PlainSql) {
  const readSecret = async (name: string) =>
    (await sql.select<{ value: string }>('SELECT value FROM server_secrets WHERE name = $1', name))[0]?.value;
  return {
    findToken: (sha256) => sql.one(TOKENS, 'WHERE sha256 = $1', sha256),
    listTokens(userId) {
      const order = 'ORDER BY created_at, id';
      return userId === undefined ? sql.all(TOKENS, order) : sql.all(TOKENS, `WHERE user_id = $1 ${order}`, userId);
    },
    async touchToken(id, at) {
      const since = at - TOUCH_INTERVAL_MS;
      // A token in use is asked for all the time, and seldom due: no write for that.
      const due = await sql.select(`SELECT 1 FROM access_tokens WHERE ${TOUCH_IS_DUE}`, id, since);
      if (due.length > 0)
        await sql.change(`UPDATE access_tokens SET last_used_at = $3 WHERE ${TOUCH_IS_DUE}`, id, since, at);
    },
    async keepSecret(name, value) {
      const kept = await readSecret(name);
      if (kept !== undefined) return kept;
      await sql.change('INSERT INTO server_secrets (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING', name, value);
      return (await readSecret(name)) ?? value;
    },
  } satisfies Partial<IdentityStore>;
}
