import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Engine } from '../../src/engine/engine.ts';
import { createDocumentReader } from '../../src/features/documents/create-document-reader.ts';
import type { IngestInput } from '../../src/features/documents/document.ts';
import { toEvents } from '../../src/rest/change-events.ts';
import { openOnStore, STORES } from '../kinds/open-on-store.ts';
import { engineError, makeCaller, openTestEngine } from '../open-test-engine.ts';

const caller = makeCaller('cli');

const GUIDE = `---
title: The Lighthouse
tags: [coast, manual]
---
# The Lighthouse

Built in 1874 on the northern cape.

## Lamp

The lamp turns once in twelve seconds.

### Oil

Whale oil was replaced by paraffin in 1902.

## Keeper

The keeper winds the clockwork every four hours.
`;

function file(text: string, more: Partial<IngestInput> = {}): IngestInput {
  return { name: 'lighthouse.md', bytes: new TextEncoder().encode(text), ...more };
}

async function open(t: TestContext, where: (typeof STORES)[number]): Promise<Engine> {
  return (await openOnStore(t, where, undefined, createDocumentReader())).engine;
}

async function headOf(engine: Engine): Promise<number> {
  return (await engine.listChanges(caller, { after: 0, limit: 1000 })).at(-1)?.seq ?? 0;
}

async function changesAfter(engine: Engine, seq: number): Promise<string[]> {
  const changes = await engine.listChanges(caller, { after: seq, limit: 1000 });
  return changes.filter(({ op }) => op !== 'embedded').map(({ op, kind }) => `${op} ${kind}`);
}

