import { CONNECTOR, classAt, WORD } from './char-class.ts';
import { type Openings, opens } from './word-openings.ts';

/** The UTF-16 units of a text: looking at all of them is several times faster here than in a string. */
export function readUnits(text: string): Uint16Array {
  const bytes = Buffer.from(text, 'utf16le');
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
}

/**
 * Goes on over what is quickly judged, and says where it came to: what stands between words, and words of a–z, which are handed to `take` where
 * they begin like a wanted one.
 */
export function passOver({ units, openings, take }: PassOver, start: number): number {
  let at = start;
  for (;;) {
    while (isGap(units[at]!)) at++;
    if (!isPlainLetter(units[at]! | UPPER_TO_LOWER)) return at;
    let end = at + 1;
    while (isPlainLetter(units[end]!)) end++;
    if (end - at === 1 || !endsWord(units, end)) return at;
    if (opens(openings, units[at]!, units[at + 1]!)) take(at, end);
    at = end;
  }
}

export interface PassOver {
  units: Uint16Array;
  openings: Openings;
  take(start: number, end: number): void;
}

const BLANK = 32;
const UPPER_TO_LOWER = 32;
const [GAP, JOINT] = [1, 2];
/** GAP where a unit belongs to no word, JOINT where the one after it decides. The signs of don't, C++ and F# are neither. */
const SIGNS = Uint8Array.from({ length: 128 }, (_, unit) => {
  const kind = classAt(String.fromCharCode(unit), 0);
  if (kind === CONNECTOR) return JOINT;
  return (kind & WORD) !== 0 || "'+#".includes(String.fromCharCode(unit)) ? 0 : GAP;
});

function isPlainLetter(unit: number): boolean {
  return unit >= 97 && unit <= 122;
}

function isGap(unit: number): boolean {
  return SIGNS[unit] === GAP;
}

function endsWord(units: Uint16Array, end: number): boolean {
  const sign = SIGNS[units[end]!];
  return sign === GAP || (sign === JOINT && units[end + 1] === BLANK);
}
