import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { expectMode } from '../../../../test/expect-mode.ts';
import type { SessionEvent } from '../../../model/session-event.ts';
import { appendEvent, describeSpool } from './spool.ts';
import { takeSpool } from './take-spool.ts';

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'ltm-spool-')), 'spool');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

function event(key: string, output = 'x'): SessionEvent {
  return {
    key,
    event: 'tool',
    at: 1,
    agent: 'codex',
    session: 's',
    project: null,
    directory: null,
    tool: { name: 'Bash', input: {}, output },
  };
}

/** A place that records each key once, as engines do. */
function createPlace() {
  const keys = new Set<string>();
  let deliveries = 0;
  const deliver = async (events: readonly SessionEvent[]) => {
    deliveries++;
    for (const { key } of events) keys.add(key);
    return { refused: [] };
  };
  return { keys, deliver, deliveries: () => deliveries };
}

test('events are written for their owner alone, and taken in once', async () => {
  for (const key of ['a', 'b', 'c']) appendEvent(folder, event(key));
  expectMode(folder, 0o700);
  expectMode(join(folder, 'events.jsonl'), 0o600);
  assert.equal(describeSpool(folder).waiting, 3);
  const place = createPlace();
  assert.deepEqual(await takeSpool(folder, place), { events: 3, refused: 0 });
  assert.deepEqual(await takeSpool(folder, place), { events: 0, refused: 0 });
  assert.deepEqual([...place.keys], ['a', 'b', 'c']);
  assert.equal(describeSpool(folder).waiting, 0);
});

test('a delivery that fails leaves everything for the next', async () => {
  appendEvent(folder, event('a'));
  const fails = { deliver: () => Promise.reject(new Error('down')) };
  for (let i = 0; i < 3; i++) await assert.rejects(takeSpool(folder, fails), /down/);
  appendEvent(folder, event('b'));
  const place = createPlace();
  await takeSpool(folder, place);
  assert.deepEqual([...place.keys].sort(), ['a', 'b']);
});

test('what a killed taker has left is taken again, what a living one holds is not', async () => {
  appendEvent(folder, event('a'));
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  renameSync(join(folder, 'events.jsonl'), join(folder, `events-${pid}-x1.taking`));
  appendEvent(folder, event('b'));
  renameSync(join(folder, 'events.jsonl'), join(folder, `events-${process.ppid}-x2.taking`));
  const place = createPlace();
  await takeSpool(folder, place);
  assert.deepEqual([...place.keys], ['a']);
  assert.equal(describeSpool(folder).waiting, 1);
});

const NO_ZOMBIES = process.platform === 'linux' ? false : 'only Linux tells the state of a process in a file';
test('what a taker has left that ended without being waited for is taken again', { skip: NO_ZOMBIES }, async () => {
  const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 60']);
  const pid = Number(String((await once(parent.stdout, 'data'))[0]));
  const stateOf = () => / ([A-Z]) /.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1];
  while (stateOf() !== 'Z') await setTimeout(10);
  appendEvent(folder, event('a'));
  renameSync(join(folder, 'events.jsonl'), join(folder, `events-${pid}-x1.taking`));
  const place = createPlace();
  await takeSpool(folder, place);
  parent.kill();
  assert.deepEqual([...place.keys], ['a']);
});

test('two takers at once share the work', async () => {
  for (let i = 0; i < 500; i++) appendEvent(folder, event(`k${i}`));
  const place = createPlace();
  const reports = await Promise.all([takeSpool(folder, place), takeSpool(folder, place)]);
  assert.equal(place.keys.size, 500);
  assert.equal(
    reports.reduce((sum, { events }) => sum + events, 0),
    500,
  );
});

/** Writes 300 events as fast as it can. */
const WRITER = `
  import { appendEvent } from ${JSON.stringify(join(import.meta.dirname, 'spool.ts'))};
  const [folder, name] = process.argv.slice(1);
  for (let i = 0; i < 300; i++) appendEvent(folder, { key: name + i, event: 'turn', at: 1, agent: 'a', session: 's', project: null, directory: null });
`;

test('nothing is lost when files are taken while others write to them', async () => {
  const place = createPlace();
  const writers = ['a', 'b', 'c'].map((name) =>
    once(spawn(process.execPath, ['--input-type=module', '-e', WRITER, folder, name], { stdio: 'inherit' }), 'exit'),
  );
  let isDone = false;
  const all = Promise.all(writers).then((codes) => {
    isDone = true;
    return codes;
  });
  while (!isDone) {
    await takeSpool(folder, place);
    await setTimeout(1);
  }
  assert.deepEqual(await all, [
    [0, null],
    [0, null],
    [0, null],
  ]);
  await takeSpool(folder, place);
  assert.equal(place.keys.size, 900);
});

test('somebody in a hurry takes some, and the rest stays', async () => {
  for (let i = 0; i < 30; i++) appendEvent(folder, event(`k${i}`));
  const place = createPlace();
  assert.equal((await takeSpool(folder, { ...place, maxEvents: 12, batch: 5 })).events, 12);
  assert.equal(place.deliveries(), 3);
  assert.equal(describeSpool(folder).waiting, 18);
  await takeSpool(folder, place);
  assert.equal(place.keys.size, 30);
});

test('lines that cannot be read, and events that are refused, are set aside and counted', async () => {
  appendEvent(folder, event('a'));
  writeFileSync(join(folder, 'events.jsonl'), '{"key":"torn', { flag: 'a' });
  appendEvent(folder, event('b'));
  const keys: string[] = [];
  const deliver = async (events: readonly SessionEvent[]) => {
    keys.push(...events.map(({ key }) => key));
    return { refused: [{ key: 'b', reason: 'is odd' }] };
  };
  assert.deepEqual(await takeSpool(folder, { deliver }), { events: 2, refused: 2 });
  assert.deepEqual(keys, ['a', 'b']);
  assert.equal(describeSpool(folder).refused, 2);
  assert.match(readFileSync(join(folder, 'refused', 'events.jsonl'), 'utf8'), /unreadable[\s\S]*is odd/);
});

test('a spool that is full leaves out outputs first, then events, and counts them', () => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'events.jsonl'), '');
  truncateSync(join(folder, 'events.jsonl'), 50 << 20);
  assert.equal(appendEvent(folder, event('a', 'long output')), 'written');
  assert.ok(!readFileSync(join(folder, 'events.jsonl')).includes('long output'));
  truncateSync(join(folder, 'events.jsonl'), 65 << 20);
  assert.equal(appendEvent(folder, event('b')), 'dropped');
  assert.equal(appendEvent(folder, event('c')), 'dropped');
  assert.equal(describeSpool(folder).dropped, 2);
});

test('a megabyte is held back for the day the disk is full', async () => {
  appendEvent(folder, event('a'));
  assert.ok(readdirSync(folder).includes('reserve'));
  rmSync(join(folder, 'reserve'));
  await takeSpool(folder, createPlace());
  assert.ok(readdirSync(folder).includes('reserve'));
});
