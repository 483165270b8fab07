import { RECORD_ID_LENGTH, type RecordId } from '../../model/ids.ts';
import { SEGMENT_PIECE_BYTES } from '../../model/segment.ts';
import {
  CHECKED_FROM,
  DamagedSegment,
  HEADER_BYTES,
  SECTION_NAMES,
  SEGMENT_MAGIC,
  SEGMENT_VERSION,
  type SectionName,
} from './segment-format.ts';

/** A page of a segment, with a sum of its own: as much as a store hands out at once. The first one has the header before it. */
export const PAGE_BYTES = SEGMENT_PIECE_BYTES;

/**
 * How the numbers of a section are kept: as they are; packed with Zstandard; as one that stands for all; not at all, since each is its own number; what each is
 * more than the one before, packed.
 */
const ENCODINGS = ['plain', 'packed', 'constant', 'counting', 'steps'] as const;
export type Encoding = (typeof ENCODINGS)[number];

export interface SectionPlace {
  encoding: Encoding;
  offset: number;
  /** In the segment, and of the section itself, in bytes. */
  stored: number;
  length: number;
}

/** What would otherwise have to be found out from whole columns. */
export interface SegmentFactsOfColumns {
  records: number;
  docs: number;
  /** In words: the longest passage, and all together. */
  maxLength: number;
  sumLength: number;
  singlePassages: boolean;
  alwaysCurrent: boolean;
  /** No passage lacks its vector. */
  complete: boolean;
  kindsHeld: readonly number[];
  /** The empty text where there is no record. */
  lastId: RecordId;
}

export interface Directory {
  from: number;
  to: number;
  dimensions: number;
  length: number;
  facts: SegmentFactsOfColumns;
  places: Readonly<Record<SectionName, SectionPlace>>;
  /** CRC-32 of each page between header and directory. */
  sums: Uint32Array;
  /** Where the directory begins. */
  end: number;
}

const FACTS_BYTES = 80;
const PLACE_BYTES = 16;
const KINDS_AT = 24;
const LAST_ID_AT = 56;

export function directoryBytes(end: number): number {
  return FACTS_BYTES + SECTION_NAMES.length * PLACE_BYTES + pagesBefore(end) * 4;
}

export function pagesBefore(end: number): number {
  return Math.ceil(end / PAGE_BYTES);
}

/** Where a page's sum begins and ends. */
export function pageRange(page: number, end: number): { start: number; stop: number } {
  return { start: Math.max(HEADER_BYTES, page * PAGE_BYTES), stop: Math.min(end, (page + 1) * PAGE_BYTES) };
}

/** Writes header and directory around the sections, but for their sum. */
export function writeDirectory(bytes: Uint8Array, { facts, places, sums, end, ...rest }: Directory): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  view.setUint32(0, SEGMENT_MAGIC, true);
  view.setUint32(4, SEGMENT_VERSION, true);
  view.setUint32(12, SECTION_NAMES.length, true);
  view.setFloat64(16, rest.from, true);
  view.setFloat64(24, rest.to, true);
  view.setUint32(32, rest.dimensions, true);
  view.setUint32(36, rest.length, true);
  view.setUint32(40, end, true);
  view.setUint32(end, facts.records, true);
  view.setUint32(end + 4, facts.docs, true);
  view.setUint32(end + 8, facts.maxLength, true);
  view.setUint32(end + 12, listFlags(facts), true);
  view.setFloat64(end + 16, facts.sumLength, true);
  for (const kind of facts.kindsHeld) bytes[end + KINDS_AT + (kind >>> 3)]! |= 1 << (kind & 7);
  for (let i = 0; i < facts.lastId.length; i++) bytes[end + LAST_ID_AT + i] = facts.lastId.charCodeAt(i);
  for (const [i, name] of SECTION_NAMES.entries()) {
    const at = end + FACTS_BYTES + i * PLACE_BYTES;
    const { encoding, offset, stored, length } = places[name];
    for (const [k, number] of [ENCODINGS.indexOf(encoding), offset, stored, length].entries())
      view.setUint32(at + k * 4, number, true);
  }
  const sumsAt = end + FACTS_BYTES + SECTION_NAMES.length * PLACE_BYTES;
  for (const [page, sum] of sums.entries()) view.setUint32(sumsAt + page * 4, sum, true);
}

