import { CONNECTOR, classAt, DIGIT, LOWER, UPPER, WORD } from './char-class.ts';

export type SpanSink = (start: number, end: number) => void;

/** From the loosest joint to the tightest: paths and addresses, dots, dashes and underscores, letters next to digits, camelCase. */
const JOINTS = [
  (unit: string) => '/\\:@'.includes(unit),
  (unit: string) => unit === '.',
  (unit: string) => unit === '-' || unit === '_',
];

/** A longer run of letters and digits is a blob, not a name. */
const MAX_NAME_LENGTH = 48;
const HEXADECIMAL = /^(?:0x[0-9a-f]+|(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,})$/i;

/**
 * The parts of a developer token, each span once: `src/auth/login.ts` gives src, auth, login.ts, login, ts. The token itself is left to the caller.
 * Blobs (hashes, base64) are not taken apart.
 */
export function splitCompound(text: string, start: number, end: number, emit: SpanSink): void {
  splitAt(text, start, end, 0, emit);
}

function splitAt(text: string, start: number, end: number, level: number, emit: SpanSink): void {
  const joint = JOINTS[level];
  if (joint === undefined) {
    splitWord(text, start, end, emit);
    return;
  }
  let from = start;
  for (let i = start; i <= end; i++) {
    if (i < end && !joint(text.charAt(i))) continue;
    if (i > from) {
      if (i - from < end - start && hasWordUnit(text, from, i)) emit(from, i);
      splitAt(text, from, i, level + 1, emit);
    }
    from = i + 1;
  }
}

function hasWordUnit(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if ((classAt(text, i) & WORD) !== 0) return true;
  return false;
}

function splitWord(text: string, start: number, end: number, emit: SpanSink): void {
  if (end - start > MAX_NAME_LENGTH || HEXADECIMAL.test(text.slice(start, end))) return;
  const runs = cut(text, start, end, isDigitBorder);
  if (runs.length > 2 && isScrambled(runs.length, end - start)) return;
  for (let i = 0; i + 1 < runs.length; i++) {
    const [from, to] = [runs[i]!, runs[i + 1]!];
    if (runs.length > 2 && hasWordUnit(text, from, to)) emit(from, to);
    const humps = cut(text, from, to, isCamelBorder);
    if (humps.length <= 2 || isScrambled(humps.length, to - from)) continue;
    for (let k = 0; k + 1 < humps.length; k++) emit(humps[k]!, humps[k + 1]!);
  }
}

/** Hashes and base64 change their kind every other character; names do not. Two pieces are always fine (v2, s3). */
function isScrambled(borders: number, length: number): boolean {
  const pieces = borders - 1;
  return pieces > 2 && length / pieces < (pieces > 8 ? 3 : 2);
}

function cut(
  text: string,
  start: number,
  end: number,
  isBorder: (text: string, at: number, end: number) => boolean,
): number[] {
  const borders = [start];
  for (let i = start + 1; i < end; i++) if (isBorder(text, i, end)) borders.push(i);
  borders.push(end);
  return borders;
}

function isDigitBorder(text: string, at: number): boolean {
  const [before, here] = [classAt(text, at - 1), classAt(text, at)];
  return ((before ^ here) & DIGIT) !== 0 || ((before & WORD) !== 0) !== ((here & WORD) !== 0);
}

/** get|User, HTTP|Server, but URLs stays whole. */
function isCamelBorder(text: string, at: number, end: number): boolean {
  if ((classAt(text, at) & UPPER) === 0) return false;
  if ((classAt(text, at - 1) & LOWER) !== 0) return true;
  return at + 1 < end && (classAt(text, at + 1) & LOWER) !== 0 && !(at + 2 === end && text.charAt(at + 1) === 's');
}

/** Where a connector run at `at` ends if it joins two words (`/`, `::`, `://`, `__`), else -1. */
export function jointEnd(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && end - at < 4 && classAt(text, end) === CONNECTOR) end++;
  if (end >= text.length || end - at > 3 || (classAt(text, end) & WORD) === 0) return -1;
  if (end - at === 1) return end;
  const run = text.slice(at, end);
  return run.includes('/') || run.includes('\\') || run === '::' || /^_+$/.test(run) ? end : -1;
}
