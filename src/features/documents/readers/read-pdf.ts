/// <reference path="./parsers.d.ts" />
import type { BookmarkNode, PdfDocument, TextItem } from 'unpdf/pdfjs';
import { EngineError } from '../../../model/errors.ts';
import type { DocumentSection, ReadDocument } from '../document.ts';
import { createOutline } from './read-html.ts';

/** Of longer ones the rest is left out, which is said. */
const MAX_PAGES = 5000;
const MAX_HEADING_CHARS = 120;
/** How much larger than the usual letters those of a heading are. */
const HEADING_SIZE = 1.15;
const MAX_LEVELS = 4;

interface Line {
  text: string;
  size: number;
  /** From the bottom of the page. */
  y: number;
}

interface Bookmark {
  title: string;
  level: number;
}

/** Page by page, headings by the document's bookmarks or else by the size of their letters. */
export async function readPdf(bytes: Uint8Array, called: string): Promise<Omit<ReadDocument, 'format'>> {
  const { getDocument } = await import('unpdf/pdfjs');
  const task = getDocument({
    // a copy: the parser takes it for itself
    data: new Uint8Array(bytes),
    disableFontFace: true,
    useSystemFonts: false,
    verbosity: 0,
  });
  try {
    const pdf = await task.promise;
    const count = Math.min(pdf.numPages, MAX_PAGES);
    const pages: Line[][] = [];
    for (let number = 1; number <= count; number++) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      pages.push(linesOf(items));
      page.cleanup();
    }
    const bookmarks = await readBookmarks(pdf);
    const { info } = await pdf.getMetadata().catch(() => ({ info: { Title: null } }));
    const kept = withoutMargins(pages);
    const sections = toSections(kept, bookmarks);
    const left = pdf.numPages - count;
    return {
      title: readTitle(info.Title) ?? sections[0]?.headings[0] ?? null,
      tags: [],
      pages: pdf.numPages,
      sections,
      warnings: left > 0 ? [`Only the first ${MAX_PAGES} pages were read; ${left} are left out.`] : [],
    };
  } catch (error) {
    throw translate(error, called);
  } finally {
    await task.destroy();
  }
}

function linesOf(items: readonly TextItem[]): Line[] {
  const lines: Line[] = [];
  let text = '';
  let size = 0;
  let y = 0;
  const end = (): void => {
    if (text.trim() !== '') lines.push({ text: text.replaceAll(/\s+/g, ' ').trim(), size, y });
    text = '';
    size = 0;
  };
  for (const { str = '', transform = [], height = 0, hasEOL } of items) {
    if (str.trim() !== '') {
      const own = Math.hypot(transform[2] ?? 0, transform[3] ?? 0) || height;
      if (text.trim() === '') y = transform[5] ?? 0;
      size = Math.max(size, Math.round(own * 2) / 2);
    }
    text += str;
    if (hasEOL === true) end();
  }
  end();
  return lines;
}

