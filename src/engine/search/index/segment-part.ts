import { RECORD_ID_LENGTH } from '../../../model/ids.ts';
import type { Segment } from '../../../model/segment.ts';
import { type Columns, type Labels, seekId } from './columns.ts';
import { createDenseCounts } from './dense-counts.ts';
import { holdsOneValue, holdsSameBytes } from './holds-one-value.ts';
import { readPostings } from './number-list.ts';
import { createPacer } from './pacer.ts';
import type { Body, Part, Postings, Term, Vectors, Words } from './part.ts';
import { readSegment } from './read-segment.ts';
import { viewRuns } from './runs.ts';
import { COLUMN_NAMES, DamagedSegment, mapSections, type Sections, type SegmentContents } from './segment-format.ts';
import { createFindSimilar } from './similar-strings.ts';
import {
  bytesAt,
  encodeText,
  endOfPrefix,
  findString,
  lowerBound,
  type StringTable,
  stringAt,
} from './string-table.ts';

/** A segment as the index uses it, everything alive. `lean` keeps the columns alone. Throws DamagedSegment. */
export async function openSegment(segment: Segment, lean: boolean): Promise<Part> {
  const contents = await readChecked(segment);
  const sections = lean ? copyColumns(contents.sections) : contents.sections;
  const columns = viewColumns(sections);
  const { docCount, recordCount } = columns;
  const { id, from, to } = segment;
  const overlayBytes = docCount + recordCount;
  const bytes = measure(contents.sections) + docCount * KEPT_POSTINGS * POSTING_BYTES;
  return {
    segment: { id, from, to, bytes, deletedIds: sections.deletedIds },
    columns,
    body: lean ? null : viewBody(contents),
    find(recordId) {
      ASKED.write(recordId.padEnd(RECORD_ID_LENGTH, '\0'), 0, RECORD_ID_LENGTH, 'latin1');
      const { index, found } = seekId(columns.ids, 0, ASKED, 0);
      return found ? index : -1;
    },
    deadRecords: new Uint8Array(recordCount),
    deadDocs: new Uint8Array(docCount),
    liveRecords: recordCount,
    liveDocs: docCount,
    liveLength: sumLengths(columns.docLength),
    bytes: overlayBytes + (lean ? recordCount * LEAN_RECORD_BYTES + docCount * LEAN_DOC_BYTES : bytes),
  };
}

function sumLengths(lengths: Uint16Array): number {
  let sum = 0;
  for (let doc = 0; doc < lengths.length; doc++) sum += lengths[doc]!;
  return sum;
}

/** The id that is looked for. */
const ASKED = Buffer.alloc(RECORD_ID_LENGTH);

/** The words and vectors of a segment whose columns are in memory already. */
export async function openBody(segment: Segment): Promise<Body> {
  return viewBody(await readChecked(segment));
}

/** What it takes in memory, unpacked. */
function measure(sections: Sections): number {
  return Object.values(sections).reduce((sum, section) => sum + section.byteLength, 0);
}

const LEAN_RECORD_BYTES = 100;
const LEAN_DOC_BYTES = 6;

async function readChecked(segment: Segment): Promise<SegmentContents> {
  const contents = await readSegment(segment.bytes, createPacer());
  if (contents.from !== segment.from || contents.to !== segment.to)
    throw new DamagedSegment('its range is not the one it was stored under');
  return contents;
}

function viewColumns(sections: Sections): Columns {
  const { docLength, labelStart, labelBytes } = sections;
  const labels = viewLabels({ count: labelStart.length - 1, starts: labelStart, bytes: labelBytes });
  let maxLength = 0;
  for (let doc = 0; doc < docLength.length; doc++) if (docLength[doc]! > maxLength) maxLength = docLength[doc]!;
  const recordCount = sections.ids.length / RECORD_ID_LENGTH;
  return {
    ...mapSections(COLUMN_NAMES, (name) => sections[name]),
    recordCount,
    docCount: docLength.length,
    maxLength,
    ...describeRecords(sections),
    labels,
  };
}

