/** Ascending numbers as the distances between them, seven bits a byte, the lowest first: most take one byte or two. */
export interface ByteWriter {
  readonly length: number;
  put(number: number): void;
  finish(): Uint8Array;
}

export function createByteWriter(): ByteWriter {
  let bytes = new Uint8Array(4096);
  let length = 0;
  return {
    get length() {
      return length;
    },
    put(number) {
      if (length + 5 > bytes.length) {
        const larger = new Uint8Array(bytes.length * 2);
        larger.set(bytes);
        bytes = larger;
      }
      let rest = number;
      while (rest > 127) {
        bytes[length++] = (rest & 127) | 128;
        rest >>>= 7;
      }
      bytes[length++] = rest;
    },
    finish: () => bytes.slice(0, length),
  };
}

export function putAscending(target: ByteWriter, numbers: ArrayLike<number>, size: number = numbers.length): void {
  let last = -1;
  for (let i = 0; i < size; i++) {
    target.put(numbers[i]! - last - 1);
    last = numbers[i]!;
  }
}

/** Calls back with each of the numbers that lie between two places. */
export function eachAscending(bytes: Uint8Array, start: number, end: number, visit: (number: number) => void): void {
  let last = -1;
  for (let at = start; at < end; ) {
    let byte = bytes[at++]!;
    let distance = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++]!;
      distance |= (byte & 127) << shift;
    }
    last += distance + 1;
    visit(last);
  }
}

/** Docs with how often each holds a word (255 at most): the lowest bit of a distance says that a count follows, which is 1 otherwise. */
export function putPostings(
  target: ByteWriter,
  { docs, counts }: { docs: ArrayLike<number>; counts: ArrayLike<number> },
  size: number = docs.length,
): void {
  let last = -1;
  for (let i = 0; i < size; i++) {
    const isOnce = counts[i] === 1;
    target.put((docs[i]! - last - 1) * 2 + (isOnce ? 0 : 1));
    if (!isOnce) target.put(counts[i]!);
    last = docs[i]!;
  }
}

/** `count` of them, from a place on. */
export function readPostings(
  bytes: Uint8Array,
  start: number,
  count: number,
): { docs: Uint32Array; counts: Uint8Array } {
  const postings = { docs: new Uint32Array(count), counts: new Uint8Array(count) };
  unpackPostings(bytes, { start, count }, postings);
  return postings;
}

/** The same into arrays that have room for them. */
export function unpackPostings(
  bytes: Uint8Array,
  { start, count }: { start: number; count: number },
  { docs, counts }: { docs: Uint32Array; counts: Uint8Array },
): void {
  let at = start;
  let last = -1;
  for (let i = 0; i < count; i++) {
    let byte = bytes[at++]!;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++]!;
      value |= (byte & 127) << shift;
    }
    last += (value >>> 1) + 1;
    docs[i] = last;
    counts[i] = 1;
    if ((value & 1) === 0) continue;
    byte = bytes[at++]!;
    counts[i] = byte > 127 ? (byte & 127) | (bytes[at++]! << 7) : byte;
  }
}
