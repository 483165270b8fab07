import { randomUUID } from 'node:crypto';
import type { OAuthArtifact, OAuthStore } from '../../auth/ports.ts';
import type { Instant } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import { parseColumn } from '../sqlite/parse-column.ts';
import type { Value } from './database.ts';
import type { Transactions } from './transactions.ts';

const COLUMNS = 'model, id, grant_id, user_code, uid, user_id, expires_at, consumed_at, payload';

type ArtifactRow = {
  model: string;
  id: string;
  grant_id: string | null;
  user_code: string | null;
  uid: string | null;
  user_id: string | null;
  expires_at: Instant | null;
  consumed_at: Instant | null;
  payload: string;
};

export function createOAuthStore({ read, write }: Transactions): OAuthStore {
  /** How many rows it changed. */
  const change = async (sql: string, ...values: Value[]) => (await write('no_space', (session) => session.query(sql, values))).count;
  const select = async (sql: string, ...values: Value[]) => (await read('no_space', (session) => session.query<ArtifactRow>(sql, values))).rows;
  return {
    async putArtifact(artifact) {
      await change(PUT, ...valuesOf(artifact));
    },
    async findArtifact(model, by) {
      const [column, value] = 'id' in by ? (['id', by.id] as const) : 'userCode' in by ? (['user_code', by.userCode] as const) : (['uid', by.uid] as const);
      // A code may come again once the first has run out: the one that lasts longest is meant.
      const [row] = await select(
        `SELECT ${COLUMNS} FROM oauth_artifacts WHERE ${column} = $1 AND model = $2 ORDER BY expires_at DESC NULLS LAST LIMIT 1`,
        ...[value, model],
      );
      return row === undefined ? null : toArtifact(row);
    },
    async consumeArtifact(model, id, at) {
      // By its own mark a second try after a broken connection knows that the first one won.
      const consumed = await change(
        'UPDATE oauth_artifacts SET consumed_at = $3, consumption = $4 WHERE model = $1 AND id = $2 AND (consumed_at IS NULL OR consumption = $4)',
        ...[model, id, at, randomUUID()],
      );
      return consumed > 0;
    },
    async removeArtifact(model, id) {
      await change('DELETE FROM oauth_artifacts WHERE model = $1 AND id = $2', model, id);
    },
    async listArtifacts(model, userId) {
      return (await select(`SELECT ${COLUMNS} FROM oauth_artifacts WHERE user_id = $1 AND model = $2 ORDER BY id`, userId, model)).map(toArtifact);
    },
    async countArtifacts(model) {
      const { rows } = await read('no_space', (session) => session.query<{ n: number }>('SELECT count(*) AS n FROM oauth_artifacts WHERE model = $1', [model]));
      return rows[0]?.n ?? 0;
    },
    async removeExpiredArtifacts(now, limit) {
      // Asked again and again, and seldom with something to do.
      const due = await select(`SELECT ${COLUMNS} FROM oauth_artifacts WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2`, now, Math.max(0, limit));
      if (due.length === 0) return 0;
      return change(
        'DELETE FROM oauth_artifacts WHERE expires_at <= $1 AND (model, id) IN (SELECT * FROM unnest($2::text[], $3::text[]))',
        ...[now, due.map(({ model }) => model), due.map(({ id }) => id)],
      );
    },
  };
}

const PUT = `
  INSERT INTO oauth_artifacts (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (model, id) DO UPDATE SET grant_id = excluded.grant_id, user_code = excluded.user_code, uid = excluded.uid, user_id = excluded.user_id,
    expires_at = excluded.expires_at, consumed_at = coalesce(oauth_artifacts.consumed_at, excluded.consumed_at), payload = excluded.payload`;

function valuesOf({ model, id, grantId, userCode, uid, userId, expiresAt, consumedAt, payload }: OAuthArtifact): Value[] {
  return [model, id, grantId, userCode, uid, userId, expiresAt, consumedAt, JSON.stringify(payload)];
}

function toArtifact(row: ArtifactRow): OAuthArtifact {
  return {
    model: row.model,
    id: row.id,
    payload: parseColumn<JsonObject>(row.payload, row.model),
    grantId: row.grant_id,
    userCode: row.user_code,
    uid: row.uid,
    userId: row.user_id,
    expiresAt: row.expires_at,
    consumedAt: row.consumed_at,
  };
}
