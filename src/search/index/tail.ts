import { RECORD_ID_LENGTH, type RecordId } from '../../model/ids.ts';
import type { EmbedderId, StoredVector } from '../../model/passage.ts';
import { type RecordKind, type StoredRecord, TRUST_CODES } from '../../model/record.ts';
import { readSpeaker } from '../text/read-speaker.ts';
import { writeSignCode } from '../vectors/sign-code.ts';
import { CODED_LABELS, type Columns, type Labels } from './columns.ts';
import { grown } from './growable.ts';
import type { Pace } from './pacer.ts';
import { type Body, codeWords, type Part, type Vectors } from './part.ts';
import type { PreparedDoc, PreparedEntry } from './prepare-entry.ts';
import { COLUMN_NAMES, type ColumnName, mapSections, SECTIONS } from './segment-format.ts';
import { createTailRuns } from './tail-runs.ts';
import { createTailWords } from './tail-words.ts';

/** The recent changes of a space, in memory only. */
export interface Tail extends Part {
  /** The id must not be alive in any part. */
  add(entry: PreparedEntry): void;
  /** In turns, while nobody else has this tail. */
  addInTurns(entry: PreparedEntry, pace: Pace): Promise<void>;
  /** Every record that changed in this tail's time, those now gone included. */
  readonly touched: Set<RecordId>;
}

const RECORD_BYTES = 200;
/** Passages that are added in one go. */
const DOCS_AT_ONCE = 32;

export function createTail(embedder: EmbedderId | null, kindCode: (kind: RecordKind) => number): Tail {
  const columns = emptyColumns();
  const words = createTailWords();
  const runs = createTailRuns();
  const body: Body = { words, vectors: null, runs };
  const numbers = new Map<RecordId, number>();
  const tail: Tail = {
    segment: null,
    columns,
    body,
    touched: new Set(),
    find: (id) => numbers.get(id) ?? -1,
    deadRecords: new Uint8Array(0),
    deadDocs: new Uint8Array(0),
    liveRecords: 0,
    liveDocs: 0,
    liveLength: 0,
    get bytes() {
      return (
        words.bytes +
        runs.bytes +
        columns.recordCount * RECORD_BYTES +
        columns.docCount * (8 + (body.vectors?.dimensions ?? 0) * 1.2)
      );
    },
    add(entry) {
      for (const _done of addSteps(entry));
    },
    async addInTurns(entry, pace) {
      for (const _done of addSteps(entry)) await pace();
    },
  };
  function* addSteps({ record, docs, runs: own }: PreparedEntry): Generator<void> {
    if (own === 'uncut') runs.addContent(columns.recordCount, record.content);
    else runs.add(columns.recordCount, own);
    numbers.set(record.id, columns.recordCount);
    addRecord(columns, record, kindCode(record.kind));
    columns.singlePassages &&= docs.length === 1;
    tail.deadRecords = grown(tail.deadRecords, columns.recordCount);
    tail.liveRecords++;
    for (const [i, doc] of docs.entries()) {
      if (i % DOCS_AT_ONCE === DOCS_AT_ONCE - 1) yield;
      words.add(columns.docCount, doc.words);
      if (doc.vector !== null)
        body.vectors = addVector(body.vectors ?? emptyVectors(embedder, doc.vector), columns.docCount, doc.vector);
      else if (body.vectors !== null) body.vectors.complete = false;
      addDoc(columns, doc);
      tail.liveDocs++;
      tail.liveLength += doc.length;
    }
    tail.deadDocs = grown(tail.deadDocs, columns.docCount);
    if (body.vectors !== null) makeRoom(body.vectors, columns.docCount);
  }
  return tail;
}

