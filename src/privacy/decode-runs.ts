import { isUtf8 } from 'node:buffer';
import type { Range } from './secret-rule.ts';

const SHORTEST = 20;
const CODES = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-')
  CODES[character.charCodeAt(0)] = 1;
/** Read first: what is no text shows it here. A multiple of four. */
const HEAD = 16;

export interface DecodedRun {
  text: string;
  /** Where the Base64 stands. */
  range: Range;
}

/** What Base64 in a text says, where it is text. */
export function decodeRuns(text: string, runs: readonly Range[] = findRuns(text)): DecodedRun[] {
  const decoded: DecodedRun[] = [];
  for (const [index, end] of runs) {
    const run = text.slice(index, end);
    if (!isText(Buffer.from(run.slice(0, HEAD), 'base64'))) continue;
    const bytes = Buffer.from(run, 'base64');
    const bad = bytes.findIndex((byte) => !isTextByte(byte));
    // What follows the last byte of text does not belong to it: a word on the next line.
    if (bad === -1) decoded.push({ text: bytes.toString('utf8'), range: [index, index + run.length] });
    else decoded.push({ text: bytes.toString('utf8', 0, bad), range: [index, index + Math.ceil((bad * 4) / 3)] });
  }
  return decoded;
}

/** Every run is as long as the stride at least, so that one of the places looked at is in it. */
export function findRuns(text: string): Range[] {
  const runs: Range[] = [];
  for (let at = SHORTEST - 1; at < text.length; at += SHORTEST) {
    if (!isBase64(text, at)) continue;
    let start = at;
    while (start > 0 && isBase64(text, start - 1)) start--;
    let end = at + 1;
    while (end < text.length && isBase64(text, end)) end++;
    if (end - start >= SHORTEST) {
      runs.push([start, end + (text.startsWith('==', end) ? 2 : text[end] === '=' ? 1 : 0)]);
    }
    at = Math.max(at, end - 1);
  }
  return runs;
}

function isBase64(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 && CODES[code] === 1;
}

/** Text of any alphabet; the last character may be cut. */
function isText(bytes: Buffer): boolean {
  if (!bytes.every(isTextByte)) return false;
  return [0, 1, 2, 3].some((cut) => isUtf8(bytes.subarray(0, bytes.length - cut)));
}

function isTextByte(byte: number): boolean {
  return (byte >= 0x20 && byte !== 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
