import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { collect, each, fill, importLines, withoutSum } from '../../../test/exchange-samples.ts';
import { engineError, makeCaller, openTestEngine } from '../../../test/open-test-engine.ts';

const caller = makeCaller('cli');

describe('export and import', () => {
  test('bring everything into an empty database exactly as it was', async (t) => {
    const source = await fill(t);
    const lines = await collect(source.engine.exportRecords(caller, {}));
    const target = await openTestEngine(t);
    const report = await importLines(target, lines);
    assert.deepEqual(report, {
      records: 4,
      unchanged: 0,
      updated: 0,
      rejected: 0,
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
      updated: 0,
      rejected: 0,
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
    assert.equal(report.rejected, 1);
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
      updated: 0,
      rejected: 0,
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
    // The tombstone of what was deleted and its key come along.
    assert.deepEqual(steps, [6]);
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