function addRecord(columns: TailColumns, record: StoredRecord, kindCode: number): void {
  const at = columns.recordCount++;
  const { labels } = columns;
  columns.ids = grown(columns.ids, (at + 1) * RECORD_ID_LENGTH);
  Buffer.from(columns.ids.buffer, columns.ids.byteOffset).write(record.id, at * RECORD_ID_LENGTH, 'latin1');
  set(columns, 'kind', at, kindCode);
  if (!columns.kindsHeld.includes(kindCode)) columns.kindsHeld.push(kindCode);
  set(columns, 'trust', at, TRUST_CODES[record.trust]);
  set(columns, 'superseded', at, record.supersededBy === null ? 0 : 1);
  const named = { ...record, speaker: speakerOf(record) };
  for (const name of CODED_LABELS) set(columns, name, at, labels.code(named[name]));
  set(columns, 'quality', at, record.quality);
  set(columns, 'createdAt', at, record.createdAt);
  set(columns, 'updatedAt', at, record.updatedAt);
  set(columns, 'validFrom', at, record.validFrom ?? -Infinity);
  set(columns, 'validUntil', at, record.validUntil ?? Infinity);
  if (record.supersededBy !== null || record.validFrom !== null || record.validUntil !== null)
    columns.alwaysCurrent = false;
  let tag = columns.tagStart[at]!;
  for (const text of record.tags) set(columns, 'tags', tag++, labels.code(text));
  set(columns, 'tagStart', at + 1, tag);
  set(columns, 'docStart', at + 1, columns.docStart[at]!);
}

function addDoc(columns: Columns, { length }: PreparedDoc): void {
  const at = columns.docCount++;
  set(columns, 'docRecord', at, columns.recordCount - 1);
  set(columns, 'docLength', at, length);
  columns.docStart[columns.recordCount] = at + 1;
  columns.maxLength = Math.max(columns.maxLength, length);
}

function set(columns: Columns, name: Exclude<ColumnName, 'ids'>, at: number, value: number): void {
  const column = grown(columns[name], at + 1);
  column[at] = value;
  if (column !== columns[name]) Object.assign(columns, { [name]: column });
}

/** Only turns have one: a note that begins with a word and a colon is said by nobody. */
function speakerOf({ conversation, session, content }: StoredRecord): string | null {
  return conversation === null && session === null ? null : readSpeaker(content);
}

interface GrowingLabels extends Labels {
  code(text: string | null): number;
}

function growingLabels(): GrowingLabels {
  const codes = new Map<string, number>();
  const texts: string[] = [];
  return {
    get size() {
      return texts.length + 1;
    },
    codeOf: (text) => codes.get(text) ?? 0,
    textOf: (code) => texts[code - 1]!,
    code(text) {
      if (text === null) return 0;
      const known = codes.get(text);
      if (known !== undefined) return known;
      codes.set(text, texts.push(text));
      return texts.length;
    },
  };
}

interface TailColumns extends Columns {
  kindsHeld: number[];
  labels: GrowingLabels;
}

function emptyColumns(): TailColumns {
  return {
    ...mapSections(COLUMN_NAMES, (name) => new SECTIONS[name](0)),
    docStart: new Uint32Array(1),
    tagStart: new Uint32Array(1),
    recordCount: 0,
    docCount: 0,
    maxLength: 0,
    singlePassages: true,
    alwaysCurrent: true,
    kindsHeld: [],
    labels: growingLabels(),
  };
}

function emptyVectors(embedder: EmbedderId | null, { embedder: own, bytes }: StoredVector): Vectors {
  const arrays = { codes: new Uint32Array(0), rows: new Int8Array(0), scales: new Float32Array(0) };
  return { embedder: embedder ?? own, dimensions: bytes.length, ...arrays, complete: true };
}

function addVector(vectors: Vectors, doc: number, vector: StoredVector): Vectors {
  // The first vector may come late, after docs that have none.
  if (vectors.scales.length === 0 && doc > 0) vectors.complete = false;
  makeRoom(vectors, doc + 1);
  const fits = vector.embedder === vectors.embedder && vector.bytes.length === vectors.dimensions;
  vectors.complete &&= fits && vector.scale !== 0;
  if (!fits) return vectors;
  vectors.scales[doc] = vector.scale;
  vectors.rows.set(vector.bytes, doc * vectors.dimensions);
  writeSignCode(vector.bytes, vectors.codes, doc * codeWords(vectors.dimensions));
  return vectors;
}

function makeRoom(vectors: Vectors, docs: number): void {
  vectors.scales = grown(vectors.scales, docs);
  vectors.rows = grown(vectors.rows, docs * vectors.dimensions);
  vectors.codes = grown(vectors.codes, docs * codeWords(vectors.dimensions));
}
