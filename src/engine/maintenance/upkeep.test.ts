import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import {
  DAY,
  engineError,
  makeCaller,
  makeFolder,
  makeWordEmbedder,
  openTestEngine,
} from '../../../test/open-test-engine.ts';
import type { Engine } from '../engine.ts';

const caller = makeCaller();

async function addMany(engine: Engine, count: number, prefix = 'memory'): Promise<string[]> {
  const outcomes = await engine.storeMemories(
    caller,
    Array.from({ length: count }, (_, i) => ({ content: `${prefix} number ${i}`, onDuplicate: 'store' as const })),
  );
  return outcomes.map((outcome) => ('memory' in outcome ? outcome.memory.id : ''));
}

describe('background embedding', () => {
  test('embeds what was stored while the embedder was down, and only that', async (t) => {
    const embedder = makeWordEmbedder();
    const { engine } = await openTestEngine(t, { embedder });
    await addMany(engine, 5, 'before');
    embedder.fails = true;
    await addMany(engine, 70, 'meanwhile');
    await engine.runUpkeep();
    assert.equal((await engine.checkHealth(caller)).status, 'degraded');
    embedder.fails = false;
    const before = embedder.embedded;
    assert.equal((await engine.runUpkeep()).embedded, 70);
    assert.equal(embedder.embedded - before, 70);
    const health = await engine.checkHealth(caller);
    assert.deepEqual([health.status, health.embedder?.pending], ['healthy', 0]);
    assert.equal((await engine.runUpkeep()).embedded, 0);
    assert.deepEqual(
      (await engine.search(caller, { query: 'meanwhile number', mode: 'semantic', limit: 1 })).searchedBy,
      'meaning',
    );
  });

  test('does not let one bad text hold up the others', async (t) => {
    const embedder = makeWordEmbedder();
    embedder.fails = true;
    const { engine } = await openTestEngine(t, { embedder });
    await engine.storeMemory(caller, { content: 'poison' });
    await addMany(engine, 40);
    embedder.fails = (text) => text === 'poison';
    assert.equal((await engine.runUpkeep()).embedded, 40);
    const health = await engine.checkHealth(caller);
    assert.equal(health.embedder?.pending, 1);
    assert.match(health.problems[0]!, /1 memories could not be embedded/);
  });

  test('goes on in a later round where it was stopped', async (t) => {
    const embedder = makeWordEmbedder();
    embedder.fails = true;
    const { engine } = await openTestEngine(t, { embedder });
    await addMany(engine, 80);
    embedder.fails = false;
    const stop = new AbortController();
    const { embed } = embedder;
    embedder.embed = (texts, purpose) => {
      stop.abort();
      return embed.call(embedder, texts, purpose);
    };
    const first = (await engine.runUpkeep(stop.signal)).embedded;
    assert.ok(first > 0 && first < 80);
    assert.equal((await engine.runUpkeep()).embedded, 80 - first);
  });

  test('is done by one process at a time', async (t) => {
    const embedder = makeWordEmbedder();
    const { engine, store, clock } = await openTestEngine(t, { embedder });
    embedder.fails = true;
    await addMany(engine, 3);
    embedder.fails = false;
    assert.ok(await store.takeLease('upkeep', 'another process', clock.time + 1000, clock.time));
    assert.equal((await engine.runUpkeep()).embedded, 0);
    clock.time += 2000;
    assert.equal((await engine.runUpkeep()).embedded, 3);
  });

  test('gives a second embedder its own vectors', async (t) => {
    const first = await openTestEngine(t, { embedder: makeWordEmbedder() });
    await addMany(first.engine, 3);
    const second = await openTestEngine(t, {
      path: first.path,
      embedder: { ...makeWordEmbedder(), id: 'other:64@v1' },
    });
    assert.equal((await second.engine.runUpkeep()).embedded, 3);
    assert.equal((await second.engine.checkHealth(caller)).facts.vectors.length, 2);
  });
});

