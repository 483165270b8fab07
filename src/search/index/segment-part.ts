import { RECORD_ID_LENGTH } from '../../model/ids.ts';
import type { Segment } from '../../model/segment.ts';
import { placeForScanning } from '../vectors/place-for-scanning.ts';
import { type Columns, type Labels, seekId } from './columns.ts';
import { describeColumns } from './describe-columns.ts';
import { createDocLookup } from './look-up-docs.ts';
import { readPostings, unpackPostings } from './number-list.ts';
import { createPacer } from './pacer.ts';
import type { Body, Part, Postings, SegmentFacts, SoughtTerm, Term, TermList, Vectors, Words } from './part.ts';
import { readSegment } from './read-segment.ts';
import { viewRuns } from './runs.ts';
import { createSeekTerm } from './seek-terms.ts';
import type { SegmentFactsOfColumns } from './segment-directory.ts';
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
  const contents = await readChecked(lean ? segment : { ...segment, bytes: placeForScanning(segment.bytes) });
  const sections = lean ? copyColumns(contents.sections) : contents.sections;
  const facts = describeColumns(sections);
  const columns = viewColumns(sections, facts);
  const bytes = measure(contents.sections) + facts.docs * KEPT_POSTINGS * POSTING_BYTES;
  const held = lean ? facts.records * LEAN_RECORD_BYTES + facts.docs * LEAN_DOC_BYTES : bytes;
  const body = lean ? null : viewBody(contents, facts);
  return makePart({ ...segment, bytes, held, deletedIds: sections.deletedIds }, { columns, body, facts });
}

interface PartFacts extends SegmentFacts {
  /** What it takes in memory. */
  held: number;
}

/** Everything alive. */
export function makePart(
  { id, from, to, bytes, held, deletedIds }: PartFacts,
  { columns, body, facts }: { columns: Columns; body: Body | null; facts: SegmentFactsOfColumns },
): Part {
  const { records, docs, lastId } = facts;
  return {
    segment: { id, from, to, bytes, deletedIds },
    columns,
    body,
    find(recordId) {
      // Ids grow with time: most of what is looked for is newer.
      if (recordId > lastId) return -1;
      ASKED.write(recordId.padEnd(RECORD_ID_LENGTH, '\0'), 0, RECORD_ID_LENGTH, 'latin1');
      const { index, found } = seekId(columns.ids, 0, ASKED, 0);
      return found ? index : -1;
    },
    deadRecords: new Uint8Array(records),
    deadDocs: new Uint8Array(docs),
    liveRecords: records,
    liveDocs: docs,
    liveLength: facts.sumLength,
    bytes: held + docs + records,
  };
}

/** The id that is looked for. */
const ASKED = Buffer.alloc(RECORD_ID_LENGTH);

