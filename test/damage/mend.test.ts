import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { Engine } from '../../src/engine/engine.ts';
import { createEngine } from '../../src/features/create-engine.ts';
import { DEFAULT_SETTINGS } from '../../src/features/default-settings.ts';
import { FEATURES } from '../../src/features/features.ts';
import { openMendSource } from '../../src/features/maintenance/open-mend-source.ts';
import { OWNER_SPACE } from '../../src/model/caller.ts';
import { THIS_MACHINE } from '../../src/server/this-machine.ts';
import { openStore } from '../../src/stores/open-store.ts';
import { makeCaller, makeClock, makeFolder, makeWordEmbedder, START, silentLog } from '../open-test-engine.ts';

const caller = makeCaller('cli');

async function withEngine<T>(path: string, work: (engine: Engine) => Promise<T>): Promise<T> {
  const clock = makeClock(START + 1000);
  const store = await openStore(path, { clock, log: silentLog });
  const engine = createEngine({ store, embedder: makeWordEmbedder(), clock, log: silentLog }, DEFAULT_SETTINGS);
  try {
    return await work(engine);
  } finally {
    await engine.close();
  }
}

/** A memory with an earlier version and a relation, a copy of the database and an export. */
async function makeDatabase() {
  const folder = makeFolder();
  const path = join(folder, 'memory.db');
  const clock = makeClock();
  const store = await openStore(path, { clock, log: silentLog });
  const engine = createEngine({ store, embedder: makeWordEmbedder(), clock, log: silentLog }, DEFAULT_SETTINGS);
  const ids: string[] = [];
  for (const content of ['The first crane lifts ten tonnes.', 'The ferry leaves at nine.']) {
    const stored = await engine.storeMemory(caller, { content });
    ok('memory' in stored);
    ids.push(stored.memory.id);
  }
  const [from, to] = ids as [string, string];
  await engine.updateMemory(caller, { ref: from, content: 'The first crane lifts twelve tonnes.' });
  const relation = { from, to, type: 'about', weight: 0.5, body: { why: 'both are in the harbour' }, createdAt: START };
  await store.commit(OWNER_SPACE, [{ op: 'relate', relation }], 'test');
  const lines: string[] = [];
  for await (const line of engine.exportRecords(caller, {})) lines.push(line);
  await engine.close();
  const sources = { copy: join(folder, 'copy.db'), export: join(folder, 'export.jsonl') };
  copyFileSync(path, sources.copy);
  writeFileSync(sources.export, `${lines.join('\n')}\n`);
  return { path, sources, from, lines };
}

function alter(path: string, ...statements: string[]): void {
  const database = new DatabaseSync(path);
  for (const sql of statements) equal(database.prepare(sql).run().changes, 1, sql);
  database.close();
}

async function exportAll(engine: Engine): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of engine.exportRecords(caller, {})) lines.push(line);
  return lines;
}

test('a single bit that has changed in a record, a version or a relation is put right, as the checksum proves', async () => {
  const { path, lines } = await makeDatabase();
  alter(
    path,
    "UPDATE records SET content = replace(content, 'twelve', 'twelwe') WHERE content LIKE '%twelve%'",
    "UPDATE record_versions SET state = replace(state, 'lifts ten', 'lifts den')",
    "UPDATE relations SET body = replace(body, 'harbour', 'harbous')",
  );
  await withEngine(path, async (engine) => {
    const { sound, repaired, left } = await engine.examine(caller, { repair: true, backupPath: null });
    deepEqual([sound, left], [true, []], repaired.join(' '));
    const told = repaired.join(' ');
    match(told, /one earlier version put right by one bit/);
    match(told, /one relation put right by one bit/);
    deepEqual((await exportAll(engine)).slice(1, -1), lines.slice(1, -1));
  });
});

for (const from of ['copy', 'export'] as const)
  test(`what is damaged beyond that is left and named, and taken from a file: ${from}`, async () => {
    const { path, sources, lines } = await makeDatabase();
    alter(
      path,
      "UPDATE record_versions SET state = replace(state, 'lifts ten', 'lifts a hundred')",
      "UPDATE relations SET body = '{}', weight = 1",
    );
    await withEngine(path, async (engine) => {
      const alone = await engine.examine(caller, { repair: true, backupPath: null });
      equal(alone.sound, false);
      match(alone.left.join(' '), /one earlier version damaged, and not shown.*one relation damaged, and not shown/s);
      const source = await openMendSource(sources[from], {
        machine: THIS_MACHINE,
        features: FEATURES,
        kinds: engine.kinds,
        log: silentLog,
      });
      const { sound, repaired, left } = await engine.examine(caller, { repair: true, backupPath: null, source });
      await source.close();
      deepEqual([sound, left], [true, []], repaired.join(' '));
      match(repaired.join(' '), /one earlier version taken from the file.*one relation taken from the file/s);
      deepEqual((await exportAll(engine)).slice(1, -1), lines.slice(1, -1));
    });
  });