for (const where of STORES) {
  test(`sections of a document are found with title, headings and line, on ${where}`, async (t) => {
    const engine = await open(t, where);
    const { outcome, document, counts } = await engine.ingestDocument(caller, file(GUIDE, { tags: ['north'] }));
    assert.deepEqual([outcome, document.title, document.format], ['ingested', 'The Lighthouse', 'markdown']);
    assert.deepEqual(document.tags, ['north', 'coast', 'manual']);
    assert.deepEqual(counts, { added: 4, moved: 0, unchanged: 0, removed: 0 });
    assert.equal(document.trust, 'untrusted');

    const { hits } = await engine.search(caller, { query: 'what replaced whale oil', limit: 1 });
    assert.deepEqual(hits[0]?.section, {
      document: document.id,
      title: 'The Lighthouse',
      uri: 'lighthouse.md',
      headings: ['The Lighthouse', 'Lamp', 'Oil'],
      page: null,
      line: 15,
    });
    assert.deepEqual(
      [hits[0]?.kind, hits[0]?.trust, hits[0]?.title],
      ['section', 'untrusted', 'The Lighthouse › Lamp › Oil'],
    );
    assert.equal(GUIDE.split('\n')[14], 'Whale oil was replaced by paraffin in 1902.');
    await engine.storeMemory(caller, { content: 'The keeper of the lighthouse is called Ida.' });
    const found = await engine.search(caller, { query: 'keeper', filter: { kinds: ['document'] } });
    assert.ok(found.hits.length > 0 && found.hits.every(({ kind }) => kind === 'section'));
    const byTag = await engine.search(caller, { query: 'clockwork', filter: { tags: ['coast'] } });
    assert.equal(byTag.hits[0]?.section?.headings.at(-1), 'Keeper');
  });

  test(`ingesting again writes what has changed and nothing else, on ${where}`, async (t) => {
    const engine = await open(t, where);
    const first = await engine.ingestDocument(caller, file(GUIDE));
    let head = await headOf(engine);
    assert.equal((await engine.ingestDocument(caller, file(GUIDE))).outcome, 'unchanged');
    assert.equal(await headOf(engine), head);

    const changed = await engine.ingestDocument(caller, file(GUIDE.replace('twelve seconds', 'thirty seconds')));
    assert.equal(changed.outcome, 'updated');
    assert.equal(changed.document.id, first.document.id);
    assert.deepEqual(changed.counts, { added: 1, moved: 0, unchanged: 3, removed: 1 });
    assert.deepEqual((await changesAfter(engine, head)).sort(), [
      'created section',
      'deleted section',
      'updated document',
    ]);

    head = await headOf(engine);
    const moved = await engine.ingestDocument(
      caller,
      file(GUIDE.replace('twelve', 'thirty').replace('\n## Keeper', '\n\n## Keeper')),
    );
    assert.deepEqual(moved.counts, { added: 0, moved: 1, unchanged: 3, removed: 0 });
    const { hits } = await engine.search(caller, { query: 'twelve seconds lamp', mode: 'text', limit: 10 });
    assert.ok(hits.every(({ snippet }) => !snippet.includes('twelve')));
    const { sections } = await engine.getDocument(caller, { ref: 'lighthouse.md', limit: 10 });
    assert.deepEqual(
      sections.map(({ headings, line }) => [headings.at(-1), line]),
      [
        ['The Lighthouse', 7],
        ['Lamp', 11],
        ['Oil', 15],
        ['Keeper', 20],
      ],
    );
  });

  test(`a document is removed, restored and purged with all its sections, on ${where}`, async (t) => {
    const engine = await open(t, where);
    const { document } = await engine.ingestDocument(caller, file(GUIDE));
    const would = await engine.removeDocuments(caller, { refs: [document.id], dryRun: true });
    assert.deepEqual([would.outcome, would.sections], ['would_delete', 4]);
    const removed = await engine.removeDocuments(caller, { refs: ['lighthouse.md', 'nothing.md'] });
    assert.deepEqual([removed.documents.length, removed.sections, removed.missing], [1, 4, ['nothing.md']]);
    assert.equal((await engine.search(caller, { query: 'keeper clockwork' })).hits.length, 0);
    assert.equal((await engine.listDocuments(caller, {})).total, 0);

    await engine.restoreDocument(caller, { ref: document.id });
    assert.equal((await engine.search(caller, { query: 'keeper clockwork', limit: 1 })).hits.length, 1);

    const purged = await engine.purge(caller, { refs: [document.id] });
    assert.equal(purged.count, 5);
    assert.equal((await engine.search(caller, { query: 'keeper clockwork' })).hits.length, 0);
    assert.deepEqual(
      (await engine.listRecords(caller, { filter: { deleted: 'include', kinds: ['section'] } })).items,
      [],
    );
  });

  test(`documents travel with an export and stay sound, on ${where}`, async (t) => {
    const engine = await open(t, where);
    await engine.ingestDocument(caller, file(GUIDE, { project: 'coast' }));
    const lines: string[] = [];
    for await (const line of engine.exportRecords(caller, {})) lines.push(line);
    const other = await open(t, where);
    const report = await other.importRecords(caller, each(lines), {});
    assert.deepEqual([report.records, report.problems, report.lacking], [5, [], []]);
    const { hits } = await other.search(caller, { query: 'paraffin', limit: 1 });
    const { memories } = await other.getMemories(caller, { refs: [hits[0]!.id] });
    assert.partialDeepStrictEqual(memories[0]?.metadata, { title: 'The Lighthouse', line: 15, uri: 'lighthouse.md' });
    assert.equal(hits[0]?.section?.line, 15);
    assert.equal((await other.ingestDocument(caller, file(GUIDE, { project: 'coast' }))).outcome, 'unchanged');
    const { sound, checks } = await other.examine(caller, {});
    assert.ok(sound, JSON.stringify(checks));
    assert.equal((await other.scrubRecords(caller, { apply: true })).count, 0);
  });
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

test('secrets in documents are replaced before they are cut, stored or indexed', async (t) => {
  const { engine } = await openTestEngine(t, { documents: createDocumentReader() });
  const key = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEpAIBAAKCAQEAx7u8kQ2hYb3kP0sWm9ZrTqN4vLcXeJfDgHiUoAyBnEtRwSpM\n'.repeat(90)}-----END RSA PRIVATE KEY-----`;
  const text = `# Deploy\n\n${'Steps of the deployment in detail.\n\n'.repeat(80)}${key}\n\nThe staging password is in the vault.\n`;
  const { document, redactions, warnings } = await engine.ingestDocument(caller, file(text, { name: 'deploy.md' }));
  assert.ok(redactions.some(({ replaced }) => replaced));
  assert.match(warnings.join(), /Secrets were replaced/);
  const { sections } = await engine.getDocument(caller, { ref: document.id, limit: 100 });
  assert.ok(sections.every(({ content }) => !content.includes('MIIEpAIBAAKCAQEA')));
});

test('a document is believed no more than whoever brings it, and not at all unless they say so', async (t) => {
  const { engine } = await openTestEngine(t, { documents: createDocumentReader() });
  const agent = makeCaller('mcp');
  assert.equal((await engine.ingestDocument(agent, file('# A\n\nOne.'))).document.trust, 'untrusted');
  await assert.rejects(
    engine.ingestDocument(agent, file('# B\n\nTwo.', { trust: 'user' })),
    engineError('invalid_input', /trust/),
  );
  const own = await engine.ingestDocument(caller, file('# C\n\nThree.', { name: 'c.md', trust: 'user' }));
  assert.equal(own.document.trust, 'user');
  const again = await engine.ingestDocument(agent, file('# C\n\nThree, changed.', { name: 'c.md' }));
  assert.equal(again.document.trust, 'untrusted');
});

test('a paragraph more in a long text without headings moves a cut or two, not all that follow', async (t) => {
  const { engine } = await openTestEngine(t, { documents: createDocumentReader() });
  const paragraphs = Array.from(
    { length: 300 },
    (_, i) => `Paragraph ${i} tells of the ${i * 7}th voyage and of its crew.\nIt was long.`,
  );
  const whole = (list: readonly string[]) => file(list.join('\n\n'), { name: 'voyages.txt' });
  const first = await engine.ingestDocument(caller, whole(paragraphs));
  const second = await engine.ingestDocument(
    caller,
    whole(paragraphs.toSpliced(20, 0, 'A new paragraph about a storm.')),
  );
  const { added, removed, moved, unchanged } = second.counts;
  assert.ok(first.counts.added > 5, `${first.counts.added} sections`);
  assert.ok(added <= 2 && removed <= 2 && moved + unchanged >= first.counts.added - 2, JSON.stringify(second.counts));
});

test('whoever is interrupted leaves a document that can be finished and removed', async (t) => {
  const { engine, store } = await openTestEngine(t, { documents: createDocumentReader() });
  const text = Array.from({ length: 120 }, (_, i) => `## Part ${i}\n\nText of part ${i}.`).join('\n\n');
  const stop = new Error('stop');
  await assert.rejects(
    engine.ingestDocument(caller, {
      ...file(text, { name: 'long.md' }),
      onProgress: (done) => {
        if (done >= 50) throw stop;
      },
    }),
    (error) => error === stop,
  );
  const [half] = (await engine.listDocuments(caller, {})).items;
  assert.deepEqual([half?.state, half?.sections], ['incomplete', 120]);
  const { outcome, counts } = await engine.ingestDocument(caller, file(text, { name: 'long.md' }));
  assert.deepEqual([outcome, counts.added, counts.unchanged], ['updated', 70, 50]);
  assert.equal((await engine.removeDocuments(caller, { refs: ['long.md'] })).sections, 120);
  const { items } = await store.listRecords('owner', { kinds: ['section'] }, { limit: 1 });
  assert.deepEqual(items, []);
});

test('pages and headings of PDF and Word files are found with their text', async (t) => {
  const documents = createDocumentReader();
  const { engine } = await openTestEngine(t, { documents });
  const fixture = (name: string): IngestInput => ({
    name,
    bytes: readFileSync(join(import.meta.dirname, 'fixtures', name)),
  });
  const found: unknown[] = [];
  for (const [name, query] of [
    ['turbine.pdf', 'rear bearing grease'],
    ['orchard.pdf', 'Boskoop apples'],
    ['plain.pdf', 'herons nested'],
    ['harbour.docx', 'low tide basin'],
    ['harbour.docx', 'replacement lamps'],
  ] as const) {
    await engine.ingestDocument(caller, fixture(name));
    const { hits } = await engine.search(caller, { query, limit: 1 });
    found.push([hits[0]?.section?.title, hits[0]?.section?.headings, hits[0]?.section?.page]);
  }
  assert.deepEqual(found, [
    ['Turbine Manual', ['Maintenance', 'Bearings'], 3],
    ['Orchard Guide', ['Orchard Guide', 'Harvest'], 2],
    ['Field notes', ['Field notes', 'Herons'], 1],
    ['Harbour Handbook', ['Berths', 'Depths'], 1],
    ['Harbour Handbook', ['Lights'], 2],
  ]);
  const gearbox = await engine.getDocument(caller, { ref: 'turbine.pdf', limit: 10 });
  assert.equal(gearbox.document.pages, 5);
  assert.match(gearbox.sections[1]!.content, /main\u00adtenance|maintenance log/);
  assert.ok(gearbox.sections.every(({ content }) => !/revision 4|^Page \d/m.test(content)));
});

test('of a document one event is told, and its sections count as no labels and no entries of a timeline', async (t) => {
  const { engine } = await openTestEngine(t, { documents: createDocumentReader() });
  const stop = new AbortController();
  const pages = engine.followChanges(caller, { signal: stop.signal, after: new Map([['owner', 0]]) });
  await engine.ingestDocument(caller, file(GUIDE, { tags: ['x'] }));
  const names: string[] = [];
  for await (const page of pages) {
    names.push(...toEvents(page, new Map(), engine.kinds).map(({ name }) => name));
    if (names.length > 0) stop.abort();
  }
  assert.deepEqual(names, ['document_stored']);
  assert.deepEqual((await engine.countLabels(caller, 'tag')).find(({ value }) => value === 'x')?.count, 1);
  assert.deepEqual(
    (await engine.getTimeline(caller, {})).items.map(({ kind }) => kind),
    ['document'],
  );
});

test('several programs that ingest the same document at once leave one document, whole', async (t) => {
  const documents = createDocumentReader();
  const first = await openTestEngine(t, { documents });
  const second = await openTestEngine(t, { documents, path: first.path });
  const text = Array.from({ length: 90 }, (_, i) => `## Part ${i}\n\nText of part ${i}.`).join('\n\n');
  await Promise.all([
    first.engine.ingestDocument(caller, file(text)),
    second.engine.ingestDocument(caller, file(text)),
    first.engine.ingestDocument(caller, file(text)),
  ]);
  const { items } = await first.engine.listDocuments(caller, {});
  assert.deepEqual(
    items.map(({ state, sections }) => [state, sections]),
    [['ready', 90]],
  );
  const { total } = await first.engine.listRecords(caller, { kind: 'section' });
  assert.equal(total, 90);
});

test('documents of one person are nobody else’s, by whatever name', async (t) => {
  const { engine } = await openTestEngine(t, { documents: createDocumentReader() });
  const ada = makeCaller('mcp', { userId: 'ada', space: 'ada', spaces: ['ada'] });
  const bob = makeCaller('mcp', { userId: 'bob', space: 'bob', spaces: ['bob'] });
  const { document } = await engine.ingestDocument(ada, file(GUIDE));
  for (const ref of [document.id, 'lighthouse.md'])
    await assert.rejects(engine.getDocument(bob, { ref, limit: 10 }), engineError('not_found'));
  assert.deepEqual((await engine.removeDocuments(bob, { refs: [document.id] })).missing, [document.id]);
  assert.equal((await engine.search(bob, { query: 'lighthouse lamp' })).hits.length, 0);
  const own = await engine.ingestDocument(bob, file(GUIDE.replace('twelve', 'twenty')));
  assert.equal(own.outcome, 'ingested');
  assert.match((await engine.getDocument(ada, { ref: document.id, limit: 10 })).sections[1]!.content, /twelve/);
  const reader = makeCaller('mcp', { scopes: new Set(['read']) });
  await assert.rejects(engine.ingestDocument(reader, file(GUIDE)), engineError('forbidden'));
  await assert.rejects(engine.removeDocuments(reader, { refs: ['x'] }), engineError('forbidden'));
});