/** The words and vectors of a segment whose columns are in memory already. */
export async function openBody(segment: Segment): Promise<Body> {
  const contents = await readChecked(segment);
  return viewBody(contents, {
    complete: !contents.sections.scales.includes(0),
    docs: contents.sections.docRecord.length,
  });
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

function viewColumns(sections: Sections, facts: SegmentFactsOfColumns): Columns {
  const { labelStart, labelBytes } = sections;
  return {
    ...mapSections(COLUMN_NAMES, (name) => sections[name]),
    ...countColumns(facts),
    labels: viewLabels({ count: labelStart.length - 1, starts: labelStart, bytes: labelBytes }),
  };
}

export function countColumns(facts: SegmentFactsOfColumns) {
  const { records: recordCount, docs: docCount, maxLength, singlePassages, alwaysCurrent, kindsHeld } = facts;
  return { recordCount, docCount, maxLength, singlePassages, alwaysCurrent, kindsHeld };
}

/** Copies, so that the bytes of the words and vectors can be let go. */
function copyColumns(sections: Sections): Sections {
  const kept = [...COLUMN_NAMES, 'deletedIds', 'labelStart', 'labelBytes'] as const;
  return { ...sections, ...mapSections(kept, (name) => sections[name].slice()) };
}

export function viewLabels(table: StringTable): Labels {
  return {
    size: table.count + 1,
    codeOf: (text) => findString(table, encodeText(text)) + 1,
    textOf: (code) => stringAt(table, code - 1),
  };
}

function viewBody(
  { sections, embedder, dimensions }: SegmentContents,
  { complete, docs }: Pick<SegmentFactsOfColumns, 'complete' | 'docs'>,
): Body {
  const { codes, rows, scales } = sections;
  const vectors: Vectors | null =
    embedder === null || dimensions === 0 ? null : { embedder, dimensions, codes, rows, scales, complete };
  return { words: viewWords({ ...sections, docs }), vectors, runs: viewRuns(sections) };
}

/** Postings are kept as numbers once they were asked for: so many for each doc on average. */
const KEPT_POSTINGS = 8;
const POSTING_BYTES = 5;

type WordSections = Pick<Sections, 'termStart' | 'termBytes' | 'postingStart' | 'postingAt' | 'postings'>;

export interface WordSource extends WordSections {
  docs: number;
  /** Called before these terms are looked at, before one is counted, and before its postings are read; absent: they are all there. */
  needTerms?(from: number, to: number): void;
  needCount?(term: number): void;
  needPostings?(term: number): void;
}

/** How many were made: each has a number of its own. */
let tables = 0;

export function viewWords(source: WordSource): Words {
  const { termStart, termBytes, postingStart, postingAt, postings, docs, needTerms, needCount, needPostings } = source;
  const table: StringTable = { count: termStart.length - 1, starts: termStart, bytes: termBytes, need: needTerms };
  const countAt = (index: number): number => {
    needCount?.(index);
    return postingStart[index + 1]! - postingStart[index]!;
  };
  const placeOf = (index: number): number => {
    needPostings?.(index);
    return postingAt[index]!;
  };
  const postingsAt = (index: number): Postings => readPostings(postings, placeOf(index), countAt(index));
  const unpackAt: TermList['unpackAt'] = (index, room) => {
    const count = countAt(index);
    if (count > 0) unpackPostings(postings, { start: placeOf(index), count }, room(count));
    return count;
  };
  const lookUp = createDocLookup({ bytes: postings, placeOf, sizeOf: countAt });
  const keepPostings = createKept(postingsAt, KEPT_POSTINGS * docs);
  const findSimilarStrings = createFindSimilar(table);
  const termAt = (index: number) => ({ text: stringAt(table, index), bytes: bytesAt(table, index) });
  const seekAnew = createSeekTerm(table);
  const number = ++tables;
  const seek = (term: SoughtTerm): number => (term.counted?.table === number ? term.counted.place : seekAnew(term));
  const find = (term: SoughtTerm) => {
    const index = seek(term);
    return index === -1 ? null : keepPostings(index);
  };
  return {
    find,
    unpack(term, room) {
      const index = seek(term);
      return index === -1 ? 0 : unpackAt(index, room);
    },
    count(term) {
      const { counted } = term;
      if (counted?.table === number) return counted.docs;
      const index = seek(term);
      const count = index === -1 ? 0 : countAt(index);
      if (counted !== undefined) {
        counted.table = number;
        counted.place = index;
        counted.docs = count;
      }
      return count;
    },
    lookUp(term) {
      const index = seek(term);
      return index === -1 ? null : lookUp(index);
    },
    countsByDoc: createDenseCounts(docs, find),
    withPrefix(prefix, most) {
      const start = lowerBound(table, prefix.bytes);
      const length = endOfPrefix(table, prefix.bytes, start) - start;
      return length > most ? null : Array.from({ length }, (_, i) => termAt(start + i));
    },
    near: (term, isNear) =>
      findSimilarStrings(term.bytes)
        .map(termAt)
        .filter((other) => isNear(term.text, other.text)),
    list: async () => ({ count: table.count, bytesAt: (index) => bytesAt(table, index), unpackAt }),
  };
}

/** Shorter lists are read again each time: there are very many of them, and few are asked for again. */
const SHORTEST_KEPT = 16;

/** Those that were asked for since the others became old are kept: the words of nearly every question stay. */
function createKept(read: (index: number) => Postings, max: number): (index: number) => Postings {
  let [young, old] = [new Map<number, Postings>(), new Map<number, Postings>()];
  let size = 0;
  return (index) => {
    const known = young.get(index);
    if (known !== undefined) return known;
    const postings = old.get(index) ?? read(index);
    if (postings.docs.length < SHORTEST_KEPT) return postings;
    if (size > max / 2) {
      old = young;
      young = new Map();
      size = 0;
    }
    young.set(index, postings);
    size += postings.docs.length;
    return postings;
  };
}

/** From this share of the docs on a word's counts are spread over all docs: a byte for each instead of five for each that holds it. */
const DENSE_SHARE = 1 / 8;

/** Made when a word is asked for the second time: a body that is read for one search alone would not gain by it. */
function createDenseCounts(docCount: number, find: Words['find']): (term: Term) => Uint8Array | null {
  const made = new Map<string, Uint8Array | null>();
  return (term) => {
    const known = made.get(term.text);
    if (known) return known;
    const postings = find(term);
    if (postings === null || postings.docs.length < DENSE_SHARE * docCount) return null;
    if (known === undefined) {
      made.set(term.text, null);
      return null;
    }
    const { docs, counts } = postings;
    const dense = new Uint8Array(docCount);
    for (let i = 0; i < docs.length; i++) dense[docs[i]!] = counts[i]!;
    made.set(term.text, dense);
    return dense;
  };
}
