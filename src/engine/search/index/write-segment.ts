import { crc32 } from 'node:zlib';
import {
  align,
  CHECKED_FROM,
  SECTION_NAMES,
  SECTION_TABLE,
  SEGMENT_MAGIC,
  SEGMENT_VERSION,
  type SegmentContents,
} from './segment-format.ts';

export function writeSegment({ from, to, dimensions, sections }: SegmentContents): Uint8Array {
  let length = align(SECTION_TABLE + SECTION_NAMES.length * 8);
  const offsets = SECTION_NAMES.map((name) => {
    const offset = length;
    length = align(offset + sections[name].byteLength);
    return offset;
  });
  const bytes = new Uint8Array(length);
  const header = new DataView(bytes.buffer);
  header.setUint32(0, SEGMENT_MAGIC, true);
  header.setUint32(4, SEGMENT_VERSION, true);
  header.setUint32(12, SECTION_NAMES.length, true);
  header.setFloat64(16, from, true);
  header.setFloat64(24, to, true);
  header.setUint32(32, dimensions, true);
  SECTION_NAMES.forEach((name, i) => {
    const section = sections[name];
    header.setUint32(SECTION_TABLE + i * 8, offsets[i]!, true);
    header.setUint32(SECTION_TABLE + i * 8 + 4, section.byteLength, true);
    bytes.set(new Uint8Array(section.buffer, section.byteOffset, section.byteLength), offsets[i]!);
  });
  header.setUint32(8, crc32(bytes.subarray(CHECKED_FROM)), true);
  return bytes;
}
