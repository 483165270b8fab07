import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createCodeFlow } from '../oauth/code-flow.ts';
import { openOAuthTest } from '../oauth/open-oauth-test.ts';
import { findPostgres, startPrivatePostgres } from '../postgres/private-postgres.ts';

const found = findPostgres();
const skip = 'missing' in found ? found.missing : false;

test('on PostgreSQL too, of two uses of one code exactly one wins, and a replay ends the grant', { skip }, async () => {
  const postgres = await startPrivatePostgres();
  const oauth = await openOAuthTest({ db: postgres.url() });
  after(async () => {
    await oauth.close();
    await postgres.stop();
  });
  const tokens = await oauth.connect();
  assert.deepEqual([await oauth.read(tokens.access_token), await oauth.write(tokens.access_token)], [200, 201]);
  const { getCode, redeem, refresh, isDead } = createCodeFlow(oauth, tokens.client_id);
  for (let round = 0; round < 10; round++) {
    const code = await getCode();
    const answers = await Promise.all([redeem(code), redeem(code)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400], `round ${round}`);
  }
  const next = await refresh(tokens.refresh_token);
  assert.equal(await oauth.read(next.access_token), 200);
  assert.equal((await refresh(tokens.refresh_token)).error, 'invalid_grant');
  assert.ok(await isDead(next.access_token));
});
