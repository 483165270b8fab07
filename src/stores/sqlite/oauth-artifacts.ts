import type { OAuthStore } from '../../auth/ports.ts';
import { createArtifactStore } from '../identity/oauth-artifacts.ts';
import type { Connection } from './connection.ts';
import { openPlainSql } from './plain-sql.ts';
import type { WriterQueue } from './writer-queue.ts';

export function createOAuthStore(connection: Connection, queue: WriterQueue): OAuthStore {
  const sql = openPlainSql(connection, queue);
  return {
    ...createArtifactStore(sql),
    async consumeArtifact(model, id, at) {
      return (
        (await sql.change(
          'UPDATE oauth_artifacts SET consumed_at = $3 WHERE model = $1 AND id = $2 AND consumed_at IS NULL',
          model,
          id,
          at,
        )) > 0
      );
    },
    async removeExpiredArtifacts(now, limit) {
      // Asked again and again, and seldom with something to do: no write lock for that.
      const due = await sql.select('SELECT 1 FROM oauth_artifacts WHERE expires_at <= $1 LIMIT 1', now);
      if (due.length === 0) return 0;
      return sql.change(
        'DELETE FROM oauth_artifacts WHERE rowid IN (SELECT rowid FROM oauth_artifacts WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2)',
        ...[now, Math.max(0, limit)],
      );
    },
  };
}