describe('receipts', () => {
  test('make a request that is sent again do nothing for a month, and are forgotten then', async (t) => {
    const { engine, store, clock } = await openTestEngine(t);
    const send = () => engine.storeMemory(caller, { content: 'sent twice', idempotencyKey: 'k', onDuplicate: 'store' });
    await send();
    const live = async (days: number) => {
      for (let day = 0; day < days; day++) {
        clock.run(DAY);
        await engine.runUpkeep();
      }
    };
    await live(29);
    await send();
    assert.equal(await store.head(caller.space), 1);
    await live(2);
    await send();
    assert.equal(await store.head(caller.space), 2);
  });
});

describe('the examination', () => {
  test('finds a sound database sound', async (t) => {
    const { engine } = await openTestEngine(t, { settings: { flushPassages: 5 }, embedder: makeWordEmbedder() });
    const ids = await addMany(engine, 20);
    await engine.deleteMemories(caller, { refs: ids.slice(0, 3) });
    await engine.runUpkeep();
    const steps = new Set<string>();
    const report = await engine.examine(caller, { onProgress: (step) => steps.add(step) });
    assert.deepEqual(
      report.checks.filter(({ ok }) => !ok),
      [],
    );
    assert.ok(report.sound);
    assert.deepEqual(
      report.checks.map(({ name }) => name),
      ['database', 'records', 'index owner', 'feed owner', 'vectors owner'],
    );
    assert.deepEqual([...steps], ['records', 'spaces']);
    assert.equal(report.backup, null);
  });

  test('finds a database sound in which nothing has ever been stored', async (t) => {
    const { engine } = await openTestEngine(t);
    assert.ok((await engine.examine(caller, {})).sound);
  });

  test('names a record that was altered behind its back, and brings back its newest sound text after a backup', async (t) => {
    const { engine, path } = await openTestEngine(t);
    const [changed, single] = await addMany(engine, 3);
    await engine.updateMemory(caller, { ref: changed!, tags: 'new' });
    const database = new DatabaseSync(path);
    database.exec(`UPDATE records SET content = 'flipped bits' WHERE id IN ('${changed}', '${single}')`);
    database.close();
    const found = await engine.examine(caller, {});
    assert.equal(found.sound, false);
    const detail = found.checks.find(({ name }) => name === 'records')!.detail;
    assert.match(detail, new RegExp(changed!));
    assert.match(detail, new RegExp(single!));
    const backupPath = join(makeFolder(), 'copy.db');
    const repaired = await engine.examine(caller, { repair: true, backupPath });
    assert.equal(repaired.backup, backupPath);
    assert.ok(existsSync(backupPath));
    assert.equal((await engine.getMemories(caller, { refs: [changed!] })).memories[0]?.content, 'memory number 0');
    assert.equal(repaired.repaired.length, 1);
    assert.equal(repaired.sound, false);
    assert.match(repaired.checks.find(({ name }) => name === 'records')!.detail, new RegExp(single!));
  });

  test('makes a damaged index anew', async (t) => {
    const first = await openTestEngine(t, { settings: { flushPassages: 5 } });
    await addMany(first.engine, 20);
    await first.engine.runUpkeep();
    await first.engine.close();
    const database = new DatabaseSync(first.path);
    database.exec('UPDATE segment_parts SET bytes = zeroblob(length(bytes))');
    database.close();
    const { engine, path } = await openTestEngine(t, { path: first.path });
    const found = await engine.examine(caller, {});
    assert.equal(found.sound, false);
    const repaired = await engine.examine(caller, { repair: true });
    assert.ok(repaired.sound);
    assert.match(repaired.repaired.join(), /index of the space owner/);
    assert.ok(repaired.backup!.startsWith(`${path}.before-repair-`));
    assert.ok((await engine.search(caller, { query: 'memory number' })).hits.length > 0);
  });

  test('needs the admin scope', async (t) => {
    const { engine } = await openTestEngine(t);
    await assert.rejects(
      engine.examine(makeCaller('mcp', { scopes: new Set(['read', 'write']) }), {}),
      engineError('forbidden'),
    );
  });
});
