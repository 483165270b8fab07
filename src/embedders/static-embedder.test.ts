import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { runEmbedderContract } from '../../test/embedders/embedder-contract.ts';
import { EngineError } from '../model/errors.ts';
import { findModelFile } from '../settings/model-file.ts';
import { cleanText, stripSpeakerLabels } from './static/clean-text.ts';
import { describeLookup, readTable, readTableHeader } from './static/embedding-table.ts';
import { lookupPath } from './static/piece-lookup.ts';
import { createTextEncoder } from './static/text-encoder.ts';
import { createStaticEmbedder } from './static-embedder.ts';

const folder = mkdtempSync(join(tmpdir(), 'ltm-static-'));
after(() => rmSync(folder, { recursive: true }));

const DIMENSIONS = 16;
const PIECES = [
  ...'abcdefghijklmnopqrstuvwxyz',
  ...[...'abcdefghijklmnopqrstuvwxyz'].map((letter) => `##${letter}`),
  '認',
  '証',
  'new',
  'york',
  'user',
  'name',
];
const ROW = new Map(PIECES.map((piece, row) => [piece, row]));
const PAIRS = [[ROW.get('new')!, ROW.get('york')!]];

/** A table in the layout of models/train/pack.py. */
function writeTable(name: string, seed: number): string {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state >>> 16;
  };
  const count = PIECES.length + PAIRS.length;
  const sections = {
    pieces: Buffer.from(PIECES.join('\n')),
    pairs: Buffer.from(new Uint16Array(PAIRS.flat()).buffer),
    scales: Buffer.from(Float32Array.from({ length: count }, () => 0.01 + next() / 1e6).buffer),
    table: Buffer.from(Uint8Array.from({ length: (count * DIMENSIONS) / 2 }, () => next() & 255)),
  };
  let at = 1040;
  const places: Record<string, { offset: number; length: number }> = {};
  for (const [section, bytes] of Object.entries(sections)) {
    places[section] = { offset: at, length: bytes.length };
    at += Math.ceil(bytes.length / 8) * 8;
  }
  const header = Buffer.from(
    JSON.stringify({
      name: 'tiny',
      dims: DIMENSIONS,
      bits: 4,
      pieces: PIECES.length,
      pairs: PAIRS.length,
      sections: places,
    }),
  );
  const file = Buffer.alloc(at);
  file.write('LTMEMBD1', 'latin1');
  file.writeUInt32LE(header.length, 8);
  header.copy(file, 16);
  for (const [section, bytes] of Object.entries(sections)) bytes.copy(file, places[section]!.offset);
  const path = join(folder, name);
  writeFileSync(path, file);
  return path;
}

const path = writeTable('tiny.bin', 1);
const encoder = createTextEncoder(readTable(path, readTableHeader(path)));
const rows = (text: string) => [...encoder.rowsOf(text)];
const spelt = (text: string) => rows(text).map((row) => PIECES[row] ?? 'new york');

runEmbedderContract('the static embedder', async () => createStaticEmbedder(path));

const model = findModelFile();
const golden = model === null ? null : join(import.meta.dirname, '..', '..', 'models', 'golden.json');
const skip = model === null ? 'models/ltm-embed-v3.bin is not there' : false;
if (model !== null) runEmbedderContract('the bundled embedder', async () => createStaticEmbedder(model));

interface GoldenText {
  text: string;
  names: string[];
  clean: string;
  ids: number[];
  vector: number[];
}

describe('the bundled table', { skip }, () => {
  const readGolden = () => (JSON.parse(readFileSync(golden!, 'utf8')) as { texts: GoldenText[] }).texts;
  const openEncoder = () => createTextEncoder(readTable(model!, readTableHeader(model!)));

  test('gives the pieces and the vectors of the trainer', () => {
    const bundled = openEncoder();
    for (const { text, clean, ids, vector } of readGolden()) {
      assert.deepEqual([...bundled.rowsOf(clean)], ids, text);
      const own = bundled.vectorOf(clean);
      for (const [i, component] of vector.entries()) assert.ok(Math.abs(own[i]! - component) <= 2e-6, text);
    }
  });

  test('cleans texts as the trainer does', () => {
    const given = readGolden().filter(({ names }) => names.length === 0);
    assert.deepEqual(
      given.map(({ text }) => cleanText(text)),
      given.map(({ clean }) => clean),
    );
  });
});

