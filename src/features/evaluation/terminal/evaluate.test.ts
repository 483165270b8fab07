import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { main } from '../../../cli/main.ts';

let folder: string;
/** Where the command puts its temporary files, for this test alone. */
let temporary: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'ltm-eval-test-'));
  temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  process.env.TMPDIR = temporary;
});
after(() => rmSync(folder, { recursive: true, force: true }));

const SET = [
  {
    conv: 'talk',
    names: ['Ann', 'Ben'],
    items: [
      { id: 'D1:1', text: 'Ann: The ferry leaves the harbour at noon', s: 1 },
      { id: 'D1:2', text: 'Ben: Marta bakes rye bread on Sundays', s: 1 },
      { id: 'D2:1', text: 'Ann: The goat ate the timetable', s: 2 },
    ],
    questions: [
      { q: 'When does the ferry leave the harbour?', gold: ['D1:1'], cat: '1' },
      { q: 'Who bakes rye bread, and what did the goat eat?', gold: ['D1:2', 'D2:1'], cat: '2' },
      { q: 'zeppelin maintenance budget', gold: [], cat: '3' },
    ],
  },
  { conv: 'empty', items: [{ id: 'x', text: 'Something else', s: 1 }], questions: [] },
];

async function ltm(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const stdin = Object.assign(Readable.from([]), { isTTY: false });
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const env = {
    HOME: folder,
    LTM_DB: join(folder, 'memory.db'),
    LTM_CONFIG: join(folder, 'config.json'),
    LTM_EMBEDDER: 'none',
  };
  const [out, err] = [text(stdout), text(stderr)];
  const code = await main(argv, env, { stdin, stdout, stderr });
  stdout.end();
  stderr.end();
  return { code, out: await out, err: await err };
}

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe('ltm eval', () => {
  test('measures files, compressed or not, as one JSON object', async () => {
    const plain = write('plain.json', JSON.stringify(SET));
    const packed = write('packed.json.gz', gzipSync(JSON.stringify(SET)));
    const { code, out, err } = await ltm('eval', plain, packed, '--json', '--bootstrap', '50');
    assert.equal(code, 0, err);
    const { files, macro, embedder } = JSON.parse(out);
    assert.equal(embedder, null);
    assert.deepEqual(
      files.map((one: { file: string }) => one.file),
      ['plain.json', 'packed.json.gz'],
    );
    const [{ timing, notices, ...first }] = files;
    const { timing: _, notices: __, file: ___, ...second } = files[1];
    assert.deepEqual({ ...first, file: undefined }, { ...second, file: undefined });
    assert.deepEqual([first.conversations, first.items, first.questions], [2, 4, 3]);
    assert.deepEqual(first.engine.macro.r_at_10, { any: 1, fraction: 1, all: 1 });
    assert.deepEqual(Object.keys(first.engine.macro), ['r_at_1', 'r_at_5', 'r_at_10', 'ndcg_at_10', 'mrr']);
    assert.deepEqual(Object.keys(first.baselines), ['bare', 'fts5', 'text', 'semantic']);
    assert.equal(first.baselines.semantic, null);
    assert.deepEqual(Object.keys(first.by_category), ['1', '2']);
    assert.deepEqual(first.negatives.questions, 1);
    assert.equal(first.confidence_interval.samples, 50);
    assert.ok(timing.ingest_items_per_second > 0 && timing.search_p50_ms > 0);
    assert.equal(macro.engine.r_at_10.fraction, 1);
    assert.equal(existsSync(join(folder, 'memory.db')), false, 'the own database is left alone');
    assert.deepEqual(notices, []);
  });

  test('shows people a table and takes another k', async () => {
    const { code, out } = await ltm('eval', write('table.json', JSON.stringify(SET)), '--k', '3', '--limit', '1');
    assert.equal(code, 0);
    assert.match(out, /table\.json {2}1 conversation, 3 items, 3 questions/);
    assert.match(out, /R@3 any[\s\S]*memory_search +1\.000[\s\S]*plain FTS5 BM25/);
    assert.match(out, /There was no embedder/);
  });

  test('names what is wrong with a file, and leaves no temporary folder', async () => {
    const bad = write('bad.json', JSON.stringify([{ ...SET[0], items: [{ id: 'D1:1' }] }]));
    const { code, out } = await ltm('eval', bad, '--json');
    assert.equal(code, 2);
    assert.deepEqual(JSON.parse(out).error.details, {
      file: 'bad.json',
      conversation: 'conversation 1 ("talk")',
      field: 'items[0].text',
    });
    assert.equal((await ltm('eval', join(folder, 'none.json'))).code, 3);
    assert.equal((await ltm('eval')).code, 2);
    assert.deepEqual(readdirSync(temporary), []);
  });

  test('removes its temporary files when it is interrupted', {
    skip: process.platform === 'win32' && 'Windows has no signal that a program could answer',
  }, async () => {
    const questions = Array.from({ length: 50_000 }, () => SET[0]!.questions[0]);
    const path = write('long.json', JSON.stringify([{ ...SET[0], questions }]));
    const env = { ...process.env, TMPDIR: temporary, LTM_CONFIG: join(folder, 'config.json') };
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../../../bin/ltm.js'), 'eval', path], {
      env,
      stdio: 'ignore',
    });
    while (
      child.exitCode === null &&
      !readdirSync(temporary).some((name) => existsSync(join(temporary, name, 'eval.db')))
    )
      await setTimeout(20);
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    assert.equal(code, 130);
    assert.deepEqual(readdirSync(temporary), []);
  });
});

describe('ltm eval --own', () => {
  test('needs a database and ten memories', async () => {
    const { code, err } = await ltm('eval', '--own', '--db', join(folder, 'absent.db'));
    assert.equal(code, 3);
    assert.match(err, /There is no database/);
    assert.equal(existsSync(join(folder, 'absent.db')), false);
    const few = join(folder, 'few.db');
    await ltm('store', 'The ferry leaves at noon', '--db', few);
    assert.match((await ltm('eval', '--own', '--db', few)).err, /There are 1 memories; at least 10/);
  });

  test('asks the memories about themselves and changes nothing', async () => {
    const db = join(folder, 'own.db');
    const topics = [
      'ferry',
      'harbour',
      'goat',
      'bakery',
      'telescope',
      'violin',
      'glacier',
      'lantern',
      'compass',
      'orchard',
      'saddle',
      'anvil',
    ];
    for (const topic of topics)
      await ltm(
        'store',
        `The old ${topic} needs repair because the ${topic} keeper left in winter`,
        '--db',
        db,
        '--on-duplicate',
        'store',
      );
    const bytes = readFileSync(db);
    const { code, out, err } = await ltm('eval', '--own', '--db', db, '--questions', '30', '--json');
    assert.equal(code, 0, err);
    const { memories, questions, engine, by_kind } = JSON.parse(out);
    assert.deepEqual([memories, questions], [12, 30]);
    assert.ok(engine.found_at_10 > 0.5);
    assert.ok(Object.keys(by_kind).includes('question'));
    assert.ok(readFileSync(db).equals(bytes), 'the file is the same, byte for byte');
    assert.equal(
      (await ltm('eval', '--own', '--db', db, '--questions', '30', '--json')).out.split('"timing"')[0],
      out.split('"timing"')[0],
    );
    assert.match((await ltm('eval', '--own', '--db', db)).out, /the memory was found[\s\S]*They do not show/);
  });
});
