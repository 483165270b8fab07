import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServe } from './serve-process.ts';
import { type Machine, makeFolder, makeMachine, ownerToken, storeOn } from './sync-machines.ts';

interface Synced {
  pulled: number;
  pushed: number;
  in_sync: boolean;
  recovery_words?: string[];
  sealed?: { epoch: number; sent_again: number; left_to_reseal: number };
}

async function syncOn(machine: Machine, ...words: string[]): Promise<Synced> {
  return JSON.parse(await machine.ltm('sync', ...words, '--json')) as Synced;
}

/** Everything below a folder, in one. */
function bytesBelow(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Buffer.concat(files.map((entry) => readFileSync(join(entry.parentPath, entry.name))));
}

test('a server that cannot read: sealed at the start, joined with the words, a machine taken off', async (context) => {
  const folder = makeFolder(context, 'sealed');
  const db = join(folder, 'memory.db');
  const served = await startServe(folder, ['--db', db]);
  context.after(() => served.stop());
  const server = { url: served.url, token: ownerToken(folder) };
  const [one, two, three] = [
    await makeMachine(context, 'one', server),
    await makeMachine(context, 'two', server),
    await makeMachine(context, 'three', server),
  ];
  const canaries = Array.from({ length: 20 }, (_, i) => `canary${i}q${(i * 104_729).toString(36)}`);
  const port = await storeOn(one, `The port is 8000 ${canaries[0]}`, '--tags', canaries[1]!, '--project', canaries[2]!);
  await storeOn(two, `Deploys go out on Fridays ${canaries[3]}`, '--metadata', `key=${canaries[4]}`);

  const begun = await syncOn(one, 'memory', '--to', server.url, '--encrypt', '--machine', 'first laptop');
  assert.deepEqual([begun.in_sync, begun.pushed, begun.recovery_words?.length], [true, 1, 24]);
  const words = begun.recovery_words!.join('\n');

  const refused = await two.tell('sync', 'memory', '--to', server.url);
  assert.notEqual(refused.code, 0);
  assert.match(refused.stderr, /sealed.*--words/s);
  const wrong = join(two.home, 'wrong');
  writeFileSync(wrong, words.replace(/^\w+/, 'nonsense'));
  assert.match((await two.tell('sync', 'memory', '--to', server.url, '--words', wrong)).stderr, /Word 1 is none/);
  for (const machine of [two, three]) {
    const file = join(machine.home, 'words');
    writeFileSync(file, words);
    const name = machine === two ? 'second' : 'third';
    const joined = await syncOn(machine, 'memory', '--to', server.url, '--words', file, '--machine', name);
    assert.equal(joined.in_sync, true);
    assert.equal(joined.recovery_words, undefined);
  }
  assert.equal((await syncOn(one, 'memory')).in_sync, true);
  assert.deepEqual(await one.list(), await two.list());

  const there = bytesBelow(folder);
  assert.deepEqual(
    canaries.slice(0, 5).filter((canary) => there.includes(canary)),
    [],
  );
  assert.ok(!begun.recovery_words!.some((word) => there.includes(`"${word}"`)));
  const kept = readdirSync(join(one.home, '.config', 'ltm', 'sealed')).map((name) =>
    join(one.home, '.config', 'ltm', 'sealed', name),
  );
  assert.equal(statSync(kept[0]!).mode & 0o777, 0o600);

  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  const stored = await fetch(`${server.url}/api/v1/memories`, {
    method: 'POST',
    headers,
    body: '{"content":"readable"}',
  });
  assert.deepEqual([stored.status, ((await stored.json()) as { code: string }).code], [409, 'space_sealed']);
  const listed = await fetch(`${server.url}/api/v1/memories`, { headers });
  assert.equal(((await listed.json()) as { code: string }).code, 'space_sealed');

  await one.ltm('edit', port, '--content', 'The port is 8001');
  await two.ltm('edit', port, '--content', 'The port is 8002');
  for (const machine of [one, two, one]) assert.equal((await syncOn(machine, 'memory')).in_sync, true);
  const { conflicts } = JSON.parse(await one.ltm('sync', 'conflicts', '--json'));
  assert.equal(conflicts[0].texts.length, 2);

  const rotated = await syncOn(one, 'rotate', '--revoke', 'third', '--new-words');
  assert.deepEqual([rotated.in_sync, rotated.sealed?.epoch, rotated.sealed?.left_to_reseal], [true, 2, 0]);
  assert.notDeepEqual(rotated.recovery_words, begun.recovery_words);
  await storeOn(one, `Written after the new key ${canaries[5]}`);
  await syncOn(one, 'memory');
  assert.equal((await syncOn(two, 'memory')).in_sync, true);
  const out = await three.tell('sync', 'memory');
  assert.notEqual(out.code, 0);
  assert.match(out.stderr, /taken off/);
  const status = JSON.parse(await two.ltm('sync', 'status', '--json'));
  assert.deepEqual(
    status.links[0].sealed.machines.map(({ name, is_this }: { name: string; is_this: boolean }) => [name, is_this]),
    [
      ['first laptop', false],
      ['second', true],
    ],
  );
  await two.ltm('purge', port, '--yes');
  for (const machine of [two, one]) assert.equal((await syncOn(machine, 'memory')).in_sync, true);
  assert.deepEqual(await one.list(), await two.list());
  assert.equal((await one.tell('doctor')).code, 0);
  await served.stop();
  const everything = bytesBelow(folder);
  assert.deepEqual(
    canaries.filter((canary) => everything.includes(canary)),
    [],
  );
});
