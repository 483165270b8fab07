import { piecesOf } from '../../engine/records/split-passages.ts';
import type { RecordId } from '../../model/ids.ts';
import type { DocumentSection } from './document.ts';
import { sectionId } from './document-kind.ts';

/** About three passages: enough to answer from, short enough to be read whole. */
export const SECTION_CHARS = 3600;
export const MIN_SECTION_CHARS = 200;
export const MAX_SECTION_CHARS = 20_000;
const MAX_HEADINGS = 8;
const MAX_HEADING_CHARS = 200;

/** A section as it will be stored. */
export interface CutSection {
  id: RecordId;
  headings: string[];
  text: string;
  page: number | null;
  line: number | null;
}

export interface CutOptions {
  sectionChars: number;
  overlapChars: number;
}

/** Sections of at most so many characters, cut where paragraphs, lines or sentences end. What has no text is left out. */
export function* cutSections(
  document: RecordId,
  sections: Iterable<DocumentSection>,
  { sectionChars, overlapChars }: CutOptions,
): Generator<CutSection> {
  const seen = new Map<string, number>();
  for (const section of sections) {
    const headings = section.headings.slice(-MAX_HEADINGS).map(cleanHeading);
    const whole = cleanText(section.text);
    const pieces = overlapChars > 0 ? cutOverlapping(whole, sectionChars, overlapChars) : cutText(whole, sectionChars);
    const countLines = createLineCounter(whole);
    for (const { text, start } of pieces) {
      const line = section.line === undefined ? null : section.line + countLines(start);
      const key = JSON.stringify([headings, text]);
      const nth = seen.get(key) ?? 0;
      seen.set(key, nth + 1);
      yield { id: sectionId(document, { headings, text, nth }), headings, text, page: section.page ?? null, line };
    }
  }
}

interface Piece {
  text: string;
  start: number;
}

function* cutOverlapping(whole: string, maxChars: number, overlapChars: number): Generator<Piece> {
  let at = 0;
  for (const text of piecesOf(whole, { maxChars, overlapChars })) {
    const start = Math.max(0, whole.indexOf(text, at));
    at = start + 1;
    yield { text, start };
  }
}

/** A section is cut at the earliest after this share of what it may hold. */
const EARLIEST = 0.4;
/** One paragraph in so many is a place to cut. */
const BORDERS = 4;

/**
 * Between paragraphs, or lines where those are long. Which of them begins a piece is decided by its own text and not by where it stands:
 * whoever adds a paragraph to a long text moves the next cut or two, not all that follow.
 */
function* cutText(whole: string, max: number): Generator<Piece> {
  if (whole.length <= max) {
    if (whole.trim() !== '') yield { text: whole.trimEnd(), start: 0 };
    return;
  }
  let piece: Piece | null = null;
  for (const block of blocksOf(whole, max)) {
    const end = piece === null ? 0 : block.start + block.text.length - piece.start;
    const isFull = end > max;
    if (piece !== null && (isFull || (end - block.text.length > max * EARLIEST && isBorder(block.text)))) {
      yield piece;
      piece = null;
    }
    piece =
      piece === null ? block : { start: piece.start, text: whole.slice(piece.start, block.start + block.text.length) };
  }
  if (piece !== null) yield piece;
}

/** Paragraphs, or their lines, or pieces of these: none longer than `max`, none empty. */
function* blocksOf(whole: string, max: number): Generator<Piece> {
  for (const paragraph of splitAt(whole, /\n[ \t]*\n\s*/g)) {
    if (paragraph.text.length <= max) yield paragraph;
    else
      for (const line of splitAt(paragraph.text, /\n/g)) {
        const start = paragraph.start + line.start;
        if (line.text.length <= max) yield { text: line.text, start };
        else for (const cut of cutOverlapping(line.text, max, 0)) yield { text: cut.text, start: start + cut.start };
      }
  }
}

function* splitAt(text: string, border: RegExp): Generator<Piece> {
  let start = 0;
  for (const match of text.matchAll(border)) {
    yield* pieceBetween(text, start, match.index);
    start = match.index + match[0].lastIndexOf('\n') + 1;
  }
  yield* pieceBetween(text, start, text.length);
}

function* pieceBetween(text: string, start: number, end: number): Generator<Piece> {
  const piece = text.slice(start, end);
  if (piece.trim() === '') return;
  const blank = piece.length - piece.trimStart().length;
  // what indents the first line of a piece belongs to it
  const from = piece.slice(0, blank).lastIndexOf('\n') + 1;
  yield { text: piece.slice(from).trimEnd(), start: start + from };
}

/** A hash by which a text is a border or none, wherever it stands (FNV-1a). */
function isBorder(text: string): boolean {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length && i < 200; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return (hash >>> 8) % BORDERS === 0;
}

/** What databases cannot hold has no place in a text either. */
export function cleanText(text: string): string {
  return text.replaceAll('\0', '').replaceAll(/\r\n?/g, '\n').toWellFormed();
}

function cleanHeading(heading: string): string {
  return cleanText(heading).replaceAll(/\s+/g, ' ').trim().slice(0, MAX_HEADING_CHARS).toWellFormed();
}

/** Lines before a place. Places come in order, or nearly so: each line is counted once. */
function createLineCounter(text: string): (end: number) => number {
  let [counted, lines] = [0, 0];
  return (end) => {
    if (end < counted) [counted, lines] = [0, 0];
    for (let at = text.indexOf('\n', counted); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) {
      lines++;
      counted = at + 1;
    }
    return lines;
  };
}
