import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { engineError, makeCaller, openTestEngine } from '../../../test/open-test-engine.ts';
import { extractEntities } from './extract-entities.ts';

const me = makeCaller();
const keysIn = (text: string): string[] => extractEntities(text).map(({ key }) => key);

describe('rules find what a text names', () => {
  const cases: [text: string, ...keys: string[]][] = [
    ['Grace Hopper said that it works', 'person:grace hopper'],
    ['cc @grace, reviewer: Linus', 'person:grace', 'person:linus'],
    ['Mail ada.byron@example.org about it', 'person:ada byron'],
    ['We said no, Users asked why and Nobody wants it'],
    ['Look at ./src/engine/search.ts:42 and Makefile', 'file:src/engine/search.ts', 'file:Makefile'],
    ['Edited /etc/nginx/nginx.conf by hand', 'file:/etc/nginx/nginx.conf'],
    ['Version 1.2.3 of Node.js, e.g. this. And so on.etc'],
    [
      'npm install -D @types/node, then the zod library and react@18.2.0',
      'package:@types/node',
      'package:zod',
      'package:react',
    ],
    ['TypeError and ECONNRESET, then HTTP 503', 'error:TypeError', 'error:ECONNRESET', 'error:HTTP 503'],
    [
      'getUserById() calls `parse_row` and Cache::get()',
      'function:getUserById',
      'function:Cache.get',
      'function:parse_row',
    ],
    ['See https://www.Example.com/docs/?q=1#top.', 'url:example.com/docs'],
    [
      'Fixes #123, ABC-42, acme/shop#7 and CVE-2024-12345',
      'ticket:CVE-2024-12345',
      'ticket:ACME/SHOP#7',
      'ticket:#123',
      'ticket:ABC-42',
    ],
    ['Issue 9 and PR #9 are one ticket; UTF-8 and SHA-256 are none', 'ticket:#9'],
    [
      'ADR-0012 stands. We decided to keep the monolith for now.',
      'decision:adr-12',
      'decision:keep the monolith for now',
    ],
    ['EXPLAIN and ENCODING are keywords, AVX-512 is a set of instructions'],
    [
      'Taken from NodeList with ActiveRecord::Base, so I’ve left it, as Header.Size said; feedback from Ada',
      'person:ada',
    ],
    ['The standard library, a missing package and go get will do'],
    ['A plain sentence about the weather in spring.'],
  ];
  for (const [text, ...keys] of cases) test(text, () => assert.deepEqual(keysIn(text).toSorted(), keys.toSorted()));
});

async function openWith(t: TestContext, ...contents: string[]) {
  const opened = await openTestEngine(t);
  const ids: string[] = [];
  for (const content of contents) {
    opened.clock.run(60_000);
    const stored = await opened.engine.storeMemory(me, { content });
    assert.equal(stored.outcome, 'stored');
    ids.push(stored.memory.id);
  }
  const found = async (filter: object) =>
    (await opened.engine.listMemories(me, { filter })).items.map(({ id }) => ids.indexOf(id)).toSorted();
  return { ...opened, ids, found };
}

