import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openTestApp, type TestApp } from '../../test/open-test-app.ts';

let app: TestApp;
before(async () => {
  app = await openTestApp({ embedder: 'none' });
  for (const id of ['ann', 'bob', 'cat', 'dan'])
    await app.store.changeIdentity(
      [{ op: 'add_user', user: { id, name: id, email: null, createdAt: 1, suspendedAt: null } }],
      'test',
    );
});
after(() => app.close());

async function openStream(token: string, path = '/api/v1/events'): Promise<{ ended: Promise<string> }> {
  const response = await app.request('GET', path, { token, headers: { accept: 'text/event-stream' } });
  assert.equal(response.status, 200);
  return { ended: response.text() };
}

it('ends the streams of somebody who leaves a team, loses a token or is suspended, before anything more is told', async (t) => {
  // Time stands still, so that the stream guard never looks by itself.
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const team = { id: 'team_1', name: 'ops', ownerId: 'ann', createdAt: 1 };
  await app.store.changeIdentity([{ op: 'add_team', team }], 'test');
  const tokens = new Map<string, string>();
  for (const id of ['ann', 'bob', 'cat', 'dan']) tokens.set(id, (await app.addToken(['read', 'write'], id)).value);
  for (const userId of ['bob', 'cat', 'dan'])
    await app.store.changeIdentity(
      [{ op: 'put_member', membership: { teamId: 'team_1', userId, role: 'member', joinedAt: 1 } }],
      'test',
    );
  const streams = new Map<string, { ended: Promise<string> }>();
  for (const [id, token] of tokens) streams.set(id, await openStream(token));
  let isOverForAnn = false;
  void streams.get('ann')!.ended.then(() => {
    isOverForAnn = true;
  });
  const sse = await openStream(tokens.get('bob')!, '/mcp/sse');

  assert.equal(
    (await app.request('DELETE', '/api/v1/teams/ops/members/bob', { token: tokens.get('ann')! })).status,
    204,
  );
  assert.equal((await app.request('DELETE', '/api/v1/tokens/current', { token: tokens.get('cat')! })).status, 204);
  assert.equal((await app.request('PATCH', '/api/v1/users/dan', { json: { suspended: true } })).status, 200);
  for (const stream of [sse, ...['bob', 'cat', 'dan'].map((id) => streams.get(id)!)]) await stream.ended;
  await app.request('POST', '/api/v1/memories?team=ops', {
    token: tokens.get('ann')!,
    json: { content: 'said after they had gone' },
  });
  for (const id of ['bob', 'cat', 'dan']) assert.doesNotMatch(await streams.get(id)!.ended, /said after/);
  for (let i = 0; i < 20; i++) await nextTurn();
  assert.equal(isOverForAnn, false, 'others go on');
});
