import type { OAuthArtifact, OAuthStore } from '../../auth/ports.ts';
import type { Instant } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { Connection } from './connection.ts';
import { parseColumn } from './parse-column.ts';
import { retryWhileBusy } from './retry-while-busy.ts';
import type { WriterQueue } from './writer-queue.ts';

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

export function createOAuthStore(connection: Connection, queue: WriterQueue): OAuthStore {
  /** How many rows it changed. */
  const change = (sql: string, ...values: (string | number)[]) =>
    queue.write(() => ({ keep: true, value: Number(connection.statement(sql).run(...values).changes) }));
  return {
    putArtifact: (artifact) => queue.write(() => ({ keep: true, value: writeArtifact(connection, artifact) })),
    findArtifact: (model, by) => retryWhileBusy(() => findArtifact(connection, model, by)),
    async consumeArtifact(model, id, at) {
      return (await change('UPDATE oauth_artifacts SET consumed_at = ? WHERE model = ? AND id = ? AND consumed_at IS NULL', at, model, id)) > 0;
    },
    async removeArtifact(model, id) {
      await change('DELETE FROM oauth_artifacts WHERE model = ? AND id = ?', model, id);
    },
    listArtifacts: (model, userId) =>
      retryWhileBusy(() => {
        const rows = connection.statement(`SELECT ${COLUMNS} FROM oauth_artifacts WHERE user_id = ? AND model = ? ORDER BY id`).all(userId, model);
        return (rows as ArtifactRow[]).map(toArtifact);
      }),
    countArtifacts: (model) => retryWhileBusy(() => Number(connection.statement('SELECT count(*) AS n FROM oauth_artifacts WHERE model = ?').get(model)?.n)),
    async removeExpiredArtifacts(now, limit) {
      // Asked again and again, and seldom with something to do: no write lock for that.
      const isDue = await retryWhileBusy(() => connection.statement('SELECT 1 FROM oauth_artifacts WHERE expires_at <= ? LIMIT 1').get(now) !== undefined);
      if (!isDue) return 0;
      return change(
        'DELETE FROM oauth_artifacts WHERE rowid IN (SELECT rowid FROM oauth_artifacts WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)',
        now,
        Math.max(0, limit),
      );
    },
  };
}

function writeArtifact(connection: Connection, artifact: OAuthArtifact): void {
  const { model, id, grantId, userCode, uid, userId, expiresAt, consumedAt, payload } = artifact;
  connection
    .statement(
      `INSERT INTO oauth_artifacts (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET grant_id = excluded.grant_id, user_code = excluded.user_code, uid = excluded.uid, user_id = excluded.user_id,
         expires_at = excluded.expires_at, consumed_at = ifnull(consumed_at, excluded.consumed_at), payload = excluded.payload`,
    )
    .run(model, id, grantId, userCode, uid, userId, expiresAt, consumedAt, JSON.stringify(payload));
}

function findArtifact(connection: Connection, model: string, by: Parameters<OAuthStore['findArtifact']>[1]): OAuthArtifact | null {
  const [column, value] = 'id' in by ? ['id', by.id] : 'userCode' in by ? ['user_code', by.userCode] : ['uid', by.uid];
  // A code may come again once the first has run out: the one that lasts longest is meant.
  const row = connection
    .statement(`SELECT ${COLUMNS} FROM oauth_artifacts WHERE ${column} = ? AND model = ? ORDER BY expires_at DESC LIMIT 1`)
    .get(value, model);
  return row === undefined ? null : toArtifact(row as ArtifactRow);
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
