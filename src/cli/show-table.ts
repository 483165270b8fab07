import type { Terminal } from './terminal.ts';
import { cutText, textWidth } from './text-width.ts';

const GAP = '  ';
const LONGEST_NAME = 32;

/** Names on the left, figures to the right of them under their heads. */
export function showTable(head: readonly string[], rows: readonly (readonly string[])[], { print, paint }: Pick<Terminal, 'print' | 'paint'>): void {
  const lines = [head, ...rows].map(([name = '', ...figures]) => [cutText(name, LONGEST_NAME), ...figures]);
  const widths = head.map((_, column) => Math.max(...lines.map((line) => textWidth(line[column] ?? ''))));
  lines.forEach((line, at) => {
    const cells = line.map((cell, column) => pad(cell, widths[column]!, column === 0 ? 'end' : 'start'));
    const text = cells.join(GAP).trimEnd();
    print(at === 0 ? paint('dim', text) : text);
  });
}

function pad(text: string, width: number, side: 'start' | 'end'): string {
  const space = ' '.repeat(Math.max(0, width - textWidth(text)));
  return side === 'end' ? text + space : space + text;
}
