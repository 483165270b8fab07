import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { DAY, engineError, makeCaller, openTestEngine, type TestEngine } from '../../../test/open-test-engine.ts';
import type { ImportOptions } from '../engine.ts';

const caller = makeCaller('cli');

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

/** As somebody writes a line who keeps no sum of it. */
const withoutSum = (line: string) => line.replace(/,"crc":"[0-9a-f]{8}"\}$/, '}');

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

const importLines = ({ engine }: TestEngine, lines: readonly string[], options: ImportOptions = {}) =>
  engine.importRecords(caller, each(lines), options);

/** Memories of every sort: plain, changed twice, superseded, deleted, with a key, with odd characters. */
async function fill(t: TestContext): Promise<TestEngine> {
  const test = await openTestEngine(t);
  const { engine, clock } = test;
  const agent = makeCaller('mcp', { client: 'codex/1' });
  const first = await engine.storeMemory(agent, {
    content: 'first "quoted" \u2028 line\n認証エラー 😀',
    tags: 'a b,c',
    metadata: { n: [1, { x: null }] },
    host: 'h',
  });
  assert.ok('memory' in first);
  clock.time += 5;
  await engine.updateMemory(caller, { ref: first.memory.id, content: 'first, changed', reason: 'because' });
  await engine.updateMemory(caller, { ref: first.memory.id, tags: 'd' });
  const port = await engine.storeMemory(caller, {
    content: 'The port is 8000.',
    key: 'port',
    project: 'p',
    quality: 0.25,
    validFrom: 5,
    validUntil: clock.time + DAY,
  });
  assert.ok('memory' in port);
  clock.time += 5;
  await engine.updateMemory(caller, { ref: port.memory.id, content: 'The port is 9000.', versioned: true });
  const gone = await engine.storeMemory(caller, {
    content: 'to be deleted',
    conversation: 'c',
    session: 's',
    agent: 'g',
  });
  assert.ok('memory' in gone);
  await engine.deleteMemories(caller, { refs: [gone.memory.id] });
  return test;
}

