import { composeForms, hasCompatibilityForms } from './fold.ts';
import { scanTerms } from './scan-terms.ts';
import { splitSentences } from './split-sentences.ts';
import { listOpenings } from './word-openings.ts';

export interface Snippet {
  snippet: string;
  /** The snippet is the text itself, unchanged. */
  whole: boolean;
}

const MARK = '…';
/** Matches are looked for in this much of a text. */
const MAX_SCANNED = 200_000;
/** How far a cut may move to fall between two words. */
const MAX_WORD_SHIFT = 24;
/** All white space but the single blank, which may stay as it is. */
const LOOSE_SPACE = /\s{2,}|[^\S ]/g;

/** The part of a text where most of the given index terms meet, at most `maxChars` long, cut between words. */
export function makeSnippet(text: string, words: readonly string[], maxChars: number): Snippet {
  if (text.length <= maxChars) return { snippet: text, whole: true };
  const line = text.slice(0, Math.max(MAX_SCANNED, maxChars)).replace(LOOSE_SPACE, ' ').trim();
  if (line.length <= maxChars && text.length <= MAX_SCANNED) return { snippet: line, whole: false };
  const room = Math.max(1, maxChars - 2 * MARK.length);
  const window = densestWindow(findMatches(line, new Set(words)), room);
  const spare = Math.max(0, room - (window.end - window.start));
  const wanted = Math.max(0, Math.min(window.start - Math.floor(spare / 3), line.length - room));
  const start = wanted === 0 ? 0 : startOfWord(line, wanted, window.start);
  const end = endOfWord(line, start + room, window.end);
  const middle = line.slice(start, end).trim();
  return {
    snippet: `${start > 0 ? MARK : ''}${middle}${end < line.length || text.length > MAX_SCANNED ? MARK : ''}`,
    whole: false,
  };
}

/** Of the snippet of a text the sentence that holds most of the given index terms, in one line of at most `maxChars`. */
export function makeLine(text: string, words: readonly string[], limits: { snippet: number; line: number }): Snippet {
  if (text.length <= limits.line && !/[\r\n]/.test(text)) return { snippet: text, whole: true };
  const { snippet } = makeSnippet(text, words, limits.snippet);
  const line = snippet.replace(LOOSE_SPACE, ' ').trim();
  if (line.length <= limits.line) return { snippet: line, whole: false };
  const known = new Set(words);
  let best = { sentence: line, held: -1 };
  for (const sentence of splitSentences(snippet)) {
    const held = new Set(findMatches(sentence, known).map(({ term }) => term)).size;
    if (held > best.held) best = { sentence, held };
  }
  return { snippet: makeSnippet(best.sentence, words, limits.line).snippet, whole: false };
}

interface Match {
  term: string;
  start: number;
  end: number;
}

function findMatches(line: string, words: ReadonlySet<string>): Match[] {
  if (words.size === 0) return [];
  const origin = hasCompatibilityForms(line) ? mapComposed(line) : null;
  const matches: Match[] = [];
  const collect = (term: string, start: number, end: number) => {
    if (words.has(term))
      matches.push({
        term,
        start: origin?.at[start] ?? start,
        end: origin === null ? end : (origin.at[end] ?? line.length),
      });
  };
  scanTerms(origin?.text ?? line, collect, listOpenings(words));
  return matches.sort((a, b) => a.start - b.start);
}

/** The composed text, and for each of its units the place in the original it came from. */
function mapComposed(line: string): { text: string; at: number[] } {
  let text = '';
  const at: number[] = [];
  for (const match of line.matchAll(/[\s\S]\p{M}*[\u1160-\u11ff\uff9e\uff9f]*/gu)) {
    const composed = composeForms(match[0]);
    for (let i = 0; i < composed.length; i++) at.push(match.index);
    text += composed;
  }
  return { text, at };
}

/** Most different terms first, then most matches, then the earliest. */
function densestWindow(matches: readonly Match[], room: number): { start: number; end: number } {
  let best = { start: 0, end: 0, score: 0 };
  const inside = new Map<string, number>();
  let first = 0;
  for (let last = 0; last < matches.length; last++) {
    const { term, end } = matches[last]!;
    inside.set(term, (inside.get(term) ?? 0) + 1);
    while (first < last && end - matches[first]!.start > room) {
      const dropped = matches[first++]!.term;
      const left = inside.get(dropped)! - 1;
      if (left === 0) inside.delete(dropped);
      else inside.set(dropped, left);
    }
    const score = inside.size * 1000 + Math.min(999, last - first);
    if (score > best.score) best = { start: matches[first]!.start, end, score };
  }
  return best;
}

function startOfWord(line: string, wanted: number, limit: number): number {
  const space = line.indexOf(' ', wanted - 1);
  if (space >= 0 && space < limit && space - wanted < MAX_WORD_SHIFT) return space + 1;
  return splitsSurrogates(line, wanted) ? wanted + 1 : wanted;
}

function endOfWord(line: string, wanted: number, limit: number): number {
  if (wanted >= line.length) return line.length;
  const space = line.lastIndexOf(' ', wanted);
  if (space >= limit && wanted - space < MAX_WORD_SHIFT) return space;
  return splitsSurrogates(line, wanted) ? wanted - 1 : wanted;
}

function splitsSurrogates(text: string, at: number): boolean {
  const [before, here] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before < 0xdc00 && here >= 0xdc00 && here < 0xe000;
}

const MARKDOWN_OPENING = /^(?:#{1,6}(?=\s|$)|>+|[-*+](?=\s|$)|\d{1,3}[.)](?=\s)|\[[ xX]\](?=\s)|\s)+/;
const LINES = /[^\r\n]+/g;
const EMPHASIS = /(\*\*|__|`)(\S(?:.*?\S)?)\1/g;
const WITHOUT_CONTENT = /^(?:```.*|~~~.*|[-=*_\s#>]*)$/;

/** A title for a text: its first line that says something, without Markdown marks, cut between words. */
export function firstLine(text: string, maxChars: number): string {
  const scanned = text.slice(0, MAX_SCANNED);
  LINES.lastIndex = 0;
  for (let match = LINES.exec(scanned); match !== null; match = LINES.exec(scanned)) {
    if (WITHOUT_CONTENT.test(match[0])) continue;
    const bare = match[0].replace(MARKDOWN_OPENING, '').replace(EMPHASIS, '$2');
    const line = bare.replace(LOOSE_SPACE, ' ').trim();
    if (line !== '')
      return line.length <= maxChars
        ? line
        : `${line.slice(0, endOfWord(line, maxChars - MARK.length, 1)).trim()}${MARK}`;
  }
  return '';
}
