import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import type { Engine } from '../../src/engine/engine.ts';
import { createEngine } from '../../src/features/create-engine.ts';
import { DEFAULT_SETTINGS } from '../../src/features/default-settings.ts';
import { openStore } from '../../src/stores/open-store.ts';
import { makeCaller, makeClock, silentLog } from '../open-test-engine.ts';

const caller = makeCaller('cli');
const MEMORIES = 40;
/** Rows of 32 bytes: one flipped bit of a pointer leads to the fourth entry before or after. */
const AWAY = 4;

let folder = '';
let path = '';
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ltm-doubled-'));
  path = join(folder, 'memory.db');
  const { engine, clock } = await openAt(path);
  for (let i = 0; i < MEMORIES; i++) {
    clock.run(1000);
    await engine.storeMemory(caller, { content: `Meadow number ${i} of many.`, tags: ['red'] });
  }
  await engine.close();
});
after(() => rmSync(folder, { recursive: true, force: true }));

async function openAt(file: string) {
  const clock = makeClock();
  const store = await openStore(file, { clock, log: silentLog });
  const engine = createEngine({ store, embedder: null, clock, log: silentLog }, DEFAULT_SETTINGS);
  return { engine, clock };
}

/** Lets an entry of the only page of an index be the one of another. */
function doubleEntry(bytes: Buffer, page: number, at: number): Buffer {
  const pointer = (entry: number) => (page - 1) * 4096 + 8 + 2 * entry;
  const doubled = Buffer.from(bytes);
  doubled.writeUInt16BE(bytes.readUInt16BE(pointer(at + AWAY)), pointer(at));
  return doubled;
}

const LISTINGS: Record<string, (engine: Engine) => Promise<{ items: readonly { id: string }[]; damaged?: unknown }>> = {
  contains: (engine) => engine.listMemories(caller, { filter: { contains: 'meadow' }, page: { limit: 30 } }),
  'contains, of several words': (engine) =>
    engine.listMemories(caller, { filter: { contains: 'meadow number' }, page: { limit: 30 } }),
  tag: async (engine) => {
    await engine.search(caller, { query: 'meadow' });
    return engine.listMemories(caller, { filter: { tags: ['red'] }, page: { limit: 30 } });
  },
  all: (engine) => engine.listMemories(caller, { page: { limit: 30 } }),
};

for (const index of ['sqlite_autoindex_records_1', 'records_by_age'])
  test(`entries of ${index} that stand there twice, in place of others, change no listing without a word`, async () => {
    const database = new DatabaseSync(path, { readOnly: true });
    const pages = database.prepare('SELECT pageno, ncell FROM dbstat WHERE name = ?').all(index);
    database.close();
    equal(pages.length, 1);
    const { pageno, ncell } = pages[0] as { pageno: number; ncell: number };
    const sound = readFileSync(path);
    const copy = join(folder, 'copy.db');
    const ask = async (bytes: Buffer) => {
      writeFileSync(copy, bytes);
      const { engine } = await openAt(copy);
      const answers = new Map<string, { ids: string[]; isMarked: boolean } | 'refused'>();
      for (const [name, list] of Object.entries(LISTINGS)) {
        const page = await list(engine).catch(() => null);
        if (page === null) answers.set(name, 'refused');
        else answers.set(name, { ids: page.items.map(({ id }) => id), isMarked: page.damaged !== undefined });
      }
      await engine.close();
      return answers;
    };
    const before = await ask(sound);
    let told = 0;
    for (let at = 1; at + AWAY < ncell; at += 3) {
      for (const [name, given] of await ask(doubleEntry(sound, pageno, at))) {
        if (given === 'refused' || given.isMarked) told++;
        else deepEqual(given, before.get(name), `${name}, entry ${at}`);
      }
    }
    ok(told > 0);
  });

test('stamps that nobody finds any more, since another row names another space, are missed by an export', async () => {
  const file = join(folder, 'stamps.db');
  const { engine, clock } = await openAt(file);
  const ids: string[] = [];
  for (let i = 0; i < 20; i++) {
    clock.run(1000);
    const stored = await engine.storeMemory(caller, { content: `Lantern number ${i} of many.` });
    ok('memory' in stored);
    const { memory } = await engine.updateMemory(caller, { ref: stored.memory.id, tags: ['changed'] });
    ids.push(memory.id);
  }
  await engine.close();
  const database = new DatabaseSync(file, { readOnly: true });
  const pages = database.prepare("SELECT pgoffset FROM dbstat WHERE name = 'stamps' AND pagetype = 'leaf'").all();
  database.close();
  const sound = readFileSync(file);
  for (const id of [ids[0]!, ids[4]!, ids[12]!]) {
    const at = pages
      .map(({ pgoffset }) => sound.indexOf(`${caller.space}${id}`, Number(pgoffset)))
      .filter((place, i) => place !== -1 && place < Number(pages[i]!.pgoffset) + 4096);
    equal(at.length, 1);
    const flipped = Buffer.from(sound);
    flipped[at[0]! + 1]! ^= 32;
    writeFileSync(file, flipped);
    const damaged = await openAt(file);
    const lines: string[] = [];
    for await (const line of damaged.engine.exportRecords(caller, {})) lines.push(line);
    await damaged.engine.close();
    const stamped = lines.filter((line) => line.includes('"stamps":"')).length;
    ok(stamped < ids.length, 'some are not found');
    ok(
      lines.some((line) => line.startsWith('{"damaged":{"what":"stamps"')),
      `${stamped} of ${ids.length}, unsaid`,
    );
  }
});
