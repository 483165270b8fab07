/** Where a statement ends: at the end of a line, of a sentence, and at a semicolon. */
const ENDS = /(?<=[.!?;])\s+|(?<=[。！？；])|\n+/gu;
/** Three words say something; fewer are a heading or a "yes", which every other text has too. */
const SAYS_SOMETHING =
  /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[^\p{L}\p{N}]+[\p{L}\p{N}]+){2}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]{4}/u;
/** What is longer counts as a whole alone. */
const MAX_CHARS = 2_000;
const MAX_SPAN = 4;
/** Statements between two rests. */
const AT_ONCE = 500;

export interface Statement {
  start: number;
  end: number;
  text: string;
}

function* cutStatements(text: string): Generator<Statement, undefined> {
  let start = 0;
  for (const { index, 0: blank } of text.matchAll(ENDS)) {
    yield { start, end: index, text: text.slice(start, index) };
    start = index + blank.length;
  }
  yield { start, end: text.length, text: text.slice(start) };
}

/** How many statements a text is made of, as far as its parts can be recognised in a longer one; 0: it counts as a whole alone. */
export function spanOf(text: string): number {
  if (text.length > MAX_CHARS || !SAYS_SOMETHING.test(text)) return 0;
  let length = 0;
  for (const statement of cutStatements(text.trim())) if (!isBlank(statement)) length++;
  return length <= MAX_SPAN ? length : 0;
}

function isBlank({ text }: Statement): boolean {
  return text.trim() === '';
}

/** The parts of a text that are made of so many statements in a row. */
export function* listParts(text: string, spans: Iterable<number>): Generator<Statement, undefined> {
  for (const part of walkParts(text, spans)) if (part !== null) yield part;
}

/** The same, and null now and then where none is found for long: whoever lets others run meanwhile can do so. */
export function* walkParts(text: string, spans: Iterable<number>): Generator<Statement | null, undefined> {
  const wanted = [...spans].filter((span) => span >= 1);
  const longest = Math.max(0, ...wanted);
  const last: Statement[] = [];
  let cut = 0;
  for (const statement of cutStatements(text)) {
    if (++cut % AT_ONCE === 0) yield null;
    if (isBlank(statement)) continue;
    last.push(statement);
    if (last.length > longest) last.shift();
    for (const span of wanted) {
      const first = last.at(-span);
      if (first === undefined || statement.end - first.start > MAX_CHARS) continue;
      const part = text.slice(first.start, statement.end);
      if (SAYS_SOMETHING.test(part)) yield { start: first.start, end: statement.end, text: part };
    }
  }
}