describe('the static embedder', () => {
  test('reads words as pieces, the longest first, and adds the pairs it knows', () => {
    assert.deepEqual(spelt('new York!'), ['new', 'york', 'new york']);
    assert.deepEqual(spelt('newt'), ['new', '##t']);
    assert.deepEqual(spelt('userName 認証'), ['user', 'name', '認', '証']);
    assert.deepEqual(spelt('Ünew ½ 😀 x'), ['u', '##n', '##e', '##w', 'x']);
  });

  test('finds pieces by the tables beside it, unless they belong to another table', () => {
    const beside = writeTable('beside.bin', 1);
    const lookup = describeLookup(beside);
    const readBeside = (bytes: Uint8Array) => {
      writeFileSync(lookupPath(beside), bytes);
      return [...createTextEncoder(readTable(beside, readTableHeader(beside))).rowsOf('new York userName 認証 newt')];
    };
    assert.deepEqual(readBeside(lookup), rows('new York userName 認証 newt'));
    const withoutPieces = lookup.slice();
    withoutPieces.fill(0, 16, 48);
    assert.notDeepEqual(readBeside(withoutPieces), rows('new York userName 認証 newt'));
    for (const foreign of [describeLookup(writeTable('foreign.bin', 2)), lookup.subarray(1), lookup.subarray(0, -4)])
      assert.deepEqual(readBeside(foreign), rows('new York userName 認証 newt'));
  });

  test('reads words of ASCII alike, whatever stands beside them', () => {
    const others = [
      '',
      'New-York',
      ' name2user',
      'USER_name',
      'x',
      `n${'ew'.repeat(30)} name`,
      `${'user'.repeat(10)}user`,
    ];
    // Half a character is no word and shows as nothing, but such a text is none of ASCII.
    for (const text of others) assert.deepEqual(rows(text), rows(`${text} \ud800`), text);
  });

  test('cuts a word after forty characters', () => assert.equal(rows('x'.repeat(50)).length, 40));

  test('gives a long text the same vector as the sum of its words, whatever came before', () => {
    const long = 'new york user name '.repeat(2000);
    assert.deepEqual(encoder.vectorOf(long), createTextEncoder(readTable(path, readTableHeader(path))).vectorOf(long));
  });

  test('has another id when the table was trained anew, and the same for the same bytes', () => {
    const id = createStaticEmbedder(path).id;
    assert.match(id, /^tiny:16@[0-9a-f]{8}$/);
    assert.notEqual(createStaticEmbedder(writeTable('other.bin', 2)).id, id);
    assert.equal(createStaticEmbedder(writeTable('same.bin', 1)).id, id);
  });

  test('does not take two texts of unknown signs for the same', async () => {
    const [party, rocket, again] = await createStaticEmbedder(path).embed(['🎉🎉', '🚀', '🎉🎉'], 'passage');
    const cosine = party!.reduce((sum, component, i) => sum + component * rocket![i]!, 0);
    assert.ok(Math.abs(cosine) < 0.8);
    assert.deepEqual(party, again);
  });

  test('gives a turn the vector of what was said, whoever said it', async () => {
    const [said, alone] = await createStaticEmbedder(path).embed(['Jane Doe: new york', 'new york'], 'passage');
    assert.deepEqual(said, alone);
  });

  test('weighs a word by how much it says: names most, articles least, of what it spells out no more than of a name', () => {
    const [article, noun, name, spelt, unknown] = createStaticEmbedder(model!).weighWords!([
      'the',
      'table',
      'Kubernetes',
      'Donaudampfschifffahrtsgesellschaft',
      'เภสัชกร',
    ]);
    assert.ok(article! < 0.3 && article! < noun! && noun! < name!);
    assert.ok(spelt! <= 1.3 && unknown! > noun! && unknown! < 1.3);
  });

  test('refuses a file that is none, is cut or does not fit its header', () => {
    const whole = readFileSync(path);
    const broken = (name: string, bytes: Buffer) => {
      const target = join(folder, name);
      writeFileSync(target, bytes);
      return target;
    };
    const wrong = (file: string) => assert.throws(() => readTable(file, readTableHeader(file)), EngineError);
    wrong(broken('empty.bin', Buffer.alloc(0)));
    wrong(broken('text.bin', Buffer.from('not a table at all, only some words')));
    wrong(broken('cut.bin', whole.subarray(0, whole.length - 100)));
    const header = Buffer.from(whole);
    header.write('"pieces":99', header.indexOf('"pieces":'));
    wrong(broken('header.bin', header));
  });
});

describe('cleaning', () => {
  test('leaves out roles, times and ids, and keeps the text where nothing else is in it', () => {
    assert.equal(cleanText('user: hi\nAssistant 2: hello').trim(), 'hi\n  hello');
    assert.equal(cleanText('at 2024-05-01T12:30:00Z build 9f8e7d6c5b4a'), 'at   build  ');
    assert.equal(cleanText('9f8e7d6c5b4a'), '9f8e7d6c5b4a');
    assert.equal(cleanText('the deadline, 1234567'), 'the deadline, 1234567');
  });

  test('leaves out who speaks, at the start of lines only', () => {
    assert.equal(stripSpeakerLabels('Caroline: Hey Mel!\nMary Ann O’Neil: hi'), 'Hey Mel!\nhi');
    assert.equal(stripSpeakerLabels('ask Caroline: she knows'), 'ask Caroline: she knows');
    assert.equal(stripSpeakerLabels('Caroline: 😀'), 'Caroline: 😀');
  });

  test('keeps headings, code and addresses', () => {
    for (const text of [
      'Decision: use SQLite',
      'Root Cause: a race',
      'TODO: test',
      'Http://example.org',
      'const a: Map = b',
    ]) {
      assert.equal(stripSpeakerLabels(text), text);
    }
  });
});
