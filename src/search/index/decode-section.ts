import type { SectionPlace } from './segment-directory.ts';
import { DamagedSegment, SECTIONS, type SectionName, type Sections } from './segment-format.ts';

/** An array of the section's numbers over a buffer that begins on a multiple of eight. */
export function viewNumbers(name: SectionName, bytes: Uint8Array): Sections[SectionName] {
  const View = SECTIONS[name];
  if (bytes.length % View.BYTES_PER_ELEMENT !== 0) throw new DamagedSegment('a section lies outside');
  const placed = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  return new View(placed.buffer as ArrayBuffer, placed.byteOffset, placed.length / View.BYTES_PER_ELEMENT);
}

/** What was packed, unpacked; steps are added up where they lie. */
export function viewUnpacked(name: SectionName, { encoding }: SectionPlace, bytes: Uint8Array): Sections[SectionName] {
  const numbers = viewNumbers(name, bytes);
  if (encoding === 'steps') for (let i = 1; i < numbers.length; i++) numbers[i]! += numbers[i - 1]!;
  return numbers;
}

/** A section that is said rather than written down; null for one that is written. */
export function makeNumbers(
  name: SectionName,
  { encoding, stored, length }: SectionPlace,
  value: () => Uint8Array,
): Sections[SectionName] | null {
  if (encoding !== 'constant' && encoding !== 'counting') return null;
  const numbers = new SECTIONS[name](length / SECTIONS[name].BYTES_PER_ELEMENT);
  if (encoding === 'constant') {
    if (stored !== numbers.BYTES_PER_ELEMENT) throw new DamagedSegment('a section lies outside');
    return numbers.fill(viewNumbers(name, value().slice())[0]!);
  }
  for (let i = 0; i < numbers.length; i++) numbers[i] = i;
  return numbers;
}
