import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine } from '../../src/engine/engine.ts';
import type { StoreRecordInput } from '../../src/engine/records/store-record.ts';
import type { RecordState } from '../../src/model/record.ts';
import { toEvents } from '../../src/rest/change-events.ts';
import { bookmarkKind } from '../features/bookmark/bookmark-kind.ts';
import { engineError, makeCaller } from '../open-test-engine.ts';
import { openOnStore, STORES } from './open-on-store.ts';

const caller = makeCaller('cli');
const kinds = [bookmarkKind];
const kind = 'bookmark';
const VITE: StoreRecordInput = {
  kind,
  key: 'vite',
  tags: 'build,web',
  body: { url: 'https://vite.dev/guide', note: 'How the dev server bundles modules.' },
};

async function store(engine: Engine, input: StoreRecordInput = VITE): Promise<RecordState> {
  const outcome = await engine.storeRecord(caller, input);
  assert.equal(outcome.outcome, 'stored');
  return (outcome as Extract<typeof outcome, { record: RecordState }>).record;
}

async function readLines(engine: Engine): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of engine.exportRecords(caller, {})) lines.push(line);
  return lines;
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

for (const where of STORES) {
  test(`a new kind is stored, found, listed, changed, deleted and restored with its entry alone, on ${where}`, async (t) => {
    const { engine } = await openOnStore(t, where, kinds);
    const record = await store(engine);
    assert.deepEqual(
      [record.title, record.type, record.tags],
      ['https://vite.dev/guide', 'bookmark', ['build', 'web']],
    );
    assert.equal((await engine.storeRecord(caller, VITE)).outcome, 'unchanged');
    await engine.storeMemory(caller, { content: 'The dev server bundles modules lazily.' });

    const { hits } = await engine.search(caller, { query: 'dev server modules', filter: { kinds: [kind] } });
    assert.deepEqual(
      hits.map((hit) => ({ ...hit, bookmark: null, ...hit })).map((hit) => [hit.id, hit.bookmark]),
      [[record.id, { url: 'https://vite.dev/guide', part: 'note' }]],
    );
    assert.partialDeepStrictEqual((await engine.getRecords(caller, { kind, refs: ['vite'] })).records, [record]);
    assert.partialDeepStrictEqual((await engine.listRecords(caller, { kind })).items, [record]);
    assert.equal((await engine.listMemories(caller, {})).total, 1);

    const note = 'Where plugins are explained.';
    const updated = await engine.updateRecord(caller, {
      kind,
      ref: 'vite',
      body: { note },
      revision: 1,
      reason: 'read it',
    });
    assert.deepEqual([updated.outcome, 'changed' in updated && updated.changed], ['updated', ['body', 'content']]);
    assert.equal((await engine.updateRecord(caller, { kind, ref: 'vite', body: { note } })).outcome, 'unchanged');
    await assert.rejects(
      engine.updateRecord(caller, { kind, ref: 'vite', tags: 'x', revision: 1 }),
      engineError('conflict', /bookmark is at revision 2/),
    );
    const [version] = await engine.listRecordVersions(caller, { kind, ref: 'vite' });
    assert.deepEqual([version?.record.content, version?.reason], [record.content, 'read it']);

    assert.equal((await engine.deleteRecords(caller, { kind, filter: { tags: ['web'] } })).count, 1);
    assert.deepEqual((await engine.getRecords(caller, { kind, refs: ['vite'] })).missing, ['vite']);
    assert.equal(
      (await engine.search(caller, { query: 'plugins explained' })).hits.filter((hit) => hit.kind === kind).length,
      0,
    );
    const { restored } = await engine.restoreRecords(caller, { kind, refs: [record.id] });
    assert.equal(restored[0]?.body.note, note);
    assert.equal((await engine.search(caller, { query: 'plugins explained' })).hits[0]?.id, record.id);
    assert.deepEqual((await engine.purgeRecords(caller, { kind, refs: ['vite'] })).purged, [record.id]);
  });

  test(`it is exported and imported, and refused where it is not sound, on ${where}`, async (t) => {
    const { engine } = await openOnStore(t, where, kinds);
    const record = await store(engine);
    await engine.updateRecord(caller, { kind, ref: 'vite', quality: 1 });
    const lines = await readLines(engine);
    const other = await openOnStore(t, where, kinds);
    const report = await other.engine.importRecords(caller, each(lines), {});
    assert.deepEqual([report.problems, report.records, report.versions], [[], 1, 1]);
    assert.deepEqual(await readLines(other.engine), lines);
    assert.equal((await other.engine.search(caller, { query: 'dev server' })).hits[0]?.id, record.id);

    const plain = await openOnStore(t, where);
    const unknown = await plain.engine.importRecords(caller, each(lines), {});
    assert.match(unknown.problems[0]!.message, /kind "bookmark" is none of memory, packet/);
    const broken = lines.map((line) => line.replace('"url":"https://vite.dev/guide"', '"url":"nowhere"'));
    const refused = await other.engine.importRecords(caller, each(broken), {});
    assert.match(refused.problems[0]!.message, /its url is not an address/);
  });

  test(`it is screened for secrets before it is stored and changed, on ${where}`, async (t) => {
    const { engine } = await openOnStore(t, where, kinds);
    const secret = { url: 'https://example.org', note: 'key AKIAIOSFODNN7EXAMPLQ' };
    const refused = await engine.storeRecord(caller, { kind, body: secret });
    assert.equal(refused.outcome, 'unredacted');
    assert.equal('findings' in refused && refused.findings[0]?.field, 'note');
    await store(engine);
    assert.equal((await engine.updateRecord(caller, { kind, ref: 'vite', body: secret })).outcome, 'unredacted');
    assert.equal((await engine.listRecords(caller, { kind })).items[0]?.revision, 1);
    await store(engine, { kind, body: secret, allowUnredacted: true });
    await assert.rejects(
      store(engine, { kind, body: { url: 'nowhere' } }),
      engineError('invalid_input', /not an address/),
    );
  });

  test(`its changes are told in events, on ${where}`, async (t) => {
    const { engine } = await openOnStore(t, where, kinds);
    await store(engine);
    await engine.updateRecord(caller, { kind, ref: 'vite', quality: 1 });
    await engine.deleteRecords(caller, { kind, refs: ['vite'] });
    const stop = new AbortController();
    const names: string[] = [];
    for await (const page of engine.followChanges(caller, { after: new Map([['owner', 0]]), signal: stop.signal })) {
      names.push(...toEvents(page, new Map(), engine.kinds).map(({ name }) => name));
      if (names.length === 3) stop.abort();
    }
    assert.deepEqual(names, ['bookmark_stored', 'bookmark_updated', 'bookmark_deleted']);
  });
}

test('kinds with rules of their own, and kinds that do not exist, are refused', async (t) => {
  const { engine } = await openOnStore(t, 'SQLite');
  const refusal = engineError('invalid_input', /use the verb that is made for them/);
  await assert.rejects(engine.storeRecord(caller, { kind: 'memory', content: 'x' }), refusal);
  await assert.rejects(engine.updateRecord(caller, { kind: 'packet', ref: 'x' }), refusal);
  await assert.rejects(engine.deleteRecords(caller, { kind: 'packet', refs: ['x'] }), refusal);
  await assert.rejects(engine.restoreRecords(caller, { kind: 'packet', refs: ['x'] }), refusal);
  const unknown = engineError('invalid_input', /no kind of record named "bookmark"/);
  await assert.rejects(engine.storeRecord(caller, VITE), unknown);
  await assert.rejects(engine.listMemories(caller, { filter: { kinds: [kind] } }), unknown);
});

test('no two kinds share a name or a code', async (t) => {
  await assert.rejects(openOnStore(t, 'SQLite', [{ ...bookmarkKind, code: 0 }]), /share a name or a code/);
});
