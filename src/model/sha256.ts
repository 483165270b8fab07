import { hash } from 'node:crypto';

/** What a start hashes here before it is worth loading Node's module, which takes as long as hashing some four thousand bytes. */
let allowance = 2500;

/** The SHA-256 of a text's UTF-8 bytes. A command hashes a few short texts: those are done without `node:crypto`. */
export function sha256(text: string): Buffer {
  const bytes = Buffer.from(text);
  allowance -= bytes.length;
  return allowance < 0 ? hash('sha256', bytes, 'buffer') : hashHere(bytes);
}

const ROUNDS = 64;
const BLOCK = 64;
let tables: { constants: Uint32Array; start: Uint32Array } | null = null;

/** FIPS 180-4. */
export function hashHere(bytes: Uint8Array): Buffer {
  tables ??= makeTables();
  const { constants, start } = tables;
  const state = start.slice();
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  const words = new Uint32Array(ROUNDS);
  for (let at = 0; at < padded.length; at += BLOCK) {
    for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + i * 4);
    for (let i = 16; i < ROUNDS; i++) {
      const [early, late] = [words[i - 15]!, words[i - 2]!];
      words[i] =
        words[i - 16]! +
        (turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)) +
        words[i - 7]! +
        (turn(late, 17) ^ turn(late, 19) ^ (late >>> 10));
    }
    mix(state, words, constants);
  }
  const digest = Buffer.alloc(32);
  for (let i = 0; i < 8; i++) digest.writeUInt32BE(state[i]!, i * 4);
  return digest;
}

function mix(state: Uint32Array, words: Uint32Array, constants: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < ROUNDS; i++) {
    const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + constants[i]! + words[i]!) | 0;
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) state[i] = state[i]! + value;
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

/** The first 32 bits of the fractional parts of the cube roots, and of the square roots, of the first primes. */
function makeTables(): { constants: Uint32Array; start: Uint32Array } {
  const primes: number[] = [];
  for (let n = 2; primes.length < ROUNDS; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  const fraction = (root: number) => (root - Math.floor(root)) * 2 ** 32;
  return {
    constants: Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
    start: Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
  };
}
