import type { Sequence } from '../../model/ids.ts';
import type { EmbedderId } from '../../model/passage.ts';

/**
 * A segment's bytes, little-endian: header, sections one after the other, directory. A change of this file that moves a byte needs a new version and a
 * reader for the old one (read-segment.ts).
 *
 *   0 magic · 4 version · 8 CRC-32 of header from byte 12 on and directory · 12 number of sections
 *  16 from (float64) · 24 to (float64) · 32 dimensions of the vectors, 0 without · 36 length of the whole
 *  40 where the directory begins · 44 zero
 *
 * Whoever reads all of it and whoever reads a few pages of it (lazy-segment.ts) check what they read: the directory has a sum for each page.
 */
export const SEGMENT_MAGIC = 0x58_4d_54_4c; // "LTMX"
export const SEGMENT_VERSION = 4;
export const CHECKED_FROM = 12;
export const HEADER_BYTES = 48;
/** Where versions 1 to 3 have their table of sections. */
export const SECTION_TABLE = 40;
export const PACK_TABLE_BYTES = 16;

/** What filters and ranking want to know of a record: one number each. */
const RECORD_COLUMNS = {
  kind: Uint8Array,
  trust: Uint8Array,
  superseded: Uint8Array,
  type: Uint32Array,
  project: Uint32Array,
  workspace: Uint32Array,
  agent: Uint32Array,
  session: Uint32Array,
  conversation: Uint32Array,
  /** Who says it, where the record is a turn of a conversation. */
  speaker: Uint32Array,
  quality: Float64Array,
  createdAt: Float64Array,
  updatedAt: Float64Array,
  /** -Infinity and Infinity where the record says nothing. */
  validFrom: Float64Array,
  validUntil: Float64Array,
} as const;
export type RecordColumn = keyof typeof RECORD_COLUMNS;
export const RECORD_COLUMN_NAMES = Object.keys(RECORD_COLUMNS) as RecordColumn[];

/** In the order in which they are written. */
export const SECTIONS = {
  /** RECORD_ID_LENGTH bytes for each record. */
  ids: Uint8Array,
  deletedIds: Uint8Array,
  /** Docs of record r: docStart[r] up to docStart[r + 1]; a doc's ordinal is its distance from the first. */
  docStart: Uint32Array,
  docRecord: Uint32Array,
  /** In words, MAX_DOC_LENGTH at most. */
  docLength: Uint16Array,
  ...RECORD_COLUMNS,
  tagStart: Uint32Array,
  tags: Uint32Array,
  labelStart: Uint32Array,
  labelBytes: Uint8Array,
  termStart: Uint32Array,
  termBytes: Uint8Array,
  /** How many docs hold the terms before a term, and where its own begin in `postings` (number-list.ts). */
  postingStart: Uint32Array,
  postingAt: Uint32Array,
  postings: Uint8Array,
  /** Runs of letters and digits, and for each the records that hold it (runs.ts); runStart is empty where nobody has looked for them. */
  runStart: Uint32Array,
  runBytes: Uint8Array,
  runListStart: Uint32Array,
  runLists: Uint8Array,
  /** Records whose contents could not be cut into runs. */
  uncut: Uint32Array,
  embedder: Uint8Array,
  codes: Uint32Array,
  rows: Int8Array,
  scales: Float32Array,
} as const;

/** In versions 2 and 3. */
export function isPacked(name: SectionName): boolean {
  return name !== 'codes' && name !== 'rows' && name !== 'scales';
}

/** Of records, their passages ("docs") and their tags: in memory even where words and vectors are not. */
export const COLUMN_NAMES = [
  'ids',
  'docStart',
  'docRecord',
  'docLength',
  ...RECORD_COLUMN_NAMES,
  'tagStart',
  'tags',
] as const;
export type ColumnName = (typeof COLUMN_NAMES)[number];

export type SectionName = keyof typeof SECTIONS;
interface Arrays {
  Uint8Array: Uint8Array;
  Int8Array: Int8Array;
  Uint16Array: Uint16Array;
  Uint32Array: Uint32Array;
  Float32Array: Float32Array;
  Float64Array: Float64Array;
}
export type Sections = {
  [Name in SectionName]: Arrays[InstanceType<(typeof SECTIONS)[Name]>[typeof Symbol.toStringTag]];
};
export const SECTION_NAMES = Object.keys(SECTIONS) as SectionName[];

/** Arrays for some of the sections. */
export function mapSections<Name extends SectionName>(
  names: readonly Name[],
  make: (name: Name) => Sections[SectionName],
): Pick<Sections, Name> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Pick<Sections, Name>;
}

/** A segment before it is written, or after it was read. */
export interface SegmentContents {
  from: Sequence;
  to: Sequence;
  embedder: EmbedderId | null;
  dimensions: number;
  sections: Sections;
}

/** The bytes are not what was written. The segment must be made again from the store. */
export class DamagedSegment extends Error {
  override readonly name = 'DamagedSegment';
}

export function align(offset: number): number {
  return (offset + 7) & ~7;
}
