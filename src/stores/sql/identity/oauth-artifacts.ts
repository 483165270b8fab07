import type { OAuthStore } from '../../../auth/ports.ts';
import type { Instant } from '../../../model/ids.ts';
import { type SqlDatabase, type Steps, write } from '../statements.ts';
import { ARTIFACTS, openPlainSql } from './identity-tables.ts';

/** What was consumed once stays so. */
const PUT = `
  INSERT INTO oauth_artifacts (${ARTIFACTS.columns.join(', ')}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  ON CONFLICT (model, id) DO UPDATE SET grant_id = excluded.grant_id, user_code = excluded.user_code, uid = excluded.uid, user_id = excluded.user_id,
    expires_at = excluded.expires_at, consumed_at = coalesce(oauth_artifacts.consumed_at, excluded.consumed_at), payload = excluded.payload`;

export function createOAuthStore(database: SqlDatabase): OAuthStore {
  const { select, all, one, change } = openPlainSql(database);
  return {
    async putArtifact(artifact) {
      await change(PUT, ...ARTIFACTS.values(artifact));
    },
    findArtifact(model, by) {
      const [column, value] =
        'id' in by ? ['id', by.id] : 'userCode' in by ? ['user_code', by.userCode] : ['uid', by.uid];
      // A code may come again once the first has run out: the one that lasts longest is meant.
      const which = `WHERE ${column} = $1 AND model = $2 ORDER BY expires_at DESC NULLS LAST LIMIT 1`;
      return one(ARTIFACTS, which, value, model);
    },
    async removeArtifact(model, id) {
      await change('DELETE FROM oauth_artifacts WHERE model = $1 AND id = $2', model, id);
    },
    listArtifacts: (model, userId) => all(ARTIFACTS, 'WHERE user_id = $1 AND model = $2 ORDER BY id', userId, model),
    async countArtifacts(model) {
      const [row] = await select<{ n: number }>('SELECT count(*) AS n FROM oauth_artifacts WHERE model = $1', model);
      return row?.n ?? 0;
    },
    async consumeArtifact(model, id, at) {
      const mark = database.newMark();
      const [set, unless, ...marks] = mark === null ? ['', ''] : [', consumption = $4', 'OR consumption = $4', mark];
      const consumed = await change(
        `UPDATE oauth_artifacts SET consumed_at = $3 ${set} WHERE model = $1 AND id = $2 AND (consumed_at IS NULL ${unless})`,
        model,
        id,
        at,
        ...marks,
      );
      return consumed > 0;
    },
    async removeExpiredArtifacts(now, limit) {
      // Asked again and again, and seldom with something to do: no write for that.
      const due = await select<Due>(
        'SELECT model, id FROM oauth_artifacts WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2',
        now,
        Math.max(0, limit),
      );
      return due.length === 0 ? 0 : database.write('no_space', () => removeDue(due, now), { frees: true });
    },
  };
}

type Due = { model: string; id: string };

/** Those that were given more time meanwhile stay. */
function* removeDue(due: readonly Due[], now: Instant): Steps<number> {
  let removed = 0;
  for (const [model, some] of Map.groupBy(due, (one) => one.model)) {
    const ids = some.map(({ id }) => id);
    const sql = 'DELETE FROM oauth_artifacts WHERE expires_at <= $1 AND model = $2 AND id = ANY ($3::text[])';
    removed += yield* write(sql, now, model, ids);
  }
  return removed;
}
