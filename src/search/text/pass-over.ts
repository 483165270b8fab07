import { CONNECTOR, classAt, WORD } from './char-class.ts';
import { type Openings, opens } from './word-openings.ts';

/**
 * The UTF-16 units of a text: looking at all of them is several times faster here than in a string. One more ends them, an apostrophe, which is
 * neither letter nor gap: nobody has to ask where the text ends, and nobody reads beyond it, which would make every reading slow.
 */
export function readUnits(text: string): Uint16Array {
  const bytes = Buffer.allocUnsafe(2 * text.length + 2);
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, text.length + 1);
  bytes.write(text, 'utf16le');
  units[text.length] = APOSTROPHE;
  return units;
}

/**
 * Goes on over what is quickly judged, and says where it came to: what stands between words, and words of a–z, which are handed to `take` where
 * they begin like a wanted one.
 */
export function passOver({ units, openings, take }: PassOver, start: number): number {
  let at = start;
  for (;;) {
    while (isBetweenWords(units, at)) at++;
    if (!isPlainLetter(units[at]! | UPPER_TO_LOWER)) return at;
    let end = at + 1;
    while (isPlainLetter(units[end]!)) end++;
    if (!isBetweenWords(units, end)) return at;
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
const APOSTROPHE = 39;
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

function isBetweenWords(units: Uint16Array, at: number): boolean {
  const unit = units[at]!;
  if (unit >= SIGNS.length) return false;
  return SIGNS[unit] === GAP || (SIGNS[unit] === JOINT && units[at + 1] === BLANK);
}
