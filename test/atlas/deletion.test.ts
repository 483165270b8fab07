import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { exchangeReplicas } from '../../src/features/sync/exchange-replicas.ts';
import { openMachine } from '../travel/open-machine.ts';
import { openHome, openShared } from './atlas-world.ts';

const GONE = 'The harbour password hint is the mauve heron.';
const SIBLING = 'The harbour opens at six for the mauve ferry.';

test('deletion.absent_after_reindex_and_restart: no way leads to what was forgotten', async (t) => {
  const shared = await openShared(t);
  const { ask, call, store } = shared.alice;
  const id = await store(GONE, { type: 'preference', tags: ['harbour'] });
  await store(SIBLING, { type: 'preference', tags: ['harbour'] });
  const context = async () =>
    (await ask('POST', '/api/v1/context', { prompt: 'What is the harbour password hint?', timeout_ms: 10_000 })).text;
  assert.match(await context(), /heron/, 'it was in the prompt');
  assert.equal((await ask('DELETE', `/api/v1/memories/${id}`)).status, 200);
  for (const horizon of ['weekly', 'monthly']) await ask('POST', '/api/v1/consolidation/runs', { horizon });
  await ask('POST', '/api/v1/maintenance', {});
  await shared.restart();
  const probes = [
    (await ask('GET', '/api/v1/search?q=harbour+password+heron&limit=50')).text,
    (await ask('GET', '/api/v1/search?q=heron&mode=exact')).text,
    (await ask('GET', '/api/v1/search?q=heron&mode=semantic')).text,
    (await ask('GET', '/api/v1/search?q=heron&mode=text&fallback=true')).text,
    (await ask('GET', '/api/v1/memories?limit=100&include_superseded=true')).text,
    (await ask('GET', '/api/v1/memories?contains=heron')).text,
    (await ask('GET', `/api/v1/memories/${id}`)).text,
    (await ask('GET', '/api/v1/about?name=heron')).text,
    (await ask('GET', '/api/v1/relations')).text,
    (await ask('GET', '/api/v1/insights')).text,
    (await ask('GET', '/api/v1/timeline')).text,
    (await ask('GET', '/api/v1/export')).text,
    (await ask('GET', '/api/memories')).text,
    await context(),
    JSON.stringify(await call('memory_search', { query: 'heron' })),
    JSON.stringify(await call('memory_list', {})),
  ];
  for (const [at, told] of probes.entries()) assert.doesNotMatch(told, /mauve heron/, `probe ${at}`);
  assert.match(probes[0]!, /mauve ferry/, 'control: the sibling is found');
  assert.match(await context(), /mauve ferry/, 'control: and given');
  const { json } = await ask('GET', `/api/v1/memories/${id}?include_deleted=true`);
  assert.ok(Date.parse(json.deleted_at) > Date.parse(json.created_at), 'when it was deleted is known');
});

test('deletion.absent_from_shared_copies: copies made before go too, and no file brings it back', async (t) => {
  const [hub, near, far] = [await openMachine(t), await openMachine(t), await openMachine(t)];
  const exchange = (one: typeof near) =>
    exchangeReplicas({ near: one.client(), far: hub.client(), url: 'http://hub.test', now: () => one.clock.now() });
  const [gone, own] = [await near.write(GONE), await far.write('The other machine keeps this.')];
  for (const one of [near, far, near]) await exchange(one);
  assert.equal((await far.read(gone))?.content, GONE, 'the copy was there');
  await near.client().deleteMemory({ ref: gone });
  for (const one of [near, far]) await exchange(one);
  assert.equal(await hub.read(gone), undefined);
  assert.equal(await far.read(gone), undefined);
  assert.equal((await far.read(own))?.content, 'The other machine keeps this.', 'control: its own is there');

  const home = openHome(t);
  const [purged, deleted] = [await home.store(GONE), await home.store('The gull is called Mortimer.')];
  await home.store(SIBLING);
  const file = join(home.folder, 'before.jsonl');
  await home.ltm('export', file);
  await home.ltm('backup', 'create', '--to', join(home.folder, 'backups'));
  await home.ltm('purge', purged, '--yes');
  await home.ltm('delete', deleted);
  await home.refused('import', file);
  assert.deepEqual(await home.contents(), [SIBLING], 'an export brings nothing back');
  await home.ltm('reject', deleted);
  await home.ltm('backup', 'restore', '--to', join(home.folder, 'backups'), '--yes');
  assert.deepEqual(await home.contents(), [SIBLING], 'nor does a backup');
});