test('an earlier version that is gone comes back from a file that has the very same', async () => {
  const { path, sources, lines } = await makeDatabase();
  alter(path, 'DELETE FROM record_versions');
  await withEngine(path, async (engine) => {
    const source = await openMendSource(sources.copy, {
      machine: THIS_MACHINE,
      features: FEATURES,
      kinds: engine.kinds,
      log: silentLog,
    });
    const { sound, repaired } = await engine.examine(caller, { repair: true, backupPath: null, source });
    await source.close();
    ok(sound, repaired.join(' '));
    deepEqual((await exportAll(engine)).slice(1, -1), lines.slice(1, -1));
  });
});

/** As whoever edits the file leaves it, without heed to its foreign keys. */
function lose(path: string, id: string, ...more: string[]): void {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA foreign_keys = OFF');
  for (const sql of [`DELETE FROM records WHERE id = '${id}'`, ...more]) database.prepare(sql).run();
  database.close();
}

test('what is left of a record that is gone is removed, and what it was is told as missing', async () => {
  const { path, from, lines } = await makeDatabase();
  lose(path, from, `DELETE FROM record_versions WHERE record_id = '${from}'`);
  await withEngine(path, async (engine) => {
    const before = await engine.examine(caller, {});
    match(before.checks[0]!.detail, /A row of passages refers to a missing row of records/);
    const { sound, repaired, left } = await engine.examine(caller, { repair: true, backupPath: null });
    ok(sound, JSON.stringify([repaired, left]));
    match(
      repaired.join(' '),
      /What was left in the space owner of records that are not there was removed \(\d+ rows\)/,
    );
    match(left.join(' '), /has 1 records; it had 2/);
    equal((await engine.examine(caller, {})).sound, true);
    const kept = (await exportAll(engine)).filter((line) => line.includes('ferry'));
    deepEqual(
      kept,
      lines.filter((line) => line.includes('ferry')),
    );
  });
});

for (const by of ['an earlier version', 'a file'])
  test(`a record that is gone comes back by ${by}, with its relation`, async () => {
    const { path, sources, from, lines } = await makeDatabase();
    lose(path, from);
    await withEngine(path, async (engine) => {
      const source =
        by === 'a file'
          ? await openMendSource(sources.copy, {
              machine: THIS_MACHINE,
              features: FEATURES,
              kinds: engine.kinds,
              log: silentLog,
            })
          : null;
      const { sound, repaired, left } = await engine.examine(caller, { repair: true, backupPath: null, source });
      await source?.close();
      deepEqual([sound, left], [true, []], repaired.join(' '));
      match(
        repaired.join(' '),
        new RegExp(
          `${from}, which was gone, ${source === null ? 'has its text of revision 1 again' : 'was taken from the file'}`,
        ),
      );
      const { memories } = await engine.getMemories(caller, { refs: [from] });
      match(memories[0]!.content, source === null ? /ten tonnes/ : /twelve tonnes/);
      const relations = (all: readonly string[]) => all.filter((line) => line.startsWith('{"relation"'));
      equal(relations(lines).length, 1);
      deepEqual(relations(await exportAll(engine)), relations(lines));
    });
  });

test('a purged record of which something is left does not come back', async () => {
  const { path, from, sources } = await makeDatabase();
  await withEngine(path, async (engine) => void (await engine.purgeMemories(caller, [from])));
  const database = new DatabaseSync(path);
  database.exec('PRAGMA foreign_keys = OFF');
  database.prepare("INSERT INTO passages (space_id, record_id, ordinal, text) VALUES ('owner', ?, 0, 'x')").run(from);
  database.close();
  await withEngine(path, async (engine) => {
    const source = await openMendSource(sources.copy, {
      machine: THIS_MACHINE,
      features: FEATURES,
      kinds: engine.kinds,
      log: silentLog,
    });
    const { sound, repaired } = await engine.examine(caller, { repair: true, backupPath: null, source });
    await source.close();
    ok(sound, repaired.join(' '));
    deepEqual((await engine.getMemories(caller, { refs: [from] })).memories, []);
  });
});