describe('export and import', () => {
  test('bring everything into an empty database exactly as it was', async (t) => {
    const source = await fill(t);
    const lines = await collect(source.engine.exportRecords(caller, {}));
    const target = await openTestEngine(t);
    const report = await importLines(target, lines);
    assert.deepEqual(report, {
      records: 4,
      unchanged: 0,
      conflicts: [],
      versions: 3,
      relations: 1,
      redacted: [],
      problems: [],
      skipped: [],
      lacking: [],
    });
    target.clock.time += 12345;
    const again = await collect(target.engine.exportRecords(caller, {}));
    assert.deepEqual(again.slice(1, -1), lines.slice(1, -1));
    assert.notEqual(again[0], lines[0]);
    const hits = await target.engine.search(caller, { query: 'port' });
    assert.deepEqual(
      hits.hits.map((hit) => hit.snippet),
      ['The port is 9000.'],
    );
    const [deleted] = (await target.engine.listMemories(caller, { filter: { deleted: 'only' } })).items;
    assert.equal((await target.engine.restoreMemories(caller, [deleted!.id])).restored[0]?.content, 'to be deleted');
  });

  test('keep a key that an earlier release took, and refuse a line that is nested too deep', async (t) => {
    const source = await openTestEngine(t);
    await source.engine.storeMemory(caller, { content: 'x', metadata: { proto: { a: 1 } } });
    const [header, record] = await collect(source.engine.exportRecords(caller, {}));
    const withEnd = (line: string) => {
      const sha256 = createHash('sha256').update(`${header}\n${line}\n`).digest('hex');
      return [header!, line, JSON.stringify({ end: { records: 1, versions: 0, relations: 0, graves: 0, sha256 } })];
    };
    const target = await openTestEngine(t);
    const odd = withoutSum(record!.replace('"proto"', '"__proto__"'));
    assert.equal((await importLines(target, withEnd(odd))).records, 1);
    const again = (await collect(target.engine.exportRecords(caller, {})))[1]!;
    assert.match(again, /"metadata":\{"__proto__":\{"a":1\}\}/);
    const deep = withoutSum(record!).replace('{"a":1}', '['.repeat(200_000) + ']'.repeat(200_000));
    const { problems } = await importLines(await openTestEngine(t), withEnd(deep));
    assert.match(JSON.stringify(problems), /nested more than 64 levels/);
  });

  test('write nothing the second time', async (t) => {
    const source = await fill(t);
    const lines = await collect(source.engine.exportRecords(caller, {}));
    const head = await source.store.head('owner');
    const report = await importLines(source, lines);
    assert.deepEqual(report, {
      records: 0,
      unchanged: 4,
      conflicts: [],
      versions: 0,
      relations: 0,
      redacted: [],
      problems: [],
      skipped: [],
      lacking: [],
    });
    assert.equal(await source.store.head('owner'), head);
  });

  test('leave alone what is there and different, and name it', async (t) => {
    const source = await fill(t);
    const lines = await collect(source.engine.exportRecords(caller, {}));
    const target = await openTestEngine(t);
    await importLines(target, lines);
    const [changed] = (await target.engine.listMemories(caller, { filter: { tags: ['d'] } })).items;
    await target.engine.updateMemory(caller, { ref: changed!.id, content: 'mine now' });
    const report = await importLines(target, lines);
    assert.deepEqual([report.records, report.unchanged], [0, 3]);
    assert.match(report.conflicts.join(), new RegExp(changed!.id));
    assert.equal((await target.engine.getMemories(caller, { refs: [changed!.id] })).memories[0]?.content, 'mine now');
  });

  test('name a record whose key is taken and bring in the others', async (t) => {
    const lines = await collect((await fill(t)).engine.exportRecords(caller, {}));
    const target = await openTestEngine(t);
    await target.engine.storeMemory(caller, { content: 'other port', key: 'port', project: 'p' });
    const report = await importLines(target, lines);
    assert.equal(report.records, 3);
    assert.equal(report.conflicts.length, 2);
    assert.match(report.conflicts[0]!, /its key belongs to/);
    assert.match(report.conflicts[1]!, /supersedes .* there is no record/);
  });

  test('bring back nothing that was purged, and say so', async (t) => {
    const test = await fill(t);
    const before = await collect(test.engine.exportRecords(caller, {}));
    const [memory] = (await test.engine.listMemories(caller, { filter: { key: 'port' } })).items;
    const { purged } = await test.engine.purgeMemories(caller, [memory!.id]);
    const report = await importLines(test, before);
    assert.deepEqual(
      report.conflicts.filter((line) => line.includes('purged')),
      [`${purged[0]}: it was purged here, and does not come back.`],
    );
    assert.deepEqual(await test.store.getRecords('owner', purged), []);
    assert.equal((await test.engine.examine(caller, {})).sound, true);
  });

  test('carry graves along: what one database purged, another does not take from an older file', async (t) => {
    const test = await fill(t);
    const before = await collect(test.engine.exportRecords(caller, {}));
    const [memory] = (await test.engine.listMemories(caller, { filter: { key: 'port' } })).items;
    const { purged } = await test.engine.purgeMemories(caller, [memory!.id]);
    const after = await collect(test.engine.exportRecords(caller, {}));
    const target = await openTestEngine(t);
    assert.deepEqual((await importLines(target, after)).problems, []);
    assert.deepEqual(
      (await target.store.listGraves('owner', null, 5)).map(({ id }) => id),
      purged,
    );
    await importLines(target, before);
    assert.deepEqual(await target.store.getRecords('owner', purged), []);
    const kept = await openTestEngine(t);
    await importLines(kept, before);
    assert.match((await importLines(kept, after)).conflicts.join(), /purged where this comes from, and is kept here/);
    assert.equal((await kept.store.getRecords('owner', purged)).length, 1);
  });

  test('notice a cut, a changed and a damaged file before anything is written', async (t) => {
    const lines = await collect((await fill(t)).engine.exportRecords(caller, {}));
    const faulty: [string[], RegExp][] = [
      [[], /empty/],
      [lines.slice(0, -1), /truncated/],
      [lines.toSpliced(3, 1), /counts|follow its record|from the newest/],
      [lines.map((line) => line.replace('9000', '9001')), /does not match its hash/],
      [lines.map((line) => line.replace('"p"', '"q"')), /This line does not match its checksum/],
      [lines.map((line) => line.replace('"quality":0.25', '"quality":0.75')), /checksum/],
      [lines.map((line) => line.replace('"kind":"memory"', '"kind":"thing"')), /In this record: kind/],
      [['{"hello":1}', ...lines.slice(1)], /not an ltm export/],
      [['not json', ...lines.slice(1)], /This line is not JSON/],
      [[lines[0]!, lines[1]!, ...lines.slice(1)], /twice|checksum/],
      [[...lines, lines[1]!], /after the end/],
      [[lines[0]!.replace('"version":2', '"version":3'), ...lines.slice(1)], /not an ltm export/],
    ];
    for (const [bad, message] of faulty) {
      const target = await openTestEngine(t);
      const report = await importLines(target, bad);
      assert.ok(report.problems.length > 0, String(message));
      assert.match(report.problems[0]!.message, message);
      assert.equal(report.records, 0);
      assert.equal(await target.store.head('owner'), 0);
    }
  });

  test('leave out damaged lines where that is asked for, name each, and take the rest', async (t) => {
    const lines = await collect((await fill(t)).engine.exportRecords(caller, {}));
    const flipped = lines.findIndex((line) => line.includes('The port is 8000.'));
    const quiet = lines.findIndex((line) => line.includes('to be deleted'));
    const damaged = lines
      .with(flipped, lines[flipped]!.replace('8000', '8001'))
      .with(quiet, lines[quiet]!.replace('"conversation":"c"', '"conversation":"d"'));
    const target = await openTestEngine(t);
    assert.equal((await importLines(target, damaged)).records, 0);
    const { records, problems, skipped, conflicts } = await importLines(target, damaged, { skipDamaged: true });
    assert.deepEqual([records, problems], [2, []]);
    assert.deepEqual(
      skipped.slice(0, 2).map(({ line }) => line - 1),
      [flipped, quiet].toSorted((a, b) => a - b),
    );
    assert.match(skipped.at(-1)!.message, /counts in the end line|checksum in the end line/);
    assert.match(conflicts.join(), /there is no record/);
    assert.deepEqual(
      (await target.engine.examine(caller, {})).checks.filter(({ ok }) => !ok),
      [],
    );
  });

  test('take nothing from a file that was changed where nobody can tell which lines were', async (t) => {
    const lines = await collect((await fill(t)).engine.exportRecords(caller, {}));
    const changed = lines.map((line) => withoutSum(line).replace('"quality":0.25', '"quality":0.75'));
    const target = await openTestEngine(t);
    const { records, problems } = await importLines(target, changed, { skipDamaged: true });
    assert.equal(records, 0);
    assert.match(problems.at(-1)!.message, /which of them are damaged cannot be told/);
  });

  test('name what is damaged, leave it out, and say so to whoever imports the rest', async (t) => {
    const source = await fill(t);
    const [first, second] = (await source.engine.listMemories(caller, {})).items;
    const database = new DatabaseSync(source.path);
    database.exec(`UPDATE records SET trust = 'untrusted' WHERE id = '${first!.id}'`);
    database.exec(`UPDATE record_versions SET reason = 'none' WHERE record_id = '${second!.id}'`);
    database.exec('UPDATE relations SET weight = 0.5');
    database.close();
    const lines = await collect(source.engine.exportRecords(caller, {}));
    const marks = lines.map((line) => JSON.parse(line)).flatMap(({ damaged }) => damaged ?? []);
    assert.deepEqual(marks.map(({ what }) => what).toSorted(), ['record', 'relation', 'version']);
    assert.equal(JSON.parse(lines.at(-1)!).end.damaged, 3);
    assert.ok(lines.every((line) => JSON.parse(line).record?.id !== first!.id));
    const report = await importLines(await openTestEngine(t), lines);
    assert.deepEqual([report.problems, report.records, report.lacking.length], [[], 3, 3]);
  });

  test('understand Windows line ends, a byte order mark and an empty last line', async (t) => {
    const lines = await collect((await fill(t)).engine.exportRecords(caller, {}));
    const report = await importLines(await openTestEngine(t), [
      `\uFEFF${lines[0]}\r\n`,
      ...lines.slice(1).map((line) => `${line}\r\n`),
      '\n',
    ]);
    assert.deepEqual([report.problems, report.records], [[], 4]);
  });

  test('try without writing', async (t) => {
    const lines = await collect((await fill(t)).engine.exportRecords(caller, {}));
    const target = await openTestEngine(t);
    const report = await importLines(target, lines, { dryRun: true });
    assert.deepEqual(report, {
      records: 4,
      unchanged: 0,
      conflicts: [],
      versions: 3,
      relations: 1,
      redacted: [],
      problems: [],
      skipped: [],
      lacking: [],
    });
    assert.equal(await target.store.head('owner'), 0);
  });

  test('mark everything as untrusted on request, and otherwise keep trust and origin', async (t) => {
    const lines = await collect((await fill(t)).engine.exportRecords(caller, {}));
    const trusting = await openTestEngine(t);
    await importLines(trusting, lines);
    const [port] = (await trusting.engine.getMemories(caller, { refs: ['port'] })).memories;
    assert.deepEqual([port?.trust, port?.source.door], ['user', 'cli']);
    const wary = await openTestEngine(t);
    await importLines(wary, lines, { untrusted: true });
    for (const { trust } of (await wary.engine.listMemories(caller, { filter: { deleted: 'include' } })).items)
      assert.equal(trust, 'untrusted');
  });

  test('leave out deleted ones, versions and what a filter excludes', async (t) => {
    const { engine } = await fill(t);
    const some = await collect(
      engine.exportRecords(caller, { includeDeleted: false, includeVersions: false, filter: { project: 'p' } }),
    );
    const kinds = some.map((line) => Object.keys(JSON.parse(line))[0]);
    assert.deepEqual(kinds, ['format', 'record', 'record', 'relation', 'end']);
    assert.ok(!some.join().includes('to be deleted'));
  });

  test('bring memories into another space than they came from, and report progress', async (t) => {
    const lines = await collect((await fill(t)).engine.exportRecords(caller, {}));
    const { engine } = await openTestEngine(t);
    const bob = makeCaller('cli', { userId: 'bob', space: 'bob', spaces: ['bob'] });
    const steps: number[] = [];
    assert.equal((await engine.importRecords(bob, each(lines), { onProgress: (done) => steps.push(done) })).records, 4);
    assert.deepEqual(steps, [4]);
    assert.equal((await engine.listMemories(caller, {})).total, 0);
    assert.ok((await engine.listMemories(bob, {})).total > 0);
  });

  test('need the right scopes', async (t) => {
    const { engine } = await openTestEngine(t);
    const writer = makeCaller('mcp', { scopes: new Set(['read', 'write']) });
    await assert.rejects(engine.importRecords(writer, each([]), {}), engineError('forbidden'));
    await assert.rejects(
      collect(engine.exportRecords(makeCaller('mcp', { scopes: new Set() }), {})),
      engineError('forbidden'),
    );
  });
});
