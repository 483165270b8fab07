import { EngineError } from '../../../model/errors.ts';
import type { ReadDocument } from '../document.ts';
import { parseXml, readTitle } from './parse-xml.ts';
import { createOutline } from './read-html.ts';
import { type Archive, openArchive } from './unzip.ts';

/** What was deleted while changes were tracked, and what stands there a second time for older programs. */
const HIDDEN = new Set(['w:del', 'mc:Fallback']);

/** Word's XML: paragraphs under their headings, tables row by row, pages where Word has written down where they broke. */
export function readDocx(bytes: Uint8Array, called: string): Omit<ReadDocument, 'format' | 'warnings'> {
  const archive = openArchive(bytes, called);
  const main = archive.read(findMain(archive));
  if (main === null)
    throw new EngineError('invalid_input', `${called} is not a Word document.`, {
      details: { field: 'name', reason: 'damaged' },
    });
  const levels = readStyles(archive.read('word/styles.xml'));
  const outline = createOutline();
  let page = 1;
  let hasPages = false;
  let level: number | null = null;
  let inText = false;
  let depth = 0;
  let titled: string | null = null;
  let isTitle = false;
  let hidden = 0;
  const add = (text: string): void => {
    if (hidden > 0) return;
    if (isTitle) titled = (titled ?? '') + text;
    if (level !== null && depth === 0) {
      outline.open(level);
      level = null;
    }
    outline.add(text);
  };
  const turnPage = (): void => {
    hasPages = true;
    page++;
    if (depth === 0) outline.turn(page);
  };
  outline.turn(page);
  parseXml(main, {
    open(name, attributes) {
      if (name === 'w:tbl') depth++;
      else if (name === 'w:pStyle' || name === 'w:outlineLvl') {
        const value = attributes['w:val'] ?? '';
        const found = name === 'w:pStyle' ? levels.get(value) : readLevel(value);
        if (found !== undefined && found !== null) level = found;
        isTitle ||= name === 'w:pStyle' && /^title$/i.test(value) && titled === null;
      } else if (name === 'w:t') inText = true;
      else if (name === 'w:tab') add('\t');
      else if (name === 'w:br' && attributes['w:type'] === 'page') turnPage();
      else if (name === 'w:lastRenderedPageBreak') turnPage();
      else if (name === 'w:br' || name === 'w:cr') add('\n');
      else if (name === 'w:noBreakHyphen') add('-');
      else if (HIDDEN.has(name)) hidden++;
      else if (name === 'w:numPr' && level === null) outline.add('- ');
    },
    text(text) {
      if (inText) add(text);
    },
    close(name) {
      if (name === 'w:t') inText = false;
      else if (HIDDEN.has(name)) hidden--;
      else if (name === 'w:p') {
        outline.close();
        level = null;
        isTitle = false;
        outline.add(depth === 0 ? '\n\n' : ' ');
      } else if (name === 'w:tc') outline.add('| ');
      else if (name === 'w:tr') outline.add('\n');
      else if (name === 'w:tbl') {
        depth--;
        outline.add('\n');
        if (depth === 0) outline.turn(page);
      }
    },
  });
  const sections = outline.end().map(({ page: at, ...section }) => (hasPages ? { ...section, page: at } : section));
  const notes = readNotes(archive);
  return {
    title: readTitle(archive) ?? titled,
    tags: [],
    pages: hasPages ? page : null,
    sections: notes === '' ? sections : [...sections, { headings: ['Footnotes'], text: notes }],
  };
}

/** Usually word/document.xml; the content types say where else. */
function findMain(archive: Archive): string {
  if (archive.names.includes('word/document.xml')) return 'word/document.xml';
  return archive.names.find((name) => /^word\/document\d*\.xml$/.test(name)) ?? '';
}

/** Which styles are headings, and of which level: by what they say, or by their names. */
function readStyles(xml: Buffer | null): Map<string, number> {
  const levels = new Map<string, number>();
  if (xml === null) return levels;
  let style: string | null = null;
  parseXml(xml, {
    open(name, attributes) {
      const value = attributes['w:val'] ?? '';
      if (name === 'w:style') style = attributes['w:styleId'] ?? null;
      if (style === null) return;
      const named = name === 'w:name' ? /^heading (\d)$/i.exec(value)?.[1] : undefined;
      if (named !== undefined) levels.set(style, Number(named));
      else if (name === 'w:name' && /^title$/i.test(value)) levels.set(style, 1);
      else if (name === 'w:outlineLvl') {
        const level = readLevel(value);
        if (level !== null) levels.set(style, level);
      }
    },
    close(name) {
      if (name === 'w:style') style = null;
    },
  });
  return levels;
}

/** Word counts from 0, and calls body text 9. */
function readLevel(value: string): number | null {
  const level = Number(value);
  return Number.isInteger(level) && level >= 0 && level < 9 && value !== '' ? level + 1 : null;
}

function readNotes(archive: Archive): string {
  const notes: string[] = [];
  for (const name of ['word/footnotes.xml', 'word/endnotes.xml']) {
    const xml = archive.read(name);
    let note = '';
    let inText = false;
    if (xml !== null)
      parseXml(xml, {
        open(tag) {
          inText = tag === 'w:t';
        },
        text(text) {
          if (inText) note += text;
        },
        close(tag) {
          inText = false;
          if (tag !== 'w:footnote' && tag !== 'w:endnote') return;
          if (note.trim() !== '') notes.push(note.trim());
          note = '';
        },
      });
  }
  return notes.join('\n\n');
}
