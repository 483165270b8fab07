import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { makePacket } from '../../../test/make-packet.ts';
import { DAY, makeCaller, openTestEngine, START, type TestEngine } from '../../../test/open-test-engine.ts';

const caller = makeCaller('cli');

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

/** The lines of a header and records with the end that fits them. */
function sealed(changed: readonly string[]): string[] {
  const lines = changed.map((line) => line.replace(/,"crc":"[0-9a-f]{8}"\}$/, '}'));
  const sha256 = createHash('sha256')
    .update(lines.map((line) => `${line}\n`).join(''))
    .digest('hex');
  return [
    ...lines,
    JSON.stringify({ end: { records: lines.length - 1, versions: 0, relations: 0, graves: 0, sha256 } }),
  ];
}

/** Four memories: plain, changed twice by a person, superseded by another, deleted. */
async function fill(t: TestContext): Promise<TestEngine> {
  const opened = await openTestEngine(t);
  const { engine } = opened;
  const add = async (content: string, key?: string): Promise<string> => {
    const stored = await engine.storeMemory(caller, { content, key });
    assert.ok('memory' in stored);
    return stored.memory.id;
  };
  const changed = await add('first');
  await engine.updateMemory(caller, { ref: changed, content: 'first, changed' });
  await engine.updateMemory(caller, { ref: changed, tags: 'd' });
  const port = await add('The port is 8000.', 'port');
  await engine.updateMemory(caller, { ref: port, content: 'The port is 9000.', versioned: true });
  await engine.deleteMemories(caller, { refs: [await add('to be deleted')] });
  return opened;
}

test('an import over HTTP is stamped with who brought it, and what the file says of its origin is kept as a claim', async (t) => {
  const lines = await collect((await fill(t)).engine.exportRecords(caller, {}));
  const target = await openTestEngine(t);
  const bob = makeCaller('rest', { userId: 'bob', space: 'bob', spaces: ['bob'], client: 'curl/8' });
  target.clock.time += DAY;
  assert.equal((await target.engine.importRecords(bob, each(lines), {})).records, 4);
  const [port] = (await target.engine.getMemories(bob, { refs: ['port'] })).memories;
  assert.deepEqual(port?.source, {
    door: 'import',
    userId: 'bob',
    client: 'curl/8',
    at: target.clock.time,
    claimed: { door: 'cli', userId: 'owner', trust: 'user', createdAt: START },
  });
  assert.equal(port.trust, 'agent', 'no more than a program of his would get');
  assert.ok(port.createdAt < target.clock.time);
  const first = (await target.engine.listMemories(bob, { filter: { tags: ['d'] } })).items[0]!;
  for (const { record } of await target.engine.listVersions(bob, first.id))
    assert.deepEqual([record.source.door, record.source.userId, record.trust], ['import', 'bob', 'agent']);
});

test('an import knows again what it has stamped, and nests no claims', async (t) => {
  const source = await fill(t);
  const lines = await collect(source.engine.exportRecords(caller, {}));
  const bob = makeCaller('rest', { userId: 'bob', space: 'bob', spaces: ['bob'] });
  const target = await openTestEngine(t);
  await target.engine.importRecords(bob, each(lines), {});
  target.clock.time += DAY;
  const again = await target.engine.importRecords(bob, each(lines), {});
  assert.deepEqual([again.records, again.unchanged, again.conflicts], [0, 4, []]);
  const back = await source.engine.importRecords(makeCaller('rest'), each(lines), {});
  assert.deepEqual([back.records, back.unchanged, back.conflicts], [0, 4, []], 'its own records come back as they are');
  const third = await openTestEngine(t);
  const carol = makeCaller('rest', { userId: 'carol', space: 'carol', spaces: ['carol'] });
  const stamped = await collect(target.engine.exportRecords(bob, {}));
  assert.equal((await third.engine.importRecords(carol, each(stamped), {})).records, 4);
  const [port] = (await third.engine.getMemories(carol, { refs: ['port'] })).memories;
  assert.deepEqual(
    [port?.source.userId, port?.source.claimed],
    ['carol', { door: 'cli', userId: 'owner', trust: 'user', createdAt: START }],
  );
  const restored = await openTestEngine(t);
  assert.equal((await restored.engine.importRecords(caller, each(stamped), {})).records, 4);
  const kept = await collect(restored.engine.exportRecords(caller, {}));
  assert.deepEqual(kept.slice(1, -1), stamped.slice(1, -1), 'and a backup is restored with its stamps');
});

test('a packet belongs to who brings it, and has no public page', async (t) => {
  const { engine } = await openTestEngine(t);
  await engine.savePacket(caller, { raw: JSON.stringify(makePacket()) });
  const lines = await collect(engine.exportRecords(caller, {}));
  const [header, record] = lines as [string, string];
  const forged = record.replace(
    '"pushedBy":"owner"',
    `"pushedBy":"owner","published":{"slug":"${'s'.repeat(27)}","at":5}`,
  );
  const bob = makeCaller('rest', { userId: 'bob', space: 'bob', spaces: ['bob'] });
  const report = await engine.importRecords(bob, each(sealed([header, forged])), {});
  assert.deepEqual([report.records, report.problems], [1, []]);
  const { pushedBy, published } = await engine.getPacket(bob, makePacket().id);
  assert.deepEqual([pushedBy, published], ['bob', null]);
  assert.equal((await engine.importRecords(bob, each(sealed([header, forged])), {})).unchanged, 1);
});
