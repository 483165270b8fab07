import type { AccessToken, TokenStore } from '../../auth/ports.ts';
import type { Scope } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { Instant } from '../../model/ids.ts';
import type { Connection } from './connection.ts';
import { parseColumn } from './parse-column.ts';
import { retryWhileBusy } from './retry-while-busy.ts';
import type { WriterQueue } from './writer-queue.ts';

const TOUCH_INTERVAL_MS = 60_000;
const COLUMNS = 'id, sha256, user_id, name, scopes, created_at, last_used_at, revoked_at, expires_at';

type TokenRow = {
  id: string;
  sha256: string;
  user_id: string;
  name: string;
  scopes: string;
  created_at: Instant;
  last_used_at: Instant | null;
  revoked_at: Instant | null;
  expires_at: Instant | null;
};

export function createTokenStore(connection: Connection, queue: WriterQueue): TokenStore {
  return {
    findToken: (sha256) =>
      retryWhileBusy(() => {
        const row = connection.statement(`SELECT ${COLUMNS} FROM access_tokens WHERE sha256 = ?`).get(sha256) as TokenRow | undefined;
        return row === undefined ? null : toToken(row);
      }),
    listTokens: () =>
      retryWhileBusy(() => {
        const rows = connection.statement(`SELECT ${COLUMNS} FROM access_tokens ORDER BY created_at, id`).all() as TokenRow[];
        return rows.map(toToken);
      }),
    addToken: (token) => queue.write(() => ({ keep: true, value: insertToken(connection, token) })),
    revokeToken: (id, at) =>
      queue.write(() => {
        const revoked = connection.statement('UPDATE access_tokens SET revoked_at = ifnull(revoked_at, ?) WHERE id = ?').run(at, id);
        return { keep: true, value: revoked.changes > 0 };
      }),
    async touchToken(id, at) {
      const isDue = await retryWhileBusy(
        () =>
          connection.statement('SELECT 1 FROM access_tokens WHERE id = ? AND (last_used_at IS NULL OR last_used_at <= ?)').get(id, at - TOUCH_INTERVAL_MS) !==
          undefined,
      );
      if (!isDue) return;
      await queue.write(() => {
        connection.statement('UPDATE access_tokens SET last_used_at = max(ifnull(last_used_at, 0), ?) WHERE id = ?').run(at, id);
        return { keep: true, value: null };
      });
    },
  };
}

function insertToken(connection: Connection, token: AccessToken): void {
  const { id, sha256, userId, name, scopes, createdAt, lastUsedAt, revokedAt, expiresAt } = token;
  const added = connection
    .statement(`INSERT INTO access_tokens (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`)
    .run(id, sha256, userId, name, JSON.stringify(scopes), createdAt, lastUsedAt, revokedAt, expiresAt);
  if (added.changes === 0) throw new EngineError('conflict', 'There is a token with this id or secret already.');
}

function toToken(row: TokenRow): AccessToken {
  return {
    id: row.id,
    sha256: row.sha256,
    userId: row.user_id,
    name: row.name,
    scopes: parseColumn<Scope[]>(row.scopes, row.id),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    expiresAt: row.expires_at,
  };
}
