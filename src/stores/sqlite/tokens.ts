import type { IdentityStore } from '../../auth/ports.ts';
import type { Connection } from './connection.ts';
import { TOKEN_COLUMNS, type TokenRow, toToken } from './identity-rows.ts';
import { retryWhileBusy } from './retry-while-busy.ts';
import type { WriterQueue } from './writer-queue.ts';

const TOUCH_INTERVAL_MS = 60_000;

export function createTokenStore(connection: Connection, queue: WriterQueue): Pick<IdentityStore, 'findToken' | 'listTokens' | 'touchToken'> {
  return {
    findToken: (sha256) =>
      retryWhileBusy(() => {
        const row = connection.statement(`SELECT ${TOKEN_COLUMNS} FROM access_tokens WHERE sha256 = ?`).get(sha256) as TokenRow | undefined;
        return row === undefined ? null : toToken(row);
      }),
    listTokens: (userId) =>
      retryWhileBusy(() => {
        const ofWhom = userId === undefined ? '' : 'WHERE user_id = ?';
        const statement = connection.statement(`SELECT ${TOKEN_COLUMNS} FROM access_tokens ${ofWhom} ORDER BY created_at, id`);
        const rows = (userId === undefined ? statement.all() : statement.all(userId)) as TokenRow[];
        return rows.map(toToken);
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
