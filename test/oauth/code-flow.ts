import assert from 'node:assert/strict';
import { makePkce, type OAuthTest, REDIRECT, type Tokens } from './open-oauth-test.ts';

export interface Code {
  code: string;
  verifier: string;
}

export interface CodeFlow {
  /** As the person allowed it. */
  getCode(person?: string, scope?: string): Promise<Code>;
  redeem(code: Code, more?: Record<string, string | undefined>): Promise<Tokens>;
  refresh(token: string, more?: Record<string, string>): Promise<Tokens>;
  /** Refused, with or without the limit on wrong tokens. */
  isDead(token: string): Promise<boolean>;
}

/** The steps of one client, each by itself. */
export function createCodeFlow(oauth: OAuthTest, client_id: string): CodeFlow {
  return {
    async getCode(person = 'ada', scope = 'read write') {
      const { verifier, challenge } = makePkce();
      const answer = await oauth.allow({ client_id, code_challenge: challenge, scope }, person, {
        scope: scope.split(' '),
      });
      return { code: answer.get('code')!, verifier };
    },
    redeem: ({ code, verifier }, more = {}) =>
      oauth.token({
        grant_type: 'authorization_code',
        client_id,
        code,
        code_verifier: verifier,
        redirect_uri: REDIRECT,
        ...more,
      }),
    refresh: (refresh_token, more = {}) =>
      oauth.token({ grant_type: 'refresh_token', client_id, refresh_token, ...more }),
    async isDead(token) {
      const status = await oauth.read(token);
      assert.ok([200, 401, 429].includes(status), String(status));
      return status !== 200;
    },
  };
}
