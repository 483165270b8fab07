import { avoidPair } from '../../model/cut-text.ts';

/** About 300 tokens of English: small enough for embedding models, large enough for a thought. */
const MAX_PASSAGE_CHARS = 1200;

/** Cuts a text into the pieces that search finds. Nothing but white space at the borders is left out. */
export function splitPassages(content: string): string[] {
  const passages: string[] = [];
  let start = 0;
  while (start < content.length) {
    const end = findTextBreak(content, start, MAX_PASSAGE_CHARS);
    const text = content.slice(start, end).trim();
    if (text !== '') passages.push(text);
    start = end;
  }
  return passages;
}

const SENTENCE_END = /[.!?…]["'”’»)\]]*\s|[。！？｡]["'”’」』）]*/gu;

/**
 * Where to cut so that text.slice(start, cut) has at most `max` characters: at the last blank line, line, sentence or word border
 * of the window's second half, in this order; at `max` where there is none, never inside a surrogate pair.
 */
export function findTextBreak(text: string, start: number, max: number): number {
  const end = start + max;
  if (end >= text.length) return text.length;
  const earliest = start + Math.ceil(max / 2);
  const half = text.slice(earliest, end);
  const cut = afterLast(half, '\n\n') ?? afterLast(half, '\n') ?? afterLastSentence(half) ?? afterLastSpace(half);
  if (cut !== null) return earliest + cut;
  const hard = avoidPair(text, end);
  return hard > start ? hard : start + 2;
}

function afterLast(text: string, border: string): number | null {
  const at = text.lastIndexOf(border);
  return at < 0 ? null : at + border.length;
}

function afterLastSentence(text: string): number | null {
  let cut: number | null = null;
  for (const match of text.matchAll(SENTENCE_END)) cut = match.index + match[0].length;
  return cut;
}

function afterLastSpace(text: string): number | null {
  for (let at = text.length - 1; at >= 0; at--) if (isSpace(text, at)) return at + 1;
  return null;
}

/** As the pattern says, which takes ten times as long for what is mostly a letter. */
function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 ? code === 32 || (code >= 9 && code <= 13) : /\s/u.test(text[at]!);
}

/** Cuts a long text into pieces of at most `maxChars`; each repeats up to `overlapChars` of the end of the one before. */
export function splitContent(content: string, options: { maxChars: number; overlapChars: number }): string[] {
  return [...piecesOf(content, options)];
}

/** The same, one after the other: whoever cuts a very long text can let others run meanwhile. */
export function* piecesOf(
  content: string,
  { maxChars, overlapChars }: { maxChars: number; overlapChars: number },
): Generator<string, undefined> {
  const overlap = Math.min(overlapChars, Math.floor(maxChars / 2) - 1);
  let start = 0;
  while (start < content.length) {
    const end = findTextBreak(content, start, maxChars);
    const piece = content.slice(start, end).trim();
    if (piece !== '') yield piece;
    if (end >= content.length) break;
    start = overlap > 0 ? Math.max(start + 1, overlapStart(content, end, overlap)) : end;
  }
}

/** Prefers to begin the repeated part with a whole word. */
function overlapStart(content: string, end: number, overlap: number): number {
  const from = avoidPair(content, end - overlap);
  const space = content.slice(from, end).search(/\s\S/u);
  return space < 0 ? from : from + space + 1;
}
