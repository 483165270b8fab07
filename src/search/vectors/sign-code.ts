import type { Nearest } from './vector-scanner.ts';

/** Codes that are looked for nearby are compared by these first: unrelated ones rarely agree in enough of them. */
export const FIRST_BITS = 128;

/** Writes one bit for each component, 1 where it is positive, into 32-bit words from `target[at]` on. */
export function writeSignCode(components: ArrayLike<number>, target: Uint32Array, at: number): void {
  for (let i = 0; i < components.length; i++) {
    if (components[i]! > 0) target[at + (i >>> 5)] = target[at + (i >>> 5)]! | (1 << (i & 31));
  }
}

export function makeSignCode(components: ArrayLike<number>): Uint32Array {
  const code = new Uint32Array(Math.ceil(components.length / 32));
  writeSignCode(components, code, 0);
  return code;
}

/** In how many bits two codes differ. */
export function hammingDistance(a: Uint32Array, at: number, b: Uint32Array, words: number): number {
  let distance = 0;
  for (let i = 0; i < words; i++) {
    let bits = a[at + i]! ^ b[i]!;
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    distance += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return distance;
}

/** The smallest distance within which the wanted docs lie; the limit where they are fewer. */
export function findBorder({ histogram, wanted, limit }: Nearest): number {
  let within = 0;
  for (let distance = 0; distance < limit; distance++) {
    within += histogram[distance]!;
    if (within >= wanted) return distance;
  }
  return limit;
}
