import { RECORD_ID_LENGTH } from '../../model/ids.ts';
import type { EmbedderId } from '../../model/passage.ts';
import { makeNumbers, viewNumbers, viewUnpacked } from './decode-section.ts';
import { createByteWriter, putPostings } from './number-list.ts';
import { sumBytes, sumNow, unpackBytes } from './pack-bytes.ts';
import { codeWords } from './part.ts';
import { readDirectory, type SectionPlace } from './segment-directory.ts';
import {
  CHECKED_FROM,
  DamagedSegment,
  isPacked,
  mapSections,
  PACK_TABLE_BYTES,
  RECORD_COLUMN_NAMES,
  SECTION_NAMES,
  SECTION_TABLE,
  SECTIONS,
  SEGMENT_MAGIC,
  type SectionName,
  type Sections,
  type SegmentContents,
} from './segment-format.ts';
import { sumPages } from './write-segment.ts';

/** One reader for each version ever written. */
const READERS: Readonly<Record<number, (bytes: Uint8Array, pace: Pace) => Promise<SegmentContents>>> = {
  1: readVersion1,
  2: readVersion2,
  3: readVersion3,
  4: readVersion4,
};

type Pace = () => Promise<void> | undefined;

/** Views onto the bytes and what is unpacked of them, after checksum and bounds are found right; throws DamagedSegment otherwise. */
export async function readSegment(stored: Uint8Array, pace: Pace = () => undefined): Promise<SegmentContents> {
  const bytes = stored.byteOffset % 8 === 0 ? stored : stored.slice();
  if (bytes.length < SECTION_TABLE) throw new DamagedSegment('too short for a header');
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (header.getUint32(0, true) !== SEGMENT_MAGIC) throw new DamagedSegment('not a segment');
  const read = READERS[header.getUint32(4, true)];
  if (read === undefined) throw new DamagedSegment(`unknown format version ${header.getUint32(4, true)}`);
  return read(bytes, pace);
}

async function readVersion4(bytes: Uint8Array, pace: Pace): Promise<SegmentContents> {
  const directory = readDirectory(bytes, (offset, length) => bytes.subarray(offset, offset + length), sumNow);
  const { length, end, dimensions, places, from, to } = directory;
  if (length !== bytes.length) throw new DamagedSegment('its end is missing');
  const sums = await sumPages(bytes, end, pace);
  if (!sums.every((sum, page) => sum === directory.sums[page])) throw new DamagedSegment('wrong checksum');
  const read = new Map<SectionName, Sections[SectionName]>();
  for (const name of SECTION_NAMES) {
    read.set(name, await readSection(name, bytes, places[name]));
    await pace();
  }
  const sections = mapSections(SECTION_NAMES, (name) => read.get(name)!);
  checkBounds(sections, dimensions);
  return { from, to, embedder: decodeEmbedder(sections), dimensions, sections };
}

async function readSection(name: SectionName, bytes: Uint8Array, place: SectionPlace): Promise<Sections[SectionName]> {
  const { encoding, offset, stored, length } = place;
  const own = bytes.subarray(offset, offset + stored);
  const made = makeNumbers(name, place, () => own);
  if (made !== null) return made;
  if (encoding === 'plain') return viewNumbers(name, own);
  return viewUnpacked(name, place, await unpackBytes(own, length));
}

/** Earlier versions had one sum for everything. */
async function checkSum(bytes: Uint8Array, pace: Pace): Promise<void> {
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (header.getUint32(8, true) !== (await sumBytes(bytes.subarray(CHECKED_FROM), pace)))
    throw new DamagedSegment('wrong checksum');
}

function readVersion3(bytes: Uint8Array, pace: Pace): Promise<SegmentContents> {
  return readPacked(bytes, SECTION_NAMES, pace);
}

/** What versions 1 and 2 knew: all but workspaces. */
const SECOND_SECTIONS = SECTION_NAMES.filter((name) => name !== 'workspace');

async function readVersion2(bytes: Uint8Array, pace: Pace): Promise<SegmentContents> {
  return readPacked(bytes, SECOND_SECTIONS, pace);
}

async function readPacked(bytes: Uint8Array, names: readonly SectionName[], pace: Pace): Promise<SegmentContents> {
  await checkSum(bytes, pace);
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const table = SECTION_TABLE + names.length * 8;
  if (header.getUint32(12, true) !== names.length || bytes.length < table + PACK_TABLE_BYTES)
    throw new DamagedSegment('wrong number of sections');
  const start = header.getUint32(table, true);
  const packed = bytes.subarray(start, start + header.getUint32(table + 4, true));
  const unpacked = await unpackBytes(packed, header.getUint32(table + 8, true));
  const sections = mapSections(names, (name) => {
    const place = placeOf(header, names.indexOf(name));
    return viewSection(isPacked(name) ? unpacked : bytes, SECTIONS[name], place);
  });
  return toContents(header, withWorkspaces(sections));
}

