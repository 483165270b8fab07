import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { openTestApp, type TestApp } from '../../test/open-test-app.ts';

/** Less than the time between two looks of the stream guard. */
const AT_ONCE_MS = 1000;

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

async function isOverAtOnce({ ended }: { ended: Promise<string> }): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), AT_ONCE_MS);
  });
  const result = await Promise.race([ended.then(() => true), late]);
  clearTimeout(timer);
  return result;
}

it('ends the streams of somebody who leaves a team, loses a token or is suspended, before anything more is told', async () => {
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
  const sse = await openStream(tokens.get('bob')!, '/mcp/sse');

  assert.equal(
    (await app.request('DELETE', '/api/v1/teams/ops/members/bob', { token: tokens.get('ann')! })).status,
    204,
  );
  assert.equal((await app.request('DELETE', '/api/v1/tokens/current', { token: tokens.get('cat')! })).status, 204);
  assert.equal((await app.request('PATCH', '/api/v1/users/dan', { json: { suspended: true } })).status, 200);
  for (const [id, stream] of [...streams, ['bob at /mcp/sse', sse] as const].filter(([id]) => id !== 'ann'))
    assert.ok(await isOverAtOnce(stream), id);
  await app.request('POST', '/api/v1/memories?team=ops', {
    token: tokens.get('ann')!,
    json: { content: 'said after they had gone' },
  });
  for (const id of ['bob', 'cat', 'dan']) assert.doesNotMatch(await streams.get(id)!.ended, /said after/);
  assert.equal(await isOverAtOnce(streams.get('ann')!), false, 'others go on');
});
