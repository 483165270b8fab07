import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { findPostgres, startPrivatePostgres } from '../postgres/private-postgres.ts';
import { PLAIN_ENV, PROGRAM } from './program.ts';
import { startServe } from './serve-process.ts';
import { makeFolder, makeMachine, ownerToken, storeOn } from './sync-machines.ts';

test('two machines and a server: one offline for a while, and a backup put back', async (context) => {
  const folder = makeFolder(context, 'server');
  const db = join(folder, 'memory.db');
  let served = await startServe(folder, ['--db', db]);
  context.after(() => served.stop());
  const server = { url: served.url, token: ownerToken(folder) };
  const [one, two] = [await makeMachine(context, 'one', server), await makeMachine(context, 'two', server)];
  const port = await storeOn(one, 'The port is 8000', '--tags', 'net');
  const friday = await storeOn(two, 'Deploys go out on Fridays');
  assert.deepEqual((await one.sync()).in_sync, true);
  assert.deepEqual((await two.sync()).in_sync, true);
  assert.equal((await one.sync()).pulled, 1);
  await two.ltm('backup', 'create', '--to', join(two.home, 'backups'));

  await served.stop();
  const offline = await one.tell('sync', 'memory', '--to', server.url);
  assert.notEqual(offline.code, 0);
  assert.match(offline.stderr, /does not answer/);
  await one.ltm('edit', port, '--content', 'The port is 8001');
  await one.ltm('delete', friday, '--yes');
  const plan = await storeOn(one, 'A plan that nobody shall find again');
  assert.equal(JSON.parse((await one.tell('sync', 'status', '--json')).stdout).links[0].in_sync, null);

  served = await startServe(folder, ['--db', db], {}, new URL(server.url).port);
  assert.deepEqual((await one.sync()).in_sync, true);
  assert.deepEqual((await two.sync()).in_sync, true);
  assert.deepEqual(await two.list(), ['A plan that nobody shall find again', 'The port is 8001']);
  await one.ltm('purge', plan, '--yes');
  await one.sync();
  await two.sync();
  assert.deepEqual(await two.list(), ['The port is 8001']);

  await two.ltm('backup', 'restore', join(two.home, 'backups'), '--yes');
  assert.deepEqual(await two.list(), ['Deploys go out on Fridays', 'The port is 8000']);
  await storeOn(two, 'Written on the old database');
  assert.equal((await two.sync()).in_sync, true);
  assert.equal((await one.sync()).in_sync, true);
  for (const machine of [one, two])
    assert.deepEqual(await machine.list(), ['The port is 8001', 'Written on the old database']);
  const status = JSON.parse(await two.ltm('sync', 'status', '--json'));
  assert.deepEqual([status.links.length, status.links[0].in_sync], [1, true]);
  assert.equal((await one.tell('doctor')).code, 0);
});

test('an exchange that is killed again and again ends with everything, once', async (context) => {
  const folder = makeFolder(context, 'server');
  const served = await startServe(folder, ['--db', join(folder, 'memory.db')]);
  context.after(() => served.stop());
  const server = { url: served.url, token: ownerToken(folder) };
  for (let i = 0; i < 16; i++) {
    const memories = Array.from({ length: 50 }, (_, n) => ({ content: `Fact ${i * 50 + n} of a long list` }));
    const answer = await fetch(`${server.url}/api/v1/memories/batch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ memories }),
    });
    assert.ok(answer.ok, await answer.text());
  }
  const machine = await makeMachine(context, 'killed', server);
  await storeOn(machine, 'One of its own');
  for (const ms of [400, 600, 800, 1000, 1300]) {
    const env = { ...PLAIN_ENV, HOME: machine.home };
    const child = spawn(process.execPath, [PROGRAM, 'sync', 'memory', '--to', server.url], { env, cwd: machine.home });
    await Promise.race([once(child, 'exit'), pause(ms)]);
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  assert.equal((await machine.sync()).in_sync, true);
  assert.equal(JSON.parse(await machine.ltm('list', '--json', '--limit', '1')).total, 801);
  assert.equal((await machine.tell('doctor')).code, 0);
});

test('a token that was revoked is out', async (context) => {
  const folder = makeFolder(context, 'server');
  const db = join(folder, 'memory.db');
  const served = await startServe(folder, ['--db', db]);
  context.after(() => served.stop());
  const owner = { url: served.url, token: ownerToken(folder) };
  const headers = { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' };
  const made = await fetch(`${served.url}/api/v1/tokens`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'laptop' }),
  });
  const { value: token, token: shown } = (await made.json()) as { value: string; token: { id: string } };
  const machine = await makeMachine(context, 'revoked', { url: served.url, token });
  await storeOn(machine, 'Before');
  assert.equal((await machine.sync()).pushed, 1);
  await fetch(`${served.url}/api/v1/tokens/${shown.id}`, { method: 'DELETE', headers });
  await storeOn(machine, 'After');
  const refused = await machine.tell('sync', 'memory', '--to', served.url);
  assert.notEqual(refused.code, 0);
  const there = await fetch(`${served.url}/api/v1/memories`, { headers });
  assert.equal(((await there.json()) as { total: number }).total, 1);
});

const found = findPostgres();
test('a server on PostgreSQL with several workers', {
  skip: 'missing' in found ? found.missing : false,
}, async (context) => {
  const postgres = await startPrivatePostgres();
  context.after(() => postgres.stop());
  const folder = makeFolder(context, 'server');
  const served = await startServe(folder, ['--db', postgres.url({ superuser: true }), '--workers', '2']);
  context.after(() => served.stop());
  const server = { url: served.url, token: ownerToken(folder) };
  const [one, two] = [await makeMachine(context, 'one', server), await makeMachine(context, 'two', server)];
  const id = await storeOn(one, 'The port is 8000', '--tags', 'net');
  await one.sync();
  await two.sync();
  await one.ltm('edit', id, '--content', 'The port is 8001');
  await two.ltm('edit', id, '--content', 'The port is 8002');
  for (const machine of [one, two, one]) await machine.sync();
  const { conflicts } = JSON.parse(await one.ltm('sync', 'conflicts', '--json'));
  assert.deepEqual(conflicts[0].texts.map(({ content }: { content: string }) => content).sort(), [
    'The port is 8001',
    'The port is 8002',
  ]);
  await two.ltm('purge', id, '--yes');
  for (const machine of [two, one]) assert.equal((await machine.sync()).in_sync, true);
  assert.deepEqual(await one.list(), []);
});
