import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { startObservationServer } from './observation-server.ts';
import { makeServeFolder, removeFolder } from './serve-process.ts';

const [ADA, BOB] = ['token-of-ada-0123456789abcdef', 'token-of-bob-0123456789abcdef'];

test('what happened in sessions of one person is nobody else’s, by number, id, session or words', async (t) => {
  const folder = makeServeFolder({ [ADA]: 'ada', [BOB]: 'bob' });
  t.after(() => removeFolder(folder));
  const server = await startObservationServer(folder, ['--tokens-file', join(folder, 'user_tokens.json')]);
  t.after(() => server.stop());
  const observe = async (token: string, command: string) => {
    const event = { session_id: 'same', project: 'web', tool_name: 'Bash', tool_input: { command }, tool_output: 'ok' };
    return (await server.post('/observe', event, token)).body.observation_id as number;
  };
  assert.equal(await observe(ADA, 'make zeppelin'), 1);
  assert.equal(await observe(ADA, 'fly zeppelin'), 2);
  assert.equal(await observe(BOB, 'make kite'), 1, 'numbers are of a space');
  const [own] = (await server.get('/observation/1', BOB)).body.observations;
  assert.match(own.tool_input, /kite/);
  assert.deepEqual((await server.get('/observation/2', BOB)).body.observations, []);
  assert.equal((await server.get('/timeline/2', BOB)).status, 404);
  assert.deepEqual((await server.get('/timeline/1?before=9&after=9', BOB)).body.after, []);
  assert.doesNotMatch(JSON.stringify((await server.get('/search?q=zeppelin', BOB)).body.results), /zeppelin/);
  assert.doesNotMatch(JSON.stringify((await server.get('/export?include_raw=1', BOB)).body), /zeppelin/);
  assert.doesNotMatch((await server.get('/context', BOB)).body.context, /zeppelin/);
  assert.equal((await server.get('/stats', BOB)).body.totalObservations, 1);
  assert.ok(!('pid' in (await server.get('/status', BOB)).body));
  const [{ record_id: id }] = (await server.get('/observation/2', ADA)).body.observations;
  const found = await server.post('/api/v1/observations/get', { refs: [id, '2'] }, BOB);
  assert.deepEqual(found.body, { observations: [], missing: [id, '2'] });
  const forgotten = await server.post('/api/v1/observations/forget', { refs: [id] }, BOB);
  assert.deepEqual(forgotten.body, { forgotten: 0, missing: [id], derived: [], derived_count: 0 });
  await server.post('/api/v1/observations/forget', { session: 'same' }, BOB);
  assert.equal((await server.get('/stats', ADA)).body.totalObservations, 2);
  assert.deepEqual((await server.get('/api/v1/sessions', BOB)).body.sessions, []);
  assert.equal((await server.post('/shutdown', {}, BOB)).status, 403);
});