/** Lines that stand at the top or the bottom of most pages, whatever number is in them. */
function withoutMargins(pages: readonly Line[][]): Line[][] {
  if (pages.length < 4) return [...pages];
  const counts = new Map<string, number>();
  const keyOf = ({ text }: Line): string => text.replaceAll(/\d+/g, '#');
  const edges = (lines: Line[]): Line[] => [...lines.slice(0, 2), ...lines.slice(2).slice(-2)];
  for (const lines of pages)
    for (const key of new Set(edges(lines).map(keyOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  const isMargin = (line: Line): boolean => (counts.get(keyOf(line)) ?? 0) >= pages.length * 0.6;
  return pages.map((lines) => {
    const margins = new Set(edges(lines).filter(isMargin));
    return lines.filter((line) => !margins.has(line));
  });
}

function toSections(pages: readonly Line[][], bookmarks: ReadonlyMap<number, Bookmark[]>): DocumentSection[] {
  const outline = createOutline();
  const levelOf = bookmarks.size > 0 ? () => null : levelsBySize(pages);
  pages.forEach((lines, i) => {
    outline.turn(i + 1);
    const marked = [...(bookmarks.get(i) ?? [])];
    const unseen = marked.filter(({ title }) => !lines.some((line) => isSameTitle(line.text, title)));
    for (const { title, level } of unseen) addHeading(outline, title, level);
    let before: Line | null = null;
    for (const line of lines) {
      const mark = marked.find(({ title }) => isSameTitle(line.text, title));
      const level = mark?.level ?? levelOf(line);
      if (level !== null) {
        addHeading(outline, line.text, level);
        before = null;
        continue;
      }
      outline.add(joint(before, line) + line.text);
      before = line;
    }
  });
  return outline.end().map((section) => ({ ...section, text: joinHyphens(section.text) }));
}

function addHeading(outline: ReturnType<typeof createOutline>, title: string, level: number): void {
  outline.open(level);
  outline.add(title);
  outline.close();
}

/** A new paragraph where there is more room between two lines than there is in one. */
function joint(before: Line | null, { y, size }: Line): string {
  if (before === null) return '';
  const gap = before.y - y;
  return gap < 0 || gap > 1.7 * Math.max(size, before.size) ? '\n\n' : '\n';
}

function joinHyphens(text: string): string {
  return text.replaceAll(/(\p{Ll})-\n(?=\p{Ll})/gu, '$1');
}

function isSameTitle(line: string, title: string): boolean {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
  const [a, b] = [plain(line), plain(title)];
  return (
    a === b || (b !== '' && a.endsWith(b) && a.length - b.length <= 6 && /^[\divxlc]+$/.test(a.slice(0, -b.length)))
  );
}

/** The larger the letters, the higher the heading; the usual size is that of most letters. */
function levelsBySize(pages: readonly Line[][]): (line: Line) => number | null {
  const letters = new Map<number, number>();
  for (const { size, text } of pages.flat()) letters.set(size, (letters.get(size) ?? 0) + text.length);
  const usual = [...letters].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 0;
  const larger = [...letters.keys()].filter((size) => size > usual * HEADING_SIZE).sort((a, b) => b - a);
  return ({ size, text }) => {
    const rank = larger.indexOf(size);
    const isTitle = rank >= 0 && text.length <= MAX_HEADING_CHARS && /\p{L}/u.test(text);
    return isTitle ? Math.min(rank + 1, MAX_LEVELS) : null;
  };
}

const MAX_BOOKMARKS = 5000;

/** By the page they lead to, from 0. One that leads nowhere is passed over. */
async function readBookmarks(pdf: PdfDocument): Promise<Map<number, Bookmark[]>> {
  const found = new Map<number, Bookmark[]>();
  let left = MAX_BOOKMARKS;
  const visit = async (nodes: readonly BookmarkNode[], level: number): Promise<void> => {
    for (const { title, dest, items } of nodes) {
      if (left-- <= 0 || level > MAX_LEVELS + 2) return;
      const page = await pageOf(pdf, dest);
      if (page !== null) found.set(page, [...(found.get(page) ?? []), { title, level }]);
      await visit(items ?? [], level + 1);
    }
  };
  await visit((await pdf.getOutline().catch(() => null)) ?? [], 1);
  return found;
}

async function pageOf(pdf: PdfDocument, dest: unknown): Promise<number | null> {
  try {
    const place = typeof dest === 'string' ? await pdf.getDestination(dest) : (dest as unknown[] | null);
    if (!Array.isArray(place)) return null;
    return typeof place[0] === 'number' ? place[0] : await pdf.getPageIndex(place[0]);
  } catch {
    return null; // a bookmark is an ornament: without it the page is read all the same
  }
}

/** What programs put there by themselves says nothing. */
function readTitle(title: unknown): string | null {
  const text = typeof title === 'string' ? title.trim() : '';
  return text === '' || /^(?:untitled|microsoft word - |.*\.(?:docx?|odt|indd|tex|html?)$)/i.test(text) ? null : text;
}

function translate(error: unknown, called: string): EngineError {
  if (error instanceof EngineError) return error;
  const name = error instanceof Error ? error.name : '';
  const isLocked = name === 'PasswordException';
  return new EngineError(
    'invalid_input',
    isLocked ? `${called} is protected by a password.` : `${called} is not a PDF that can be read.`,
    {
      cause: error,
      hint: isLocked ? 'Remove the password first.' : 'Open it in a viewer and save it anew, then try again.',
      details: { field: 'name', reason: isLocked ? 'encrypted' : 'damaged' },
    },
  );
}
