import { packBytes, sumBytes } from './pack-bytes.ts';
import {
  align,
  CHECKED_FROM,
  isPacked,
  PACK_TABLE_BYTES,
  SECTION_NAMES,
  SECTION_TABLE,
  SEGMENT_MAGIC,
  SEGMENT_VERSION,
  type SegmentContents,
} from './segment-format.ts';

/** Bytes copied between two turns of the event loop. */
const PIECE = 8 * 1024 * 1024;

type Pace = () => Promise<void> | undefined;

export async function writeSegment(
  { from, to, dimensions, sections }: SegmentContents,
  pace: Pace = () => undefined,
): Promise<Uint8Array> {
  const table = SECTION_TABLE + SECTION_NAMES.length * 8;
  let plainLength = align(table + PACK_TABLE_BYTES);
  let packedLength = 0;
  const offsets = SECTION_NAMES.map((name) => {
    const offset = isPacked(name) ? packedLength : plainLength;
    if (isPacked(name)) packedLength = align(offset + sections[name].byteLength);
    else plainLength = align(offset + sections[name].byteLength);
    return offset;
  });
  const unpacked = new Uint8Array(packedLength);
  for (const [i, name] of SECTION_NAMES.entries())
    if (isPacked(name)) await copyInto(unpacked, offsets[i]!, sections[name], pace);
  const packed = await packBytes(unpacked);
  const bytes = new Uint8Array(align(plainLength + packed.length));
  const header = new DataView(bytes.buffer);
  header.setUint32(0, SEGMENT_MAGIC, true);
  header.setUint32(4, SEGMENT_VERSION, true);
  header.setUint32(12, SECTION_NAMES.length, true);
  header.setFloat64(16, from, true);
  header.setFloat64(24, to, true);
  header.setUint32(32, dimensions, true);
  for (const [i, name] of SECTION_NAMES.entries()) {
    header.setUint32(SECTION_TABLE + i * 8, offsets[i]!, true);
    header.setUint32(SECTION_TABLE + i * 8 + 4, sections[name].byteLength, true);
    if (!isPacked(name)) await copyInto(bytes, offsets[i]!, sections[name], pace);
  }
  header.setUint32(table, plainLength, true);
  header.setUint32(table + 4, packed.length, true);
  header.setUint32(table + 8, packedLength, true);
  bytes.set(packed, plainLength);
  header.setUint32(8, await sumBytes(bytes.subarray(CHECKED_FROM), pace), true);
  return bytes;
}

async function copyInto(target: Uint8Array, offset: number, section: ArrayBufferView, pace: Pace): Promise<void> {
  const source = new Uint8Array(section.buffer, section.byteOffset, section.byteLength);
  for (let at = 0; at < source.length; at += PIECE) {
    target.set(source.subarray(at, at + PIECE), offset + at);
    await pace();
  }
}
