import { mayPartKey } from './cut-keys.ts';
import { replaceSecrets } from './replace-secrets.ts';

const NEWLINE = 0x0a;
/** A line beyond it is looked through in pieces, each ending where no secret goes on. */
const PIECE_CHARS = 1 << 20;
const LOOK_BACK = 64 << 10;
/** Between two places where a piece may end in what looks like a private key. */
const STEP_CHARS = 480;
/** What secrets are made of: a piece ends before something else. */
const WITHIN_SECRET = /[A-Za-z0-9+/_=.~-]/;

export interface RedactedLines {
  bytes: Buffer;
  /** How many secrets were replaced. */
  replaced: number;
  /** What they were, and in which line, counted from 0. */
  found: FoundInLine[];
}

export interface FoundInLine {
  line: number;
  kind: string;
}

/** The same bytes with the secrets of each line replaced; what has none is given back as it came. */
export function redactLines(bytes: Buffer): RedactedLines {
  const out: Buffer[] = [];
  const found: FoundInLine[] = [];
  let [from, kept, line] = [0, 0, 0];
  while (from < bytes.length) {
    const end = bytes.indexOf(NEWLINE, from);
    const to = end < 0 ? bytes.length : end;
    const redacted = redactLine(bytes.subarray(from, to));
    if (redacted !== null) {
      out.push(bytes.subarray(kept, from), redacted.bytes);
      kept = to;
      for (const kind of redacted.kinds) found.push({ line, kind });
    }
    from = to + 1;
    line++;
  }
  if (found.length === 0) return { bytes, replaced: 0, found };
  return { bytes: Buffer.concat([...out, bytes.subarray(kept)]), replaced: found.length, found };
}

/** Null: it holds none. Bytes that are no UTF-8 are read one by one, so that they come out as they went in. */
function redactLine(line: Buffer): { bytes: Buffer; kinds: string[] } | null {
  const text = line.toString('utf8');
  const encoding = Buffer.byteLength(text) === line.length ? 'utf8' : 'latin1';
  let result = '';
  const kinds: string[] = [];
  for (const piece of piecesOf(encoding === 'utf8' ? text : line.toString('latin1'))) {
    const found = replaceSecrets(piece);
    result += found.text;
    for (const { mode, kind } of found.findings) if (mode === 'redact') kinds.push(kind);
  }
  return kinds.length === 0 ? null : { bytes: Buffer.from(result, encoding), kinds };
}

function* piecesOf(text: string): Generator<string> {
  let from = 0;
  while (text.length - from > PIECE_CHARS) {
    const to = endOfPiece(text, from + PIECE_CHARS);
    yield text.slice(from, to);
    from = to;
  }
  yield from === 0 ? text : text.slice(from);
}

function endOfPiece(text: string, most: number): number {
  for (let to = most; to > most - LOOK_BACK; to--) {
    if (WITHIN_SECRET.test(text[to]!)) continue;
    if (!mayPartKey(text.slice(to - STEP_CHARS, to), text.slice(to, to + STEP_CHARS))) return to;
    to -= STEP_CHARS;
  }
  return most;
}
