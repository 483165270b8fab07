import { oneLine } from './plain-output.ts';
import { splitSentences } from './split-sentences.ts';
import { readHeadingWord, readStatement, type Statement } from './statement-cues.ts';

export interface Told {
  kind: Statement;
  /** One sentence or one item of a list, at most 200 characters. */
  text: string;
}

const MAX_CHARS = 200;
/** Compaction summaries are long; what counts in them stands under headings. */
const READ_CHARS = 40_000;
/** Longer ones are no sentences but something pasted. */
const LONGEST_SENTENCE = 600;

/** What a text says of the work: sentences with telling words, and the items of lists under a heading that has them. */
export function readStatements(text: string): Told[] {
  const told: Told[] = [];
  let heading: Statement | null = null;
  for (const line of proseLines(text)) {
    const item = /^\s*(?:[-*+•]|\d+[.)])\s+(?:\[[ x]\]\s+)?(.+)$/i.exec(line);
    const title = item === null ? readHeading(line) : null;
    if (title !== null) {
      heading = readHeadingWord(title.name);
      if (heading !== null && title.rest !== '') told.push({ kind: heading, text: oneLine(title.rest, MAX_CHARS) });
    } else if (line.trim() !== '' && heading !== null && (item !== null || !isSpoken(line)))
      told.push({ kind: heading, text: oneLine(plain(item?.[1] ?? line), MAX_CHARS) });
    else if (line.trim() !== '') {
      if (item === null) heading = null;
      told.push(...readSentences(item?.[1] ?? line));
    }
  }
  return told.filter(({ text: said }) => said.length >= 4);
}

function readSentences(line: string): Told[] {
  return splitSentences(line).flatMap((sentence) => {
    if (sentence.length > LONGEST_SENTENCE || /[?？]\s*$/.test(sentence)) return [];
    const kind = readStatement(sentence);
    return kind === null ? [] : [{ kind, text: oneLine(plain(withoutLabel(sentence)), MAX_CHARS) }];
  });
}

/** Without code, quotations and tables, which say nothing of the work themselves. */
function proseLines(text: string): string[] {
  return text
    .slice(0, READ_CHARS)
    .replace(/^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1|$(?![\s\S]))/gm, '')
    .split('\n')
    .filter((line) => !/^\s*[>|]/.test(line));
}

/** `## Next steps`, `**Open:**`, `Next step: deploy`; what follows the colon on the same line is its own. */
function readHeading(line: string): { name: string; rest: string } | null {
  const text = line.replace(/\s+/g, ' ').trim().slice(0, LONGEST_SENTENCE);
  const marked = /^#{1,6} (.+?) ?#*$/.exec(text) ?? /^\*\*([^*:]{2,60}):?\*\*:?$/.exec(text);
  if (marked !== null) return { name: marked[1]!, rest: '' };
  const colon = /^(?:\d+[.)] ?)?\*{0,2}([^:：*`]{2,40}?)\*{0,2} ?[:：]\*{0,2} ?(.*)$/u.exec(text);
  if (colon === null || colon[1]!.split(/\s+/).length > 5) return null;
  const isTold = readHeadingWord(`${colon[1]}:`) !== null;
  return colon[2] === '' || isTold ? { name: `${colon[1]}:`, rest: plain(colon[2]!) } : null;
}

function isSpoken(line: string): boolean {
  return splitSentences(line).length > 2;
}

/** `Next step: deploy` says `deploy`. */
function withoutLabel(sentence: string): string {
  const title = readHeading(sentence);
  return title === null || title.rest === '' || readHeadingWord(title.name) === null ? sentence : title.rest;
}

function plain(text: string): string {
  return text
    .replace(/\*\*|__/g, '')
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .trim();
}
