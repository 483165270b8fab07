import type { EmbeddingTable } from './embedding-table.ts';
import { addToHash, FNV_START, type PieceTable } from './piece-lookup.ts';

const LONGEST_WORD = 40;
const MAX_UTF8_BYTES = 4;
/** People use few words again and again; this many with their pieces take about 5 MB. */
const MAX_CACHED_WORDS = 30_000;
const MAX_CACHED_LENGTHS = 3_000;

export interface TextEncoder {
  /** Rows of the table: pieces in order, then the known pairs of neighbours, in order. Valid until the next call. */
  rowsOf(text: string): Int32Array;
  /** The mean of the rows made to length 1; zeros where the table knows nothing of the text. */
  vectorOf(text: string): Float32Array;
  /** The length of the sum of the rows, which training made the longer the more a word decides; 0 where the table knows nothing of the text. */
  lengthOf(text: string): number;
  /** 0 to 1: how much of the text the table knows as words rather than as pieces of them; 1 where there is nothing to know. */
  familiarityOf(text: string): number;
  close(): void;
}

/** Turns clean text into a vector as the trainer does: same pieces, same order of additions. */
export function createTextEncoder(table: EmbeddingTable): TextEncoder {
  const { pieces, pairs } = table;
  const known = new Map<string, readonly number[]>();
  const lengths = new Map<string, number>();
  const bytes = Buffer.alloc(LONGEST_WORD * MAX_UTF8_BYTES);
  const encode = (word: string): number => bytes.write(firstCharacters(word, LONGEST_WORD));
  const sum = new Float64Array(table.dimensions);
  let rows = new Int32Array(1024);
  const word = { end: 0, hash: 0 };

  const piecesOf = (word: string): readonly number[] => {
    const cached = known.get(word);
    if (cached !== undefined) return cached;
    if (known.size >= MAX_CACHED_WORDS) known.clear();
    const whole = encode(foldWord(word));
    const row = pieces.find(bytes, 0, whole, false);
    const found =
      row === -1 ? splitCamelCase(word).flatMap((part) => splitPieces(pieces, bytes, encode(foldWord(part)))) : [row];
    known.set(word, found);
    return found;
  };

  const putPieces = (word: string, at: number): number => {
    const own = piecesOf(word);
    if ((at + own.length) * 2 > rows.length) rows = grown(rows);
    for (let i = 0; i < own.length; i++) rows[at + i] = own[i]!;
    return at + own.length;
  };
  /** Most words of most texts are pieces of their own: those are hashed where they stand, and none is cut out of the text. */
  const putAscii = (text: string): number => {
    let count = 0;
    for (let start = 0; start < text.length; start = word.end + 1) {
      readAsciiWord(text, start, bytes, word);
      if (word.end === start) continue;
      const row = pieces.findHashed(word.hash, bytes, Math.min(word.end - start, LONGEST_WORD));
      if (row === -1) count = putPieces(text.slice(start, word.end), count);
      else {
        if ((count + 1) * 2 > rows.length) rows = grown(rows);
        rows[count++] = row;
      }
    }
    return count;
  };

  const rowsOf = (text: string): Int32Array => {
    let count = 0;
    if (NOT_ASCII.test(text)) for (const word of splitWords(text)) count = putPieces(word, count);
    else count = putAscii(text);
    const single = count;
    for (let i = 1; i < single; i++) {
      const pair = pairs.rowOf(rows[i - 1]!, rows[i]!);
      if (pair !== -1) rows[count++] = pair;
    }
    return rows.subarray(0, count);
  };
  const sumOf = (text: string): Float64Array => {
    sum.fill(0);
    const own = rowsOf(text);
    for (let i = 0; i < own.length; i += AT_ONCE) addRows(sum, table, own.subarray(i, i + AT_ONCE));
    return sum;
  };

  return {
    rowsOf,
    close: () => table.close(),
    vectorOf: (text) => normalise(sumOf(text)),
    lengthOf(text) {
      const cached = lengths.get(text);
      if (cached !== undefined) return cached;
      if (lengths.size >= MAX_CACHED_LENGTHS) lengths.clear();
      const length = Math.sqrt(squareOf(sumOf(text)));
      lengths.set(text, length);
      return length;
    },
    familiarityOf(text) {
      const words = splitWords(text);
      let familiar = 0;
      for (const word of words)
        familiar +=
          NOT_ASCII.test(word) && patternsOfCjk().one.test(word) ? CJK_KNOWN : shareKnown(piecesOf(word).length);
      return words.length === 0 ? 1 : familiar / words.length;
    },
  };
}

/** Greedy longest match; a character that no piece begins with is left out. No piece begins or ends within a character, so bytes do for characters. */
function splitPieces(pieces: PieceTable, word: Uint8Array, length: number): number[] {
  const found: number[] = [];
  for (let at = 0; at < length; ) {
    let end = length;
    let row = pieces.find(word, at, end, at > 0);
    while (row === -1 && --end > at) row = pieces.find(word, at, end, at > 0);
    if (row !== -1) found.push(row);
    at = Math.max(end, at + 1);
  }
  return found;
}

