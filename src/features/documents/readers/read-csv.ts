import type { ReadDocument } from '../document.ts';

const DELIMITERS = [',', ';', '\t', '|'] as const;
const SNIFFED_CHARS = 20_000;
const MAX_COLUMNS = 2000;
/** The name of a column stands before each of its values: one of a megabyte would be there a thousand times. */
const MAX_NAME_CHARS = 120;

/** Each row as `column: value` pairs, so that a hit says what its values are; rows keep the lines of the file. */
export function readCsv(source: string): Omit<ReadDocument, 'format' | 'warnings'> {
  const text = source.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const delimiter = sniffDelimiter(text.slice(0, SNIFFED_CHARS));
  const rows = [...parseRows(text, delimiter)];
  const { headings, text: shown, skipped } = showRows(rows);
  return { title: null, tags: [], pages: null, sections: [{ headings, text: shown, line: 1 + skipped }] };
}

/** Rows with the names of their columns, where the first one has these; `skipped` are the lines that it took. */
export function showRows(rows: readonly (readonly string[])[]): { headings: string[]; text: string; skipped: number } {
  const [first = []] = rows;
  if (rows.length < 2 || !isHeader(first))
    return { headings: [], text: rows.map((row) => showRow(row, [])).join('\n'), skipped: 0 };
  const names = first.map((name) => name.trim().slice(0, MAX_NAME_CHARS).toWellFormed());
  return {
    headings: [`Columns: ${names.join(', ').slice(0, 180)}`],
    text: rows
      .slice(1)
      .map((row) => showRow(row, names))
      .join('\n'),
    skipped: 1 + lineBreaks(first),
  };
}

function showRow(row: readonly string[], names: readonly string[]): string {
  if (row.length === 1 && row[0] === '') return '';
  const cells = row.map((value, i) => (names[i] ? `${names[i]}: ${value}` : value));
  return cells.filter((cell) => !/^(?:[^\n]*: )?$/.test(cell)).join('; ') + '\n'.repeat(lineBreaksLeftOut(row, cells));
}

/** A cell that is left out because it is empty holds no line breaks; all others are shown with theirs. */
function lineBreaksLeftOut(row: readonly string[], cells: readonly string[]): number {
  return lineBreaks(row) - lineBreaks(cells);
}

function lineBreaks(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
}

/** No cell is empty, a number or there twice. */
function isHeader(row: readonly string[]): boolean {
  const names = row.map((name) => name.trim());
  return names.every((name) => name !== '' && !/^[-+]?[\d.,]+%?$/.test(name)) && new Set(names).size === names.length;
}

/** The one that cuts the first rows into the same number of cells, and the most of them. */
function sniffDelimiter(sample: string): string {
  let best: { delimiter: string; score: number } = { delimiter: ',', score: 0 };
  for (const delimiter of DELIMITERS) {
    const widths = [...parseRows(sample, delimiter)].slice(0, 20).map(({ length }) => length);
    const [usual = 1] = widths;
    const alike = widths.filter((width) => width === usual).length / Math.max(1, widths.length);
    const score = usual > 1 ? alike * Math.log(usual) : 0;
    if (score > best.score) best = { delimiter, score };
  }
  return best.delimiter;
}

/** RFC 4180; a quote that is never closed ends with the file. */
function* parseRows(text: string, delimiter: string): Generator<string[]> {
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    let cell = '';
    if (text[at] === '"') {
      [cell, at] = readQuoted(text, at + 1);
      const end = endOfCell(text, at, delimiter);
      cell += text.slice(at, end);
      at = end;
    } else {
      const end = endOfCell(text, at, delimiter);
      cell = text.slice(at, end);
      at = end;
    }
    if (row.length < MAX_COLUMNS) row.push(cell);
    if (text[at] === delimiter) {
      at++;
      if (at < text.length && text[at] !== '\n') continue;
      row.push('');
    }
    yield row;
    row = [];
    at++;
  }
}

function endOfCell(text: string, from: number, delimiter: string): number {
  for (let at = from; at < text.length; at++) if (text[at] === delimiter || text[at] === '\n') return at;
  return text.length;
}

function readQuoted(text: string, from: number): [cell: string, end: number] {
  let cell = '';
  let at = from;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return [cell + text.slice(at), text.length];
    cell += text.slice(at, quote);
    if (text[quote + 1] !== '"') return [cell, quote + 1];
    cell += '"';
    at = quote + 2;
  }
}
