import { describeColumns } from './describe-columns.ts';
import { type EncodedSection, encodeSection } from './encode-section.ts';
import { sumBytes } from './pack-bytes.ts';
import {
  type Directory,
  directoryBytes,
  pageRange,
  pagesBefore,
  type SectionPlace,
  writeDirectory,
} from './segment-directory.ts';
import {
  align,
  CHECKED_FROM,
  HEADER_BYTES,
  SECTION_NAMES,
  type SectionName,
  type SegmentContents,
} from './segment-format.ts';

/** Bytes copied between two turns of the event loop. */
const PIECE = 8 * 1024 * 1024;

type Pace = () => Promise<void> | undefined;

export async function writeSegment(
  { from, to, dimensions, sections }: SegmentContents,
  pace: Pace = () => undefined,
): Promise<Uint8Array> {
  const encoded = new Map<SectionName, EncodedSection>();
  const places = {} as Record<SectionName, SectionPlace>;
  let end = HEADER_BYTES;
  for (const name of SECTION_NAMES) {
    const section = await encodeSection(name, sections[name]);
    const { encoding, stored } = section;
    encoded.set(name, section);
    places[name] = { encoding, offset: end, stored, length: sections[name].byteLength };
    end = align(end + stored);
    await pace();
  }
  const bytes = new Uint8Array(end + directoryBytes(end));
  for (const [name, { pieces }] of encoded) {
    let at = places[name].offset;
    for (const piece of pieces) {
      await copyInto(bytes, at, piece, pace);
      at += piece.length;
    }
  }
  const sums = await sumPages(bytes, end, pace);
  const directory: Directory = {
    from,
    to,
    dimensions,
    places,
    sums,
    end,
    length: bytes.length,
    facts: describeColumns(sections),
  };
  writeDirectory(bytes, directory);
  const sum = await sumBytes(
    bytes.subarray(end),
    pace,
    await sumBytes(bytes.subarray(CHECKED_FROM, HEADER_BYTES), pace),
  );
  new DataView(bytes.buffer).setUint32(8, sum, true);
  return bytes;
}

/** The CRC-32 of each page. */
export async function sumPages(bytes: Uint8Array, end: number, pace: Pace): Promise<Uint32Array> {
  const sums = new Uint32Array(pagesBefore(end));
  for (let page = 0; page < sums.length; page++) {
    const { start, stop } = pageRange(page, end);
    sums[page] = await sumBytes(bytes.subarray(start, stop), pace);
  }
  return sums;
}

async function copyInto(target: Uint8Array, offset: number, source: Uint8Array, pace: Pace): Promise<void> {
  for (let at = 0; at < source.length; at += PIECE) {
    target.set(source.subarray(at, at + PIECE), offset + at);
    await pace();
  }
}