describe('entities', () => {
  test('filter searches and listings, under whatever name, and find nothing where nobody mentions them', async (t) => {
    const { engine, found, ids } = await openWith(
      t,
      'Ada Lovelace said the cache in src/engine/cache.ts is too small',
      'cc @ada about engine/cache.ts and the pool',
      'The cache of the browser is cleared on logout',
      'Ada Byron wants another cache, see other/cache.ts',
    );
    assert.deepEqual(await found({ entity: 'Ada' }), [0, 1, 3]);
    assert.deepEqual(await found({ entity: 'person:ada lovelace' }), [0]);
    assert.deepEqual(await found({ entity: 'src/engine/cache.ts' }), [0, 1]);
    assert.deepEqual(await found({ entity: 'file:cache.ts' }), [0, 1, 3]);
    assert.deepEqual(await found({ entity: 'Nobody Here' }), []);
    const search = async (filter: object, query?: string) =>
      (await engine.search(me, { query, filter, limit: 10 })).hits.map(({ id }) => ids.indexOf(id)).toSorted();
    assert.deepEqual(await search({ entity: '@ada' }, 'cache'), [0, 1, 3]);
    assert.deepEqual(await search({ entity: '@ada' }), [0, 1, 3]);
    assert.deepEqual(await search({ entity: 'Nobody Here' }, 'cache'), []);
    assert.deepEqual(await search({ entity: 'Nobody Here' }), []);
    assert.deepEqual(await search({ entity: '@ada', after: START_OF_LAST }, 'cache'), [3]);
  });

  test('are kept fresh: changed, deleted, restored and purged texts, of this process and of others', async (t) => {
    const { engine, ids, found, path } = await openWith(t, 'Ask Grace about ECONNRESET', 'Nothing in particular');
    assert.deepEqual(await found({ entity: 'ECONNRESET' }), [0]);
    const other = await openTestEngine(t, { path });
    await other.engine.updateMemory(me, { ref: ids[1]!, content: 'It was ECONNRESET all along' });
    assert.deepEqual(await found({ entity: 'ECONNRESET' }), [0, 1]);
    await engine.deleteMemories(me, { refs: [ids[0]!] });
    assert.equal((await engine.tellAbout(me, { name: 'ECONNRESET' })).total, 1);
    await engine.restoreMemories(me, [ids[0]!]);
    assert.equal((await engine.tellAbout(me, { name: 'ECONNRESET' })).total, 2);
    await engine.purgeMemories(me, [ids[0]!]);
    assert.equal((await engine.listEntities(me, { kind: 'person' })).total, 0, 'nothing of the purged text is left');
  });

  test('survive upkeep, a rebuilt index, export and import', async (t) => {
    const { engine, found } = await openWith(t, 'Ask Grace about ECONNRESET', 'Also ECONNRESET');
    await engine.mergeEntities(me, { into: 'error:ECONNRESET', aliases: ['error:HTTP 503'] });
    await engine.runUpkeep();
    assert.deepEqual(await found({ entity: 'ECONNRESET' }), [0, 1]);
    const lines: string[] = [];
    for await (const line of engine.exportRecords(me, {})) lines.push(line);
    const other = await openTestEngine(t);
    const given = (async function* () {
      yield* lines;
    })();
    await other.engine.importRecords(me, given, {});
    assert.deepEqual((await other.engine.listEntities(me, {})).entities, (await engine.listEntities(me, {})).entities);
    assert.equal((await other.engine.tellAbout(me, { name: 'HTTP 503' })).total, 2, 'aliases travel too');
  });

  test('names that somebody merges mean one entity, which is listed once', async (t) => {
    const { engine, found } = await openWith(t, 'Ada Lovelace said yes', 'cc @countess', 'Grace said no');
    const merged = await engine.mergeEntities(me, { into: 'Ada Lovelace', aliases: ['@countess'] });
    assert.deepEqual(merged.aliases, ['person:countess']);
    assert.deepEqual(await found({ entity: 'Ada Lovelace' }), [0, 1]);
    assert.deepEqual(await found({ entity: '@countess' }), [0, 1]);
    const { entities } = await engine.listEntities(me, { kind: 'person' });
    assert.deepEqual(
      entities.map(({ key, mentions }) => [key, mentions]),
      [
        ['person:ada lovelace', 2],
        ['person:grace', 1],
      ],
    );
    await assert.rejects(engine.mergeEntities(me, { into: 'Unheard Of', aliases: ['@x'] }), engineError('not_found'));
    await assert.rejects(engine.mergeEntities(me, { into: 'Grace', aliases: ['grace'] }), engineError('invalid_input'));
  });

  test('about tells what mentions something with the sentences that do, what is near it, and what a search adds', async (t) => {
    const { engine, ids } = await openWith(
      t,
      'The login was slow. Ada Lovelace said that src/pool.ts opens too many connections. Nobody checked.',
      'Ada Lovelace fixed src/pool.ts by closing idle connections',
      'Connections to the database are limited to forty',
    );
    await engine.relate(me, { from: ids[1]!, to: ids[0]!, type: 'fixes' });
    const about = await engine.tellAbout(me, { name: 'src/pool.ts' });
    assert.deepEqual([about.entity?.key, about.entity?.mentions, about.total], ['file:src/pool.ts', 2, 2]);
    assert.deepEqual(
      about.sources.slice(0, 2).map(({ id, says, by }) => [ids.indexOf(id), says, by]),
      [
        [1, 'Ada Lovelace fixed src/pool.ts by closing idle connections', 'mention'],
        [0, 'Ada Lovelace said that src/pool.ts opens too many connections.', 'mention'],
      ],
    );
    assert.deepEqual(
      about.related.map(({ key, together }) => [key, together]),
      [['person:ada lovelace', 2]],
    );
    assert.equal(about.relations[0]?.type, 'fixes');
    const topic = await engine.tellAbout(me, { name: 'database connections' });
    assert.equal(topic.entity, null);
    assert.equal(topic.sources[0]?.by, 'search');
    assert.equal((await engine.tellAbout(me, { name: 'person:Zed' })).total, 0);
  });

  test('of others are not seen', async (t) => {
    const { engine } = await openWith(t, 'Ask Grace about ECONNRESET');
    const stranger = makeCaller('mcp', { userId: 'eve', space: 'eve', spaces: ['eve'] });
    assert.deepEqual(await engine.listEntities(stranger, {}), { entities: [], total: 0 });
    assert.equal((await engine.tellAbout(stranger, { name: 'ECONNRESET' })).sources.length, 0);
  });
});

const START_OF_LAST = Date.UTC(2026, 0, 15, 12, 4);
