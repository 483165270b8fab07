import { replaceSecrets } from './replace-secrets.ts';

const NEWLINE = 0x0a;
/** A line beyond it is looked through in pieces, each ending where no secret goes on. */
const PIECE_CHARS = 1 << 20;
const LOOK_BACK = 64 << 10;
/** What secrets are made of: a piece ends before something else. */
const WITHIN_SECRET = /[A-Za-z0-9+/_=.~-]/;

export interface RedactedLines {
  bytes: Buffer;
  /** How many secrets were replaced. */
  replaced: number;
}

/** The same bytes with the secrets of each line replaced; what has none is given back as it came. */
export function redactLines(bytes: Buffer): RedactedLines {
  const out: Buffer[] = [];
  let [from, kept, replaced] = [0, 0, 0];
  while (from < bytes.length) {
    const end = bytes.indexOf(NEWLINE, from);
    const to = end < 0 ? bytes.length : end;
    const line = redactLine(bytes.subarray(from, to));
    if (line !== null) {
      out.push(bytes.subarray(kept, from), line.bytes);
      kept = to;
      replaced += line.replaced;
    }
    from = to + 1;
  }
  if (replaced === 0) return { bytes, replaced };
  return { bytes: Buffer.concat([...out, bytes.subarray(kept)]), replaced };
}

/** Null: it holds none. Bytes that are no UTF-8 are read one by one, so that they come out as they went in. */
function redactLine(line: Buffer): RedactedLines | null {
  const text = line.toString('utf8');
  const encoding = Buffer.byteLength(text) === line.length ? 'utf8' : 'latin1';
  let result = '';
  let replaced = 0;
  for (const piece of piecesOf(encoding === 'utf8' ? text : line.toString('latin1'))) {
    const found = replaceSecrets(piece);
    result += found.text;
    replaced += found.findings.filter(({ mode }) => mode === 'redact').length;
  }
  return replaced === 0 ? null : { bytes: Buffer.from(result, encoding), replaced };
}

function* piecesOf(text: string): Generator<string> {
  let from = 0;
  while (text.length - from > PIECE_CHARS) {
    let to = from + PIECE_CHARS;
    const least = to - LOOK_BACK;
    while (to > least && WITHIN_SECRET.test(text[to]!)) to--;
    if (to === least) to = from + PIECE_CHARS;
    yield text.slice(from, to);
    from = to;
  }
  yield from === 0 ? text : text.slice(from);
}