function listFlags({ singlePassages, alwaysCurrent, complete }: SegmentFactsOfColumns): number {
  return (singlePassages ? 1 : 0) | (alwaysCurrent ? 2 : 0) | (complete ? 4 : 0);
}

/** Where the directory of a segment lies, by its header. Throws DamagedSegment. */
function findDirectory(header: Uint8Array): { end: number; length: number } {
  if (header.length < HEADER_BYTES) throw new DamagedSegment('too short for a header');
  const view = new DataView(header.buffer, header.byteOffset, header.length);
  const [length, end] = [view.getUint32(36, true), view.getUint32(40, true)];
  const isRight =
    view.getUint32(12, true) === SECTION_NAMES.length && end >= HEADER_BYTES && length === end + directoryBytes(end);
  if (!isRight) throw new DamagedSegment('wrong number of sections');
  return { end, length };
}

/** `read` gives bytes of the segment. Throws DamagedSegment. */
export function readDirectory(
  header: Uint8Array,
  read: (offset: number, length: number) => Uint8Array,
  sum: (bytes: Uint8Array, before: number) => number,
): Directory {
  const { end, length } = findDirectory(header);
  const bytes = read(end, length - end).slice();
  const headerView = new DataView(header.buffer, header.byteOffset, header.length);
  if (sum(bytes, sum(header.subarray(CHECKED_FROM, HEADER_BYTES), 0)) !== headerView.getUint32(8, true))
    throw new DamagedSegment('wrong checksum');
  const view = new DataView(bytes.buffer);
  const flags = view.getUint32(12, true);
  const facts: SegmentFactsOfColumns = {
    records: view.getUint32(0, true),
    docs: view.getUint32(4, true),
    maxLength: view.getUint32(8, true),
    sumLength: view.getFloat64(16, true),
    singlePassages: (flags & 1) !== 0,
    alwaysCurrent: (flags & 2) !== 0,
    complete: (flags & 4) !== 0,
    kindsHeld: listKinds(bytes.subarray(KINDS_AT, LAST_ID_AT)),
    lastId: readId(bytes.subarray(LAST_ID_AT, LAST_ID_AT + RECORD_ID_LENGTH)),
  };
  const places = {} as Record<SectionName, SectionPlace>;
  for (const [i, name] of SECTION_NAMES.entries()) places[name] = readPlace(view, FACTS_BYTES + i * PLACE_BYTES, end);
  return {
    from: headerView.getFloat64(16, true),
    to: headerView.getFloat64(24, true),
    dimensions: headerView.getUint32(32, true),
    length,
    facts,
    places,
    end,
    sums: new Uint32Array(bytes.buffer, FACTS_BYTES + SECTION_NAMES.length * PLACE_BYTES),
  };
}

function readPlace(view: DataView, at: number, end: number): SectionPlace {
  const encoding = ENCODINGS[view.getUint32(at, true)];
  const [offset, stored, length] = [4, 8, 12].map((by) => view.getUint32(at + by, true)) as [number, number, number];
  if (encoding === undefined || offset % 8 !== 0 || offset + stored > end)
    throw new DamagedSegment('a section lies outside');
  return { encoding, offset, stored, length };
}

function listKinds(bits: Uint8Array): number[] {
  return Array.from({ length: 256 }, (_, kind) => kind).filter(
    (kind) => ((bits[kind >>> 3]! >>> (kind & 7)) & 1) === 1,
  );
}

function readId(bytes: Uint8Array): RecordId {
  return bytes[0] === 0 ? '' : String.fromCharCode(...bytes);
}
