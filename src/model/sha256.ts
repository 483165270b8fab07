import { hash } from 'node:crypto';

/** What a start hashes here before it is worth loading Node's module: in a single command that takes as long as hashing 36,000 bytes, elsewhere a third of it. */
let allowance = 30_000;

/** The SHA-256 of a text's UTF-8 bytes. A command hashes a few short texts: those are done without `node:crypto`. */
export function sha256(text: string): Buffer {
  if (allowance < text.length) return hash('sha256', text, 'buffer');
  allowance -= text.length;
  return hashHere(Buffer.from(text));
}

/** In hexadecimal, as names of contents are written. */
export function sha256Of(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex');
}

const ROUNDS = 64;
const BLOCK = 64;
let tables: { constants: Int32Array; start: Int32Array } | null = null;

/** FIPS 180-4, written for code that runs too briefly to be optimised: no calls and no lists within a block. */
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
  const words = new Int32Array(ROUNDS);
  for (let at = 0; at < padded.length; at += BLOCK) {
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(at + i * 4);
    spread(words);
    mix(state, words, constants);
  }
  const digest = Buffer.alloc(32);
  for (let i = 0; i < 8; i++) digest.writeInt32BE(state[i]!, i * 4);
  return digest;
}

function spread(words: Int32Array): void {
  for (let i = 16; i < ROUNDS; i++) {
    const early = words[i - 15]!;
    const late = words[i - 2]!;
    words[i] =
      words[i - 16]! +
      (((early >>> 7) | (early << 25)) ^ ((early >>> 18) | (early << 14)) ^ (early >>> 3)) +
      words[i - 7]! +
      (((late >>> 17) | (late << 15)) ^ ((late >>> 19) | (late << 13)) ^ (late >>> 10));
  }
}

function mix(state: Int32Array, words: Int32Array, constants: Int32Array): void {
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let i = 0; i < ROUNDS; i++) {
    const turned = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const first = (h + turned + ((e & f) ^ (~e & g)) + constants[i]! + words[i]!) | 0;
    const other = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    const second = first + other + ((a & b) ^ (a & c) ^ (b & c));
    c = b;
    b = a;
    a = second | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}

/** The first 32 bits of the fractional parts of the cube roots, and of the square roots, of the first primes. */
function makeTables(): { constants: Int32Array; start: Int32Array } {
  const primes: number[] = [];
  for (let n = 2; primes.length < ROUNDS; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  const fraction = (root: number) => (root - Math.floor(root)) * 2 ** 32;
  return {
    constants: Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime))),
    start: Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime))),
  };
}