/** Records of segments that know no workspaces have none. */
function withWorkspaces(sections: Omit<Sections, 'workspace'> & Partial<Sections>): Sections {
  return { ...sections, workspace: sections.workspace ?? new Uint32Array(sections.type.length) };
}

/** Version 1 kept every section as it is in memory, counted no runs, and postings as one number for each doc. */
const FIRST_SECTIONS = [
  ...SECOND_SECTIONS.slice(0, SECOND_SECTIONS.indexOf('postingStart') + 1),
  ...(['postingDocs', 'postingCounts'] as const),
  ...SECOND_SECTIONS.slice(SECOND_SECTIONS.indexOf('embedder')),
];
const FIRST_POSTINGS = { postingDocs: Uint32Array, postingCounts: Uint8Array };

async function readVersion1(bytes: Uint8Array, pace: Pace): Promise<SegmentContents> {
  await checkSum(bytes, pace);
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (header.getUint32(12, true) !== FIRST_SECTIONS.length) throw new DamagedSegment('wrong number of sections');
  const view = (name: (typeof FIRST_SECTIONS)[number], View: ViewType) =>
    viewSection(bytes, View, placeOf(header, FIRST_SECTIONS.indexOf(name)));
  const docs = view('postingDocs', FIRST_POSTINGS.postingDocs);
  const counts = view('postingCounts', FIRST_POSTINGS.postingCounts);
  const kept = mapSections(SECOND_SECTIONS, (name) =>
    FIRST_SECTIONS.includes(name) ? view(name, SECTIONS[name]) : new SECTIONS[name](0),
  );
  const { postingStart } = kept;
  if (!closes(postingStart, kept.termStart.length - 1, docs.length) || docs.length !== counts.length)
    throw new DamagedSegment('sections do not fit each other');
  const target = createByteWriter();
  const postingAt = Uint32Array.from(postingStart, (from, term) => {
    const at = target.length;
    const to = postingStart[term + 1] ?? from;
    putPostings(target, { docs: docs.subarray(from, to), counts: counts.subarray(from, to) });
    return at;
  });
  return toContents(header, withWorkspaces({ ...kept, postingAt, postings: target.finish() }));
}

function toContents(header: DataView, sections: Sections): SegmentContents {
  const dimensions = header.getUint32(32, true);
  checkBounds(sections, dimensions);
  const range = { from: header.getFloat64(16, true), to: header.getFloat64(24, true) };
  return { ...range, embedder: decodeEmbedder(sections), dimensions, sections };
}

export function decodeEmbedder({ embedder }: Pick<Sections, 'embedder'>): EmbedderId | null {
  return embedder.length === 0 ? null : new TextDecoder().decode(embedder);
}

type ViewType = (typeof SECTIONS)[SectionName];

function placeOf(header: DataView, section: number): { offset: number; length: number } {
  const entry = SECTION_TABLE + section * 8;
  return { offset: header.getUint32(entry, true), length: header.getUint32(entry + 4, true) };
}

function viewSection(
  bytes: Uint8Array,
  View: ViewType,
  { offset, length }: { offset: number; length: number },
): Sections[SectionName] {
  const fits = offset % 8 === 0 && offset + length <= bytes.length && length % View.BYTES_PER_ELEMENT === 0;
  if (!fits) throw new DamagedSegment('a section lies outside');
  return new View(bytes.buffer as ArrayBuffer, bytes.byteOffset + offset, length / View.BYTES_PER_ELEMENT);
}

function checkBounds(sections: Sections, dimensions: number): void {
  const records = sections.ids.length / RECORD_ID_LENGTH;
  const docs = sections.docRecord.length;
  const vectors = dimensions === 0 ? 0 : docs;
  const right =
    Number.isInteger(records) &&
    sections.deletedIds.length % RECORD_ID_LENGTH === 0 &&
    RECORD_COLUMN_NAMES.every((name) => sections[name].length === records) &&
    sections.docLength.length === docs &&
    closes(sections.docStart, records, docs) &&
    closes(sections.tagStart, records, sections.tags.length) &&
    closes(sections.labelStart, sections.labelStart.length - 1, sections.labelBytes.length) &&
    closes(sections.termStart, sections.termStart.length - 1, sections.termBytes.length) &&
    sections.postingStart.length === sections.termStart.length &&
    closes(sections.postingAt, sections.termStart.length - 1, sections.postings.length) &&
    (sections.runStart.length === 0 ||
      (closes(sections.runStart, sections.runStart.length - 1, sections.runBytes.length) &&
        closes(sections.runListStart, sections.runStart.length - 1, sections.runLists.length))) &&
    sections.scales.length === vectors &&
    sections.rows.length === vectors * dimensions &&
    sections.codes.length === vectors * codeWords(dimensions);
  if (!right) throw new DamagedSegment('sections do not fit each other');
}

/** A list of starts for `count` things ends where what it points into ends. */
function closes(starts: Uint32Array, count: number, end: number): boolean {
  return starts.length === count + 1 && starts[0] === 0 && starts[count] === end;
}
