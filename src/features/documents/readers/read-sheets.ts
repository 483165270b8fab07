import { EngineError } from '../../../model/errors.ts';
import type { DocumentSection, ReadDocument } from '../document.ts';
import { parseXml, readRelations, readTitle } from './parse-xml.ts';
import { showRows } from './read-csv.ts';
import { type Archive, openArchive } from './unzip.ts';

const WORKBOOK = 'xl/workbook.xml';
const MAX_COLUMNS = 2000;
/** Rows further apart than this begin a section of their own. */
const MAX_GAP = 20;

/** Each sheet under its name, rows as `column: value`; the line of a hit is the number of its row. */
export function readSheets(bytes: Uint8Array, called: string): Omit<ReadDocument, 'format' | 'warnings'> {
  const archive = openArchive(bytes, called);
  const workbook = archive.read(WORKBOOK);
  if (workbook === null)
    throw new EngineError('invalid_input', `${called} is not a workbook.`, {
      details: { field: 'name', reason: 'damaged' },
    });
  const relations = readRelations(archive, WORKBOOK);
  const shared = readSharedTexts(archive.read('xl/sharedStrings.xml'));
  const sheets: { name: string; part: string }[] = [];
  parseXml(workbook, {
    open(tag, attributes) {
      const part = tag === 'sheet' ? relations.get(attributes['r:id'] ?? '') : undefined;
      if (part !== undefined) sheets.push({ name: attributes.name ?? '', part });
    },
  });
  const sections = sheets.flatMap(({ name, part }) => readSheet(archive, part, { name, shared }));
  return { title: readTitle(archive), tags: [], pages: null, sections };
}

function readSharedTexts(xml: Buffer | null): string[] {
  const texts: string[] = [];
  let inText = false;
  if (xml === null) return texts;
  parseXml(xml, {
    open(name) {
      if (name === 'si') texts.push('');
      inText = name === 't';
    },
    text(text) {
      if (inText) texts[texts.length - 1] += text;
    },
    close() {
      inText = false;
    },
  });
  return texts;
}

function readSheet(
  archive: Archive,
  part: string,
  { name, shared }: { name: string; shared: readonly string[] },
): DocumentSection[] {
  const xml = archive.read(part);
  if (xml === null) return [];
  const blocks: { first: number; rows: string[][] }[] = [];
  let row: string[] = [];
  let number = 0;
  let cell = { column: 0, type: '', text: '' };
  let inValue = false;
  parseXml(xml, {
    open(tag, attributes) {
      if (tag === 'row') {
        row = [];
        number = Number(attributes.r) || number + 1;
      } else if (tag === 'c')
        cell = { column: columnOf(attributes.r ?? '') ?? row.length, type: attributes.t ?? '', text: '' };
      else inValue = tag === 'v' || tag === 't';
    },
    text(text) {
      if (inValue) cell.text += text;
    },
    close(tag) {
      if (tag === 'v' || tag === 't') inValue = false;
      else if (tag === 'c' && cell.column < MAX_COLUMNS) {
        while (row.length < cell.column) row.push('');
        const text = cell.type === 's' ? (shared[Number(cell.text)] ?? '') : cell.text;
        row[cell.column] = text.replaceAll(/\s+/g, ' ').trim();
      } else if (tag === 'row' && row.some((text) => text !== '')) addRow(blocks, row, number);
    },
  });
  return blocks.map(({ first, rows }) => {
    const { headings, text, skipped } = showRows(rows);
    return { headings: [...(name === '' ? [] : [name]), ...headings], text, line: first + skipped };
  });
}

function addRow(blocks: { first: number; rows: string[][] }[], row: string[], number: number): void {
  const last = blocks.at(-1);
  const gap = last === undefined ? Number.POSITIVE_INFINITY : number - (last.first + last.rows.length);
  if (last === undefined || gap < 0 || gap > MAX_GAP) {
    blocks.push({ first: number, rows: [row] });
    return;
  }
  for (let i = 0; i < gap; i++) last.rows.push(['']);
  last.rows.push(row);
}

/** `AB12` is column 27, from 0. */
function columnOf(place: string): number | null {
  const letters = /^[A-Z]{1,3}/.exec(place)?.[0];
  if (letters === undefined) return null;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
