import type { Terminal } from './terminal.ts';
import { cutText, textWidth } from './text-width.ts';

const GAP = '  ';
const LONGEST_NAME = 32;

/** Names on the left, figures to the right of them under their heads. */
export function showTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  terminal: Pick<Terminal, 'print' | 'paint'>,
): void {
  showLines(head, rows, { ...terminal, side: 'start' });
}

/** Words in every column. */
export function showWords(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  terminal: Pick<Terminal, 'print' | 'paint'>,
): void {
  showLines(head, rows, { ...terminal, side: 'end' });
}

interface LineOptions extends Pick<Terminal, 'print' | 'paint'> {
  /** Where the columns after the first are filled up. */
  side: 'start' | 'end';
}

function showLines(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { print, paint, side }: LineOptions,
): void {
  const lines = [head, ...rows].map(([name = '', ...figures]) => [cutText(name, LONGEST_NAME), ...figures]);
  const widths = head.map((_, column) => Math.max(...lines.map((line) => textWidth(line[column] ?? ''))));
  lines.forEach((line, at) => {
    const cells = line.map((cell, column) => pad(cell, widths[column]!, column === 0 ? 'end' : side));
    const text = cells.join(GAP).trimEnd();
    print(at === 0 ? paint('dim', text) : text);
  });
}

function pad(text: string, width: number, side: 'start' | 'end'): string {
  const space = ' '.repeat(Math.max(0, width - textWidth(text)));
  return side === 'end' ? text + space : space + text;
}
