/** Where a statement ends: at the end of a line, of a sentence, and at a semicolon. */
const ENDS = /(?<=[.!?;])\s+|(?<=[。！？；])|\n+/gu;
/** Three words say something; fewer are a heading or a "yes", which every other text has too. */
const SAYS_SOMETHING =
  /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[^\p{L}\p{N}]+[\p{L}\p{N}]+){2}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]{4}/u;
/** What is longer counts as a whole alone. */
const MAX_CHARS = 2_000;
const MAX_SPAN = 4;

export interface Statement {
  start: number;
  end: number;
  text: string;
}

function cutStatements(text: string): Statement[] {
  const cut: Statement[] = [];
  let start = 0;
  const add = (end: number): void => {
    const piece = text.slice(start, end);
    if (piece.trim() !== '') cut.push({ start, end, text: piece });
  };
  for (const { index, 0: blank } of text.matchAll(ENDS)) {
    add(index);
    start = index + blank.length;
  }
  add(text.length);
  return cut;
}

/** How many statements a text is made of, as far as its parts can be recognised in a longer one; 0: it counts as a whole alone. */
export function spanOf(text: string): number {
  if (text.length > MAX_CHARS || !SAYS_SOMETHING.test(text)) return 0;
  const { length } = cutStatements(text.trim());
  return length <= MAX_SPAN ? length : 0;
}

/** The parts of a text that are made of so many statements in a row. */
export function* listParts(text: string, spans: Iterable<number>): Generator<Statement> {
  const cut = cutStatements(text);
  for (const span of spans) {
    if (span < 1 || span > cut.length) continue;
    for (let i = 0; i + span <= cut.length; i++) {
      const { start } = cut[i]!;
      const { end } = cut[i + span - 1]!;
      if (end - start > MAX_CHARS) continue;
      const part = text.slice(start, end);
      if (SAYS_SOMETHING.test(part)) yield { start, end, text: part };
    }
  }
}
