import { crc32 } from 'node:zlib';
import { RECORD_ID_LENGTH } from '../../../model/ids.ts';
import { codeWords } from './part.ts';
import {
  CHECKED_FROM,
  DamagedSegment,
  mapSections,
  RECORD_COLUMN_NAMES,
  SECTION_NAMES,
  SECTION_TABLE,
  SECTIONS,
  SEGMENT_MAGIC,
  type SectionName,
  type Sections,
  type SegmentContents,
} from './segment-format.ts';

/** One reader for each version ever written. */
const READERS: Readonly<Record<number, (bytes: Uint8Array) => SegmentContents>> = { 1: readVersion1 };

/** Views onto the bytes, after their checksum and bounds are found right; throws DamagedSegment otherwise. */
export function readSegment(stored: Uint8Array): SegmentContents {
  const bytes = stored.byteOffset % 8 === 0 ? stored : stored.slice();
  if (bytes.length < SECTION_TABLE) throw new DamagedSegment('too short for a header');
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (header.getUint32(0, true) !== SEGMENT_MAGIC) throw new DamagedSegment('not a segment');
  const read = READERS[header.getUint32(4, true)];
  if (read === undefined) throw new DamagedSegment(`unknown format version ${header.getUint32(4, true)}`);
  if (header.getUint32(8, true) !== crc32(bytes.subarray(CHECKED_FROM))) throw new DamagedSegment('wrong checksum');
  return read(bytes);
}

function readVersion1(bytes: Uint8Array): SegmentContents {
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (header.getUint32(12, true) !== SECTION_NAMES.length) throw new DamagedSegment('wrong number of sections');
  const sections: Sections = mapSections(SECTION_NAMES, (name) => {
    const entry = SECTION_TABLE + SECTION_NAMES.indexOf(name) * 8;
    return viewSection(bytes, name, header.getUint32(entry, true), header.getUint32(entry + 4, true));
  });
  const dimensions = header.getUint32(32, true);
  checkBounds(sections, dimensions);
  const embedder = sections.embedder.length === 0 ? null : new TextDecoder().decode(sections.embedder);
  return { from: header.getFloat64(16, true), to: header.getFloat64(24, true), embedder, dimensions, sections };
}

function viewSection(bytes: Uint8Array, name: SectionName, offset: number, length: number): Sections[SectionName] {
  const View = SECTIONS[name];
  const fits = offset % 8 === 0 && offset + length <= bytes.length && length % View.BYTES_PER_ELEMENT === 0;
  if (!fits) throw new DamagedSegment(`section ${name} lies outside`);
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
    closes(sections.postingStart, sections.termStart.length - 1, sections.postingDocs.length) &&
    sections.postingCounts.length === sections.postingDocs.length &&
    sections.scales.length === vectors &&
    sections.rows.length === vectors * dimensions &&
    sections.codes.length === vectors * codeWords(dimensions);
  if (!right) throw new DamagedSegment('sections do not fit each other');
}

/** A list of starts for `count` things ends where what it points into ends. */
function closes(starts: Uint32Array, count: number, end: number): boolean {
  return starts.length === count + 1 && starts[0] === 0 && starts[count] === end;
}
