import type { SoughtTerm } from './part.ts';
import { encodeText, findString, type StringTable } from './string-table.ts';

/** Where words stand in a table; -1 for those that are not there. */
export type SeekTerm = (term: SoughtTerm) => number;

/** So many places are remembered, then from the beginning: people use a few thousand words again and again. */
const MAX_PLACES = 4096;
/** So many words are hashed whenever one had to be looked for, which takes some five times as long as looking. */
const HASHED_AT_ONCE = 128;

/**
 * Whoever stores memories asks for words that nobody asked for before, in each segment. Bit by bit they are all hashed: halving the table takes a
 * microsecond for each. One that is read in pieces is left alone.
 */
export function createSeekTerm(table: StringTable): SeekTerm {
  let slots: Int32Array | null = null;
  let hashed = 0;
  let places: Map<string, number> | null = new Map();
  const hashSome = (): void => {
    slots ??= new Int32Array(2 ** Math.ceil(Math.log2(Math.max(1, table.count) * 1.5)));
    const end = Math.min(table.count, hashed + HASHED_AT_ONCE);
    while (hashed < end) place(slots, hashOf(table, hashed), ++hashed);
    if (hashed === table.count) places = null;
  };
  return (term) => {
    if (places === null) return lookUp(table, slots!, term);
    const known = places.get(term.text);
    if (known !== undefined) return known;
    term.bytes ??= encodeText(term.text);
    const index = findString(table, term.bytes);
    if (places.size >= MAX_PLACES) places.clear();
    places.set(term.text, index);
    if (table.need === undefined) hashSome();
    return index;
  };
}

function place(slots: Int32Array, hash: number, value: number): void {
  let slot = hash & (slots.length - 1);
  while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
  slots[slot] = value;
}

const FACTOR = 0x01000193;
/** Another one in each process: nobody can choose words that all fall into one slot. */
const SEED = (Math.random() * 2 ** 32) | 0;

function hashOf({ starts, bytes }: StringTable, index: number): number {
  let hash = SEED;
  for (let at = starts[index]!, end = starts[index + 1]!; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, FACTOR);
  return mix(hash);
}

/** The lower bits of such a hash depend on the lower bits of what is hashed alone. */
function mix(hash: number): number {
  return hash ^ (hash >>> 15);
}

function lookUp(table: StringTable, slots: Int32Array, term: SoughtTerm): number {
  const { text } = term;
  let hash = SEED;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 127) return findString(table, encodeText(text));
    hash = Math.imul(hash ^ unit, FACTOR);
  }
  for (let slot = mix(hash) & (slots.length - 1); slots[slot] !== 0; slot = (slot + 1) & (slots.length - 1))
    if (isAt(table, slots[slot]! - 1, text)) return slots[slot]! - 1;
  return -1;
}

/** For a text of ASCII. */
function isAt({ starts, bytes }: StringTable, index: number, text: string): boolean {
  const start = starts[index]!;
  if (starts[index + 1]! - start !== text.length) return false;
  for (let i = 0; i < text.length; i++) if (bytes[start + i] !== text.charCodeAt(i)) return false;
  return true;
}
