/** Places in packed postings from which they can be read on: one for every so many. */
interface Marks {
  /** The last doc before each place. */
  docs: Int32Array;
  places: Uint32Array;
}

/** A doc is found by reading half as many on average, and a posting takes a sixteenth of a byte more. */
const MARKED = 128;

/** What `putPostings` wrote, by the number of the list. */
export interface PackedLists {
  bytes: Uint8Array;
  placeOf(list: number): number;
  sizeOf(list: number): number;
}

/** How often a doc holds the word of a list, without unpacking it: a list is walked through once and its marks are kept. */
export function createDocLookup({ bytes, placeOf, sizeOf }: PackedLists): (list: number) => (doc: number) => number {
  const kept = new Map<number, Marks>();
  const marksOf = (list: number): Marks => {
    const known = kept.get(list);
    if (known !== undefined) return known;
    const marks = markPostings(bytes, placeOf(list), sizeOf(list));
    if (sizeOf(list) > MARKED) kept.set(list, marks);
    return marks;
  };
  return (list) => {
    const marks = marksOf(list);
    const size = sizeOf(list);
    return (doc) => {
      const block = blockOf(marks.docs, doc);
      const count = Math.min(MARKED, size - block * MARKED);
      return countIn(bytes, { at: marks.places[block]!, before: marks.docs[block]!, count }, doc);
    };
  };
}

function markPostings(bytes: Uint8Array, start: number, size: number): Marks {
  const blocks = Math.ceil(size / MARKED);
  const marks = { docs: new Int32Array(blocks), places: new Uint32Array(blocks) };
  let at = start;
  let last = -1;
  for (let i = 0; i < size; i++) {
    if (i % MARKED === 0) {
      marks.docs[i / MARKED] = last;
      marks.places[i / MARKED] = at;
    }
    let byte = bytes[at++]!;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++]!;
      value |= (byte & 127) << shift;
    }
    last += (value >>> 1) + 1;
    if ((value & 1) === 1 && bytes[at++]! > 127) at++;
  }
  return marks;
}

/** The last block that may hold the doc. */
function blockOf(docs: Int32Array, doc: number): number {
  let low = 0;
  let high = docs.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (docs[middle]! < doc) low = middle;
    else high = middle - 1;
  }
  return low;
}

function countIn(bytes: Uint8Array, block: { at: number; before: number; count: number }, doc: number): number {
  let { at, before: last } = block;
  for (let i = 0; i < block.count; i++) {
    let byte = bytes[at++]!;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++]!;
      value |= (byte & 127) << shift;
    }
    last += (value >>> 1) + 1;
    const isOnce = (value & 1) === 0;
    if (last > doc) return 0;
    if (last === doc) return isOnce ? 1 : readCount(bytes, at);
    if (!isOnce && bytes[at++]! > 127) at++;
  }
  return 0;
}

function readCount(bytes: Uint8Array, at: number): number {
  const byte = bytes[at]!;
  return byte > 127 ? (byte & 127) | (bytes[at + 1]! << 7) : byte;
}