/** Rows that are added in one pass over the sum. */
const AT_ONCE = 4;
const VALUES = 16;
/** What each of the sixteen values of a component stands for, row by row; a row that is not there stands for nothing. */
const meanings = new Float64Array(AT_ONCE * VALUES);

/** One after the other, component by component: the order of additions is that of the trainer. */
function addRows(sum: Float64Array, table: EmbeddingTable, own: Int32Array): void {
  const { dimensions } = table;
  const places = [0, 0, 0, 0];
  for (let k = 0; k < AT_ONCE; k++) {
    const row = own[k];
    if (row !== undefined) table.load(row);
    const scale = row === undefined ? 0 : table.scales[row]!;
    for (let value = 0; value < VALUES; value++) meanings[k * VALUES + value] = scale * (value - 8);
    places[k] = ((row ?? own[0]!) * dimensions) / 2;
  }
  const { rows } = table;
  const [first, second, third, fourth] = places as [number, number, number, number];
  for (let i = 0, at = 0; i < dimensions; i += 2, at++) {
    const a = rows[first + at]!;
    const b = rows[second + at]!;
    const c = rows[third + at]!;
    const d = rows[fourth + at]!;
    sum[i] =
      sum[i]! + meanings[a & 15]! + meanings[16 + (b & 15)]! + meanings[32 + (c & 15)]! + meanings[48 + (d & 15)]!;
    sum[i + 1] =
      sum[i + 1]! + meanings[a >> 4]! + meanings[16 + (b >> 4)]! + meanings[32 + (c >> 4)]! + meanings[48 + (d >> 4)]!;
  }
}

function squareOf(sum: Float64Array): number {
  let square = 0;
  for (let i = 0; i < sum.length; i++) square += sum[i]! * sum[i]!;
  return square;
}

function normalise(sum: Float64Array): Float32Array {
  const square = squareOf(sum);
  const factor = square === 0 ? 0 : 1 / Math.sqrt(square);
  const vector = new Float32Array(sum.length);
  for (let i = 0; i < sum.length; i++) vector[i] = sum[i]! * factor;
  return vector;
}

function grown(rows: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(rows.length * 2);
  larger.set(rows);
  return larger;
}

/** Letters and digits of ASCII in lower case; 0 for all else. */
const LOW = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9]/.test(String.fromCharCode(code)) ? String.fromCharCode(code).toLowerCase().charCodeAt(0) : 0,
);

/** The run of letters and digits that begins at `start` in a text of ASCII, in lower case; of a longer one the beginning. */
function readAsciiWord(text: string, start: number, bytes: Uint8Array, word: { end: number; hash: number }): void {
  let hash = FNV_START;
  let at = start;
  for (; at < text.length; at++) {
    const low = LOW[text.charCodeAt(at)]!;
    if (low === 0) break;
    if (at - start >= LONGEST_WORD) continue;
    hash = addToHash(hash, low);
    bytes[at - start] = low;
  }
  word.end = at;
  word.hash = hash;
}

const ASCII_WORD = /[A-Za-z0-9]+/g;
const NOT_ASCII = /[^\0-\x7f]/;
const CJK = '\\u3040-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff\\u{20000}-\\u{3134f}';
let cjk: { one: RegExp; parts: RegExp } | null = null;
const LATIN_MARK = /[\u0300-\u036f]/g;

/** `parts`: a CJK character, or a run of others. Made when they are first used: such tables take a start milliseconds. */
function patternsOfCjk(): { one: RegExp; parts: RegExp } {
  cjk ??= { one: new RegExp(`[${CJK}]`, 'u'), parts: new RegExp(`[${CJK}]|[^${CJK}]+`, 'gu') };
  return cjk;
}

/** Runs of letters and digits in their own case; each CJK character by itself. */
function splitWords(text: string): readonly string[] {
  if (!NOT_ASCII.test(text)) return text.match(ASCII_WORD) ?? [];
  const runs = text.normalize('NFKC').match(/[\p{L}\p{N}]+/gu) ?? [];
  const { one, parts } = patternsOfCjk();
  return runs.some((run) => one.test(run)) ? runs.flatMap((run) => (one.test(run) ? run.match(parts)! : run)) : runs;
}

/** Lower case, without Latin accents. */
function foldWord(word: string): string {
  const low = word.toLowerCase();
  return NOT_ASCII.test(low) ? low.normalize('NFD').replace(LATIN_MARK, '').normalize('NFC') : low;
}

/** `parseHTMLDocument` is parse, HTML, Document. */
function splitCamelCase(word: string): readonly string[] {
  return word.split(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
}

/** The first so many characters, counted as code points. */
function firstCharacters(text: string, count: number): string {
  if (text.length <= count) return text;
  let end = 0;
  for (let i = 0; i < count && end < text.length; i++) end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  return text.slice(0, end);
}

/** A character of Chinese or Japanese is in the table, but the word it belongs to is not. */
const CJK_KNOWN = 0.5;

/** A word of one piece is known, one of many is spelt out, one of none is not there at all. */
function shareKnown(pieces: number): number {
  return pieces === 0 ? 0 : 1 / pieces;
}
