import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { engineError, makeCaller, openTestEngine } from '../../../test/open-test-engine.ts';
import { createEngine } from '../../features/create-engine.ts';
import { DEFAULT_SETTINGS } from '../../features/default-settings.ts';
import { openStore } from '../../stores/open-store.ts';

const agent = makeCaller('mcp');
const person = makeCaller('cli');
const GITHUB = ['gh', 'p_', 'a1B2c3D4e5'.repeat(3), 'F6g7H8'].join('');
const AWS = ['AK', 'IA', 'QRSTUVWXYZ234567'].join('');

function atRest(path: string): string {
  const folder = dirname(path);
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('\n');
}

describe('scrubbing', () => {
  test('tells what it would replace, replaces it when asked to, and leaves nothing in file, log and segments', async (context) => {
    const opened = await openTestEngine(context, { settings: { redact: 'off', flushPassages: 2 } });
    const { engine, store } = opened;
    const ids: string[] = [];
    for (const content of [`first ${GITHUB}`, 'second, harmless', `third ${AWS}`, 'fourth, harmless too']) {
      const stored = await engine.storeMemory(agent, { content, metadata: { note: content } });
      assert.ok(stored.outcome === 'stored');
      ids.push(stored.memory.id);
    }
    await engine.updateMemory(agent, {
      ref: ids[2]!,
      content: 'third, mended',
      metadata: { note: 'x' },
      reason: `was ${AWS}`,
    });
    await engine.updateMemory(agent, { ref: ids[1]!, content: 'a new second', versioned: true });
    await engine.deleteMemories(agent, { refs: [ids[0]!] });
    await engine.storeMemory(agent, { content: `keyed ${GITHUB}`, key: GITHUB, idempotencyKey: 'once' });
    await engine.runUpkeep();
    const words = GITHUB.toLowerCase();
    assert.ok(atRest(opened.path).includes(GITHUB) && atRest(opened.path).includes(AWS));

    const look = await engine.scrubRecords(person, {});
    assert.deepEqual([look.checked, look.count, look.replaced], [6, 3, 0]);
    const versionsOf = new Map(look.found.map(({ id, versions }) => [id, versions]));
    assert.deepEqual([versionsOf.get(ids[0]!), versionsOf.get(ids[2]!)], [0, 1]);
    assert.ok(!JSON.stringify(look).includes(GITHUB));
    assert.ok(atRest(opened.path).includes(GITHUB));

    const done = await engine.scrubRecords(person, { apply: true });
    assert.deepEqual([done.count, done.replaced, done.remains], [3, 3, []]);
    const bytes = atRest(opened.path);
    assert.ok(!bytes.includes(GITHUB) && !bytes.includes(AWS) && !bytes.toLowerCase().includes(words));
    assert.equal((await engine.scrubRecords(person, { apply: true })).count, 0);

    assert.ok((await engine.examine(person, {})).sound);
    const { hits } = await engine.search(agent, { query: 'third mended' });
    assert.equal(hits[0]?.id, ids[2]);
    const versions = await engine.listVersions(person, ids[2]!);
    assert.equal(versions[0]?.record.content, 'third [redacted:aws-key]');
    assert.equal(versions[0]?.reason, 'was [redacted:aws-key]');
    const { items: deleted } = await engine.listMemories(agent, { filter: { deleted: 'only' } });
    assert.deepEqual(
      deleted.map(({ content }) => content),
      ['first [redacted:gh-token]'],
    );
    const { restored } = await engine.restoreMemories(agent, [ids[0]!]);
    assert.equal(restored[0]?.content, 'first [redacted:gh-token]');
    assert.equal((await store.listRelations('owner', [ids[1]!])).length, 1);
  });

  test('leaves what a person wanted to keep, unless told to take that too', async (context) => {
    const { engine } = await openTestEngine(context);
    await engine.storeMemory(person, { content: `Sample ${AWS}`, noRedact: true });
    const look = await engine.scrubRecords(person, { apply: true });
    assert.deepEqual([look.count, look.kept, look.replaced], [0, 1, 0]);
    const all = await engine.scrubRecords(person, { apply: true, all: true });
    assert.deepEqual([all.count, all.kept, all.replaced], [1, 0, 1]);
  });

  test('names what is damaged, leaves it as it is, and goes on with the rest', async (context) => {
    const { engine, path } = await openTestEngine(context, { settings: { redact: 'off' } });
    const ids: string[] = [];
    for (const content of [`first ${AWS}`, `second ${AWS}`, `third ${AWS}`]) {
      const stored = await engine.storeMemory(agent, { content });
      assert.ok(stored.outcome === 'stored');
      ids.push(stored.memory.id);
    }
    await engine.updateMemory(agent, { ref: ids[1]!, content: `second again ${AWS}` });
    const database = new DatabaseSync(path);
    database.prepare('UPDATE records SET content = ? WHERE id = ?').run(`altered ${AWS}`, ids[0]!);
    database
      .prepare("UPDATE record_versions SET state = replace(state, 'second', 'altered') WHERE record_id = ?")
      .run(ids[1]!);
    database.close();
    const { replaced, remains } = await engine.scrubRecords(person, { apply: true });
    assert.equal(replaced, 1);
    assert.ok(
      ids.slice(0, 2).every((id) => remains.some((what) => what.includes(id))),
      remains.join(' '),
    );
  });

  test('is for administrators', async (context) => {
    const { engine } = await openTestEngine(context);
    const writer = makeCaller('rest', { scopes: new Set(['read', 'write']) });
    await assert.rejects(engine.scrubRecords(writer, {}), engineError('forbidden'));
  });

  test('does not take a record that came back out of the index of another process', async (context) => {
    const opened = await openTestEngine(context, { settings: { redact: 'off', flushPassages: 1 } });
    const stored = await opened.engine.storeMemory(agent, { content: `The deploy key is ${AWS}` });
    assert.ok(stored.outcome === 'stored');
    const { clock } = opened;
    const log = { info() {}, warn() {}, error() {} };
    const store = await openStore(opened.path, { clock, log });
    const other = createEngine({ store, embedder: null, clock, log }, { ...DEFAULT_SETTINGS, flushPassages: 1 });
    context.after(() => other.close());
    await opened.engine.runUpkeep();
    await other.search(agent, { query: 'deploy' });
    await opened.engine.scrubRecords(person, { apply: true });
    await other.search(agent, { query: 'deploy' });
    await opened.engine.runUpkeep();
    await other.search(agent, { query: 'deploy' });
    await other.runUpkeep();
    await opened.engine.runUpkeep();
    for (const engine of [opened.engine, other]) {
      const { hits } = await engine.search(agent, { query: 'deploy key' });
      assert.deepEqual(
        hits.map(({ id }) => id),
        [stored.memory.id],
      );
    }
    assert.ok((await other.examine(person, {})).sound);
  });
});