function describeRecords({
  superseded,
  validFrom,
  validUntil,
  docStart,
  docRecord,
  kind,
}: Sections): Pick<Columns, 'singlePassages' | 'alwaysCurrent' | 'kindsHeld'> {
  const alwaysCurrent =
    holdsOneValue(superseded, 0) && holdsOneValue(validFrom, -Infinity) && holdsOneValue(validUntil, Infinity);
  // A record whose first doc has its own number, and a doc whose record has its own: only where all have one can both be said of all.
  const singlePassages =
    docRecord.length === docStart.length - 1 && holdsSameBytes(docRecord, docStart.subarray(0, -1));
  return { singlePassages, alwaysCurrent, kindsHeld: listKinds(kind) };
}

function listKinds(kinds: Uint8Array): number[] {
  if (kinds.length > 0 && holdsOneValue(kinds, kinds[0]!)) return [kinds[0]!];
  const held = new Uint8Array(256);
  for (let record = 0; record < kinds.length; record++) held[kinds[record]!] = 1;
  return [...held.keys()].filter((code) => held[code] === 1);
}

/** Copies, so that the bytes of the words and vectors can be let go. */
function copyColumns(sections: Sections): Sections {
  const kept = [...COLUMN_NAMES, 'deletedIds', 'labelStart', 'labelBytes'] as const;
  return { ...sections, ...mapSections(kept, (name) => sections[name].slice()) };
}

function viewLabels(table: StringTable): Labels {
  return {
    size: table.count + 1,
    codeOf: (text) => findString(table, encodeText(text)) + 1,
    textOf: (code) => stringAt(table, code - 1),
  };
}

function viewBody({ sections, embedder, dimensions }: SegmentContents): Body {
  const { codes, rows, scales } = sections;
  const complete = !scales.includes(0);
  const vectors: Vectors | null =
    embedder === null || dimensions === 0 ? null : { embedder, dimensions, codes, rows, scales, complete };
  return { words: viewWords(sections), vectors, runs: viewRuns(sections) };
}

/** Postings are kept as numbers once they were asked for: so many for each doc on average, then from the beginning. */
const KEPT_POSTINGS = 8;
const POSTING_BYTES = 5;

function viewWords({ termStart, termBytes, postingStart, postingAt, postings, docRecord }: Sections): Words {
  const table: StringTable = { count: termStart.length - 1, starts: termStart, bytes: termBytes };
  const postingsAt = (index: number): Postings =>
    readPostings(postings, postingAt[index]!, postingStart[index + 1]! - postingStart[index]!);
  const keepPostings = createKept(postingsAt, KEPT_POSTINGS * docRecord.length);
  const findSimilarStrings = createFindSimilar(table);
  const termAt = (index: number) => ({ text: stringAt(table, index), bytes: bytesAt(table, index) });
  const seek = rememberPlaces(table);
  const find = (term: Term) => {
    const index = seek(term);
    return index === -1 ? null : keepPostings(index);
  };
  return {
    find,
    count(term) {
      const index = seek(term);
      return index === -1 ? 0 : postingStart[index + 1]! - postingStart[index]!;
    },
    countsByDoc: createDenseCounts(docRecord.length, find),
    withPrefix(prefix) {
      const start = lowerBound(table, prefix.bytes);
      return Array.from({ length: endOfPrefix(table, prefix.bytes, start) - start }, (_, i) => termAt(start + i));
    },
    near: (term, isNear) =>
      findSimilarStrings(term.bytes)
        .map(termAt)
        .filter((other) => isNear(term.text, other.text)),
    list: async () => ({ count: table.count, bytesAt: (index) => bytesAt(table, index), postingsAt }),
  };
}

/** Then from the beginning: people use a few thousand words again and again. */
const MAX_PLACES = 4096;

/** Where words stand; -1 for those that are not there. */
function rememberPlaces(table: StringTable): (term: Term) => number {
  const places = new Map<string, number>();
  return ({ text, bytes }) => {
    const known = places.get(text);
    if (known !== undefined) return known;
    const index = findString(table, bytes);
    if (places.size >= MAX_PLACES) places.clear();
    places.set(text, index);
    return index;
  };
}

function createKept(read: (index: number) => Postings, max: number): (index: number) => Postings {
  const kept = new Map<number, Postings>();
  let size = 0;
  return (index) => {
    const known = kept.get(index);
    if (known !== undefined) return known;
    const postings = read(index);
    if (size > max) {
      kept.clear();
      size = 0;
    }
    kept.set(index, postings);
    size += postings.docs.length;
    return postings;
  };
}
