import { randomUUID } from 'node:crypto';
import type { OAuthStore } from '../../auth/ports.ts';
import { createArtifactStore } from '../identity/oauth-artifacts.ts';
import { openPlainSql } from './plain-sql.ts';
import type { Transactions } from './transactions.ts';

export function createOAuthStore(transactions: Transactions): OAuthStore {
  const sql = openPlainSql(transactions);
  return {
    ...createArtifactStore(sql),
    async consumeArtifact(model, id, at) {
      // By its own mark a second try after a broken connection knows that the first one won.
      const consumed = await sql.change(
        'UPDATE oauth_artifacts SET consumed_at = $3, consumption = $4 WHERE model = $1 AND id = $2 AND (consumed_at IS NULL OR consumption = $4)',
        ...[model, id, at, randomUUID()],
      );
      return consumed > 0;
    },
    async removeExpiredArtifacts(now, limit) {
      // Asked again and again, and seldom with something to do.
      const due = await sql.select<{ model: string; id: string }>(
        'SELECT model, id FROM oauth_artifacts WHERE expires_at <= $1 ORDER BY expires_at LIMIT $2',
        ...[now, Math.max(0, limit)],
      );
      if (due.length === 0) return 0;
      const removed = await transactions.write('no_space', (session) =>
        session.query(
          'DELETE FROM oauth_artifacts WHERE expires_at <= $1 AND (model, id) IN (SELECT * FROM unnest($2::text[], $3::text[]))',
          [now, due.map(({ model }) => model), due.map(({ id }) => id)],
        ),
      );
      return removed.count;
    },
  };
}
