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
  const served = await startServe(folder, ['--db', join(folder, 'memory.db')]);
  context.after(() => served.stop());
  const server = { url: served.url, token: ownerToken(folder) };
  const [one, two] = [await makeMachine(context, 'one', server), await makeMachine(context, 'two', server)];
  const canaries = Array.from({ length: 6 }, (_, i) => `canary${i}q${(i * 104_729).toString(36)}`);
  const labels = ['--tags', canaries[1]!, '--project', canaries[2]!, '--metadata', `key=${canaries[3]}`];
  const port = await storeOn(one, `The port is 8000 ${canaries[0]}`, ...labels);
  await storeOn(two, `Deploys go out on Fridays ${canaries[4]}`);

  const begun = await syncOn(one, 'memory', '--to', server.url, '--encrypt', '--machine', 'first laptop');
  assert.deepEqual([begun.in_sync, begun.pushed, begun.recovery_words?.length], [true, 1, 24]);
  const refused = await two.tell('sync', 'memory', '--to', server.url);
  assert.notEqual(refused.code, 0);
  assert.match(refused.stderr, /sealed.*--words/s);
  const file = join(two.home, 'words');
  writeFileSync(file, ['nonsense', ...begun.recovery_words!.slice(1)].join(' '));
  const joining = ['memory', '--to', server.url, '--words', file, '--machine', 'second laptop'];
  assert.match((await two.tell('sync', ...joining)).stderr, /Word 1 is none/);
  writeFileSync(file, begun.recovery_words!.join('\n'));
  const joined = await syncOn(two, ...joining);
  assert.deepEqual([joined.in_sync, joined.pulled, joined.pushed, joined.recovery_words], [true, 1, 1, undefined]);
  assert.deepEqual(await syncOn(one, 'memory').then(({ pulled, in_sync }) => [pulled, in_sync]), [1, true]);
  const keys = join(one.home, '.config', 'ltm', 'sealed');
  assert.equal(statSync(join(keys, readdirSync(keys)[0]!)).mode & 0o777, 0o600);

  const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' };
  const body = '{"content":"readable"}';
  const stored = await fetch(`${server.url}/api/v1/memories`, { method: 'POST', headers, body });
  assert.deepEqual([stored.status, ((await stored.json()) as { code: string }).code], [409, 'space_sealed']);
  const listed = await fetch(`${server.url}/api/v1/memories`, { headers });
  assert.equal(((await listed.json()) as { code: string }).code, 'space_sealed');

  const rotated = await syncOn(one, 'rotate', '--revoke', 'second laptop', '--new-words');
  assert.deepEqual([rotated.in_sync, rotated.sealed?.epoch, rotated.sealed?.left_to_reseal], [true, 2, 0]);
  assert.notDeepEqual(rotated.recovery_words, begun.recovery_words);
  await one.ltm('edit', port, '--content', `Written after the new key ${canaries[5]}`);
  assert.equal((await syncOn(one, 'memory')).in_sync, true);
  const out = await two.tell('sync', 'memory');
  assert.notEqual(out.code, 0);
  assert.match(out.stderr, /taken off/);
  const status = JSON.parse(await one.ltm('sync', 'status', '--json'));
  const machines = status.links[0].sealed.machines as { name: string; is_this: boolean }[];
  assert.deepEqual(
    [status.links[0].in_sync, machines.map(({ name, is_this }) => [name, is_this])],
    [true, [['first laptop', true]]],
  );
  await served.stop();
  const everything = bytesBelow(folder);
  assert.deepEqual(
    canaries.filter((canary) => everything.includes(canary)),
    [],
  );
  assert.ok(!everything.includes(begun.recovery_words!.slice(0, 2).join(' ')));
});
