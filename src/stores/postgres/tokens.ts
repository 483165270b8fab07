import type { IdentityStore } from '../../auth/ports.ts';
import { TOKEN_COLUMNS, type TokenRow, toToken } from '../sqlite/identity-rows.ts';
import type { Transactions } from './transactions.ts';

const TOUCH_INTERVAL_MS = 60_000;
const IS_DUE = 'id = $1 AND (last_used_at IS NULL OR last_used_at <= $2)';

export function createTokenStore({ read, write }: Transactions): Pick<IdentityStore, 'findToken' | 'listTokens' | 'touchToken'> {
  return {
    async findToken(sha256) {
      const { rows } = await read('no_space', (session) => session.query<TokenRow>(`SELECT ${TOKEN_COLUMNS} FROM access_tokens WHERE sha256 = $1`, [sha256]));
      return rows[0] === undefined ? null : toToken(rows[0]);
    },
    async listTokens(userId) {
      const [ofWhom, values] = userId === undefined ? ['', []] : ['WHERE user_id = $1', [userId]];
      const { rows } = await read('no_space', (session) =>
        session.query<TokenRow>(`SELECT ${TOKEN_COLUMNS} FROM access_tokens ${ofWhom} ORDER BY created_at, id`, values),
      );
      return rows.map(toToken);
    },
    async touchToken(id, at) {
      const since = at - TOUCH_INTERVAL_MS;
      const due = await read('no_space', (session) => session.query(`SELECT 1 FROM access_tokens WHERE ${IS_DUE}`, [id, since]));
      if (due.count === 0) return;
      await write('no_space', (session) => session.query(`UPDATE access_tokens SET last_used_at = $3 WHERE ${IS_DUE}`, [id, since, at]));
    },
  };
}
