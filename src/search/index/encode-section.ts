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

/**
 * Vectors do not get smaller by packing. They are read row by row, words and what holds them one by one: packed, words take 50 bytes less of each of 10,000
 * memories, and a search from a terminal three milliseconds more.
 */
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
  if (section instanceof Uint32Array && ascends(section))
    return joinPieces('steps', [await packBytes(new Uint8Array(toSteps(section).buffer))]);
  return joinPieces('packed', [await packBytes(bytes)]);
}

function ascends(numbers: Uint32Array): boolean {
  for (let i = 1; i < numbers.length; i++) if (numbers[i - 1]! > numbers[i]!) return false;
  return true;
}

function toSteps(numbers: Uint32Array): Uint32Array {
  const steps = new Uint32Array(numbers.length);
  for (let i = 0; i < numbers.length; i++) steps[i] = numbers[i]! - (numbers[i - 1] ?? 0);
  return steps;
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
