import { holdsOneValue } from './holds-one-value.ts';
import { packBytes } from './pack-bytes.ts';
import type { Encoding } from './segment-directory.ts';
import type { SectionName, Sections } from './segment-format.ts';

export interface EncodedSection {
  encoding: Encoding;
  /** In the order in which they are written. */
  pieces: Uint8Array[];
  stored: number;
}

/** Vectors do not get smaller by packing. They are read row by row, words and what holds them one by one. */
const PLAIN: ReadonlySet<SectionName> = new Set([
  ...(['codes', 'rows', 'scales'] as const),
  ...(['termStart', 'termBytes', 'postingStart', 'postingAt', 'postings'] as const),
]);
/** Below this nothing is gained by packing. */
const SMALLEST_PACKED = 64;

export async function encodeSection(name: SectionName, section: Sections[SectionName]): Promise<EncodedSection> {
  const bytes = new Uint8Array(section.buffer, section.byteOffset, section.byteLength);
  if (PLAIN.has(name) || bytes.length < SMALLEST_PACKED) return joinPieces('plain', [bytes]);
  if (isConstant(section)) return joinPieces('constant', [bytes.subarray(0, section.BYTES_PER_ELEMENT)]);
  if (section instanceof Uint32Array && counts(section)) return joinPieces('counting', []);
  return joinPieces('packed', [await packBytes(bytes)]);
}

function joinPieces(encoding: Encoding, pieces: Uint8Array[]): EncodedSection {
  return { encoding, pieces, stored: pieces.reduce((sum, { length }) => sum + length, 0) };
}

/** Zeros of two signs differ. */
function isConstant(section: Sections[SectionName]): boolean {
  return (
    (section instanceof Uint8Array || section instanceof Uint32Array || section instanceof Float64Array) &&
    !Object.is(section[0], -0) &&
    holdsOneValue(section, section[0]!)
  );
}

function counts(numbers: Uint32Array): boolean {
  for (let i = 0; i < numbers.length; i++) if (numbers[i] !== i) return false;
  return true;
}
