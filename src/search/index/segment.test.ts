import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleContent } from '../../../test/stores/contract/sample-records.ts';
import type { StoredRecord } from '../../model/record.ts';
import { idAt } from './columns.ts';
import { mergeParts } from './merge-parts.ts';
import { prepareEntry } from './prepare-entry.ts';
import { readSegment } from './read-segment.ts';
import { DamagedSegment } from './segment-format.ts';
import { openSegment } from './segment-part.ts';
import { encodeText } from './string-table.ts';
import { createTail } from './tail.ts';
import { writeSegment } from './write-segment.ts';

/** A segment as version 1 wrote it. If this stops being readable, old indexes do. */
const GOLDEN = [
  'TFRNWAEAAADgM9HRIAAAAAAAAAAAAAhAAAAAAAAAIkAEAAAAAAAAACgBAAAoAAAAUAEAABQAAABoAQAADAAAAHgBAAAMAAAAiAEAAAYAAACQAQAAAgAAAJgBAAACAAAAoAEAAAIAAACo',
  'AQAACAAAALABAAAIAAAAuAEAAAgAAADAAQAACAAAAMgBAAAIAAAA0AEAAAgAAADYAQAAEAAAAOgBAAAQAAAA+AEAABAAAAAIAgAAEAAAABgCAAAQAAAAKAIAAAwAAAA4AgAACAAAAEAC',
  'AAAUAAAAWAIAAAcAAABgAgAAGAAAAHgCAAAgAAAAmAIAABgAAACwAgAAFAAAAMgCAAAFAAAA0AIAAAMAAADYAgAADAAAAOgCAAAMAAAA+AIAAAwAAAAwMWFhYWFhYWFhYWFhYWFhYWFh',
  'MTAxYWFhYWFhYWFhYWFhYWFhYWEyMDFhYWFhYWFhYWFhYWFhYWFhYTAAAAAAAAAAAAIAAAADAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAADAAEAAgAAAAAAAAAAAAAAAgEAAAAAAAAAAQAA',
  'AAAAAAMAAAADAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAOA/AAAAAAAA4D8AAAAAAECPQAAAAAAAQI9AAAAAAABAn0AAAAAAAECfQAAAAAAA',
  'APD/AAAAAAAA8P8AAAAAAADwfwAAAAAAABRAAAAAAAAAAAACAAAAAAAAAAIAAAABAAAAAAAAAAEAAAACAAAABgAAAAcAAAAAAAAAYWJub3RlcAAAAAAABAAAAAcAAAAKAAAAEQAAACAA',
  'AABibHVlZm94cmVkesO8cmljaOiqjeiovOOCqOODqeODvAAAAAABAAAAAgAAAAMAAAAEAAAABQAAAAEAAAAAAAAAAAAAAAIAAAACAAAAAAAAAAEBAgEBAAAAZS0xAAAAAAAJAAAAAAAA',
  'AAAAAAAAAAAAAf4AAwAAAAAAAAAAAAAAAAAAAD8AAAAAAAAAAAAAAAA=',
].join('');

/** The format must not depend on how words are cut. */
const tokenize = (text: string) => text.toLowerCase().split(' ');

function makeRecord(id: string, content: string, over: Partial<StoredRecord> = {}): StoredRecord {
  const place = { space: 's', id, revision: 1, generation: 1, dot: 'test:1', deletedAt: null };
  return { ...sampleContent({ content, createdAt: 1000, updatedAt: 2000 }), ...place, ...over };
}

const FIRST = '01aaaaaaaaaaaaaaaaa1';
const SECOND = '01aaaaaaaaaaaaaaaaa2';
const GONE = '01aaaaaaaaaaaaaaaaa0';

async function makeSample(): Promise<Uint8Array> {
  const tail = createTail('e-1', () => 0);
  const vector = { embedder: 'e-1', ordinal: 0, scale: 0.5, bytes: Int8Array.from([1, -2, 0, 3]) };
  const second = makeRecord(SECOND, 'Zürich 認証エラー', {
    tags: ['b', 'a'],
    project: 'p',
    trust: 'agent',
    validUntil: 5,
    supersededBy: FIRST,
  });
  const entries = [
    { id: SECOND, record: second, passages: [{ ordinal: 0, text: second.content }], vectors: [] },
    {
      id: FIRST,
      record: makeRecord(FIRST, 'red fox red'),
      passages: [
        { ordinal: 0, text: 'red fox red' },
        { ordinal: 1, text: 'blue' },
      ],
      vectors: [vector],
    },
  ];
  for (const entry of entries) tail.add(prepareEntry(entry, tokenize, 'e-1')!);
  const source = { columns: tail.columns, body: tail.body!, dead: tail.deadRecords };
  return writeSegment(await mergeParts({ from: 3, to: 9, sources: [source], deletedIds: [GONE], embedder: 'e-1' }));
}

const ROW = { id: 'segment', from: 3, to: 9, passages: 3, embedder: 'e-1' };

test('gives back what was written, records in the order of their ids', async () => {
  const { columns, body, segment, find } = await openSegment({ ...ROW, bytes: await makeSample() }, false);
  assert.deepEqual([idAt(columns, 0), idAt(columns, 1)], [FIRST, SECOND]);
  assert.deepEqual([...columns.docStart], [0, 2, 3]);
  assert.equal(find(SECOND), 1);
  assert.equal(find(GONE), -1);
  assert.equal(idAt({ ids: segment!.deletedIds }, 0), GONE);
  const red = body!.words.find({ text: 'red', bytes: encodeText('red') })!;
  assert.deepEqual([[...red.docs], [...red.counts]], [[0], [2]]);
  const room = { docs: new Uint32Array(1), counts: new Uint8Array(1) };
  assert.equal(
    body!.words.unpack({ text: 'red' }, () => room),
    1,
  );
  assert.deepEqual([room.docs[0], room.counts[0]], [0, 2]);
  assert.equal(
    body!.words.unpack({ text: 'green' }, () => assert.fail()),
    0,
  );
  assert.equal(body!.words.find({ text: 'green', bytes: encodeText('green') }), null);
  assert.equal(columns.labels.textOf(columns.tags[0]!), 'b');
  assert.equal(columns.project[1], columns.labels.codeOf('p'));
  assert.deepEqual([columns.validUntil[0], columns.validUntil[1], columns.superseded[1]], [Infinity, 5, 1]);
  assert.deepEqual([...body!.vectors!.scales], [0.5, 0, 0]);
  assert.deepEqual([...body!.vectors!.rows.subarray(0, 4)], [1, -2, 0, 3]);
});

test('reads what version 1 wrote, which knew no runs, as it reads what is written now', async () => {
  const old = await readSegment(new Uint8Array(Buffer.from(GOLDEN, 'base64')));
  const now = await readSegment(await makeSample());
  const { runStart, runBytes, runListStart, runLists, uncut, ...rest } = now.sections;
  assert.equal(old.sections.runStart.length, 0);
  assert.deepEqual(Array.from(uncut), []);
  assert.ok(runStart.length > 1 && runBytes.length > 0 && runListStart.length > 1 && runLists.length > 0);
  for (const [name, section] of Object.entries(rest))
    assert.deepEqual(Array.from(old.sections[name as keyof typeof rest]), Array.from(section), name);
});

test('notices every flipped byte and every missing end', async () => {
  const bytes = await makeSample();
  for (let at = 0; at < bytes.length; at++) {
    const broken = bytes.slice();
    broken[at]! ^= 1 << (at % 8);
    await assert.rejects(() => readSegment(broken), DamagedSegment, `byte ${at}`);
  }
  for (const length of [0, 7, 39, 40, 300, bytes.length - 8, bytes.length - 1])
    await assert.rejects(() => readSegment(bytes.slice(0, length)), DamagedSegment);
});

test('refuses a segment that was stored under another range', async () => {
  const bytes = await makeSample();
  await assert.rejects(() => openSegment({ ...ROW, to: 10, bytes }, false), DamagedSegment);
});

test('reads bytes that do not lie on a multiple of eight', async () => {
  const bytes = await makeSample();
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  assert.deepEqual((await readSegment(shifted.subarray(3))).sections, (await readSegment(bytes)).sections);
});

async function openWords(...texts: readonly string[]) {
  const tail = createTail(null, () => 0);
  for (const [i, text] of texts.entries()) {
    const id = `01aaaaaaaaaaaaaaaaa${i}`;
    const record = makeRecord(id, text);
    tail.add(prepareEntry({ id, record, passages: [{ ordinal: 0, text }], vectors: [] }, tokenize, null)!);
  }
  const source = { columns: tail.columns, body: tail.body!, dead: tail.deadRecords };
  const bytes = await writeSegment(
    await mergeParts({ from: 3, to: 9, sources: [source], deletedIds: [], embedder: null }),
  );
  return (await openSegment({ ...ROW, embedder: null, bytes }, false)).body!.words;
}

test('a word that one segment has counted is found in its own place in every other', async () => {
  const segments = [await openWords('red fox', 'red sun'), await openWords('a fox', 'blue', 'fox den')];
  const sought = ['red', 'fox', 'fog'].map((text) => ({ text, counted: { table: 0, place: -1, docs: 0 } }));
  for (const counting of [0, 1, 1, 0]) {
    const counts = sought.map((term) => segments[counting]!.count(term));
    assert.deepEqual(
      counts,
      [
        [2, 1, 0],
        [0, 2, 0],
      ][counting],
    );
    for (const words of segments)
      for (const term of sought) assert.deepEqual(words.find(term), words.find({ text: term.text }));
  }
});

test('a merge keeps the live records of all parts and no word of the others', async () => {
  const bytes = await makeSample();
  const part = await openSegment({ ...ROW, bytes }, false);
  const other = createTail('e-1', () => 0);
  other.add(
    prepareEntry(
      { id: GONE, record: makeRecord(GONE, 'red panda'), passages: [{ ordinal: 0, text: 'red panda' }], vectors: [] },
      tokenize,
      'e-1',
    )!,
  );
  const sources = [
    { columns: part.columns, body: part.body!, dead: Uint8Array.from([0, 1]) },
    { columns: other.columns, body: other.body!, dead: other.deadRecords },
  ];
  const merged = await writeSegment(await mergeParts({ from: 3, to: 9, sources, deletedIds: [], embedder: 'e-1' }));
  const { columns, body } = await openSegment({ ...ROW, bytes: merged }, false);
  assert.deepEqual([idAt(columns, 0), idAt(columns, 1)], [GONE, FIRST]);
  assert.deepEqual([...body!.words.find({ text: 'red', bytes: encodeText('red') })!.docs], [0, 1]);
  assert.deepEqual([...body!.vectors!.scales], [0, 0.5, 0]);
  const { sections } = await readSegment(merged);
  for (const section of Object.values(sections)) {
    const text = Buffer.from(section.buffer, section.byteOffset, section.byteLength);
    assert.ok(!text.includes('zürich') && !text.includes('認証'));
  }
});
