import type { Terminal } from './terminal.ts';
import { cutText, textWidth } from './text-width.ts';

const GAP = '  ';
const LONGEST_NAME = 32;

export interface TableForm {
  /** Figures stand to the right under their heads, words to the left. */
  hasFigures?: boolean;
  /** As scripts know it: no name is cut, and the heads look like the rest. */
  isPlain?: boolean;
}

/** The heads and the rows below them, names in the first column. */
export function showTable(
  rows: readonly (readonly string[])[],
  { print, paint }: Pick<Terminal, 'print' | 'paint'>,
  { hasFigures = false, isPlain = false }: TableForm = {},
): void {
  const lines = isPlain ? rows : rows.map(([name = '', ...rest]) => [cutText(name, LONGEST_NAME), ...rest]);
  const widths = rows[0]!.map((_, column) => Math.max(...lines.map((line) => textWidth(line[column] ?? ''))));
  lines.forEach((line, at) => {
    const cells = line.map((cell, column) => {
      const space = ' '.repeat(widths[column]! - textWidth(cell));
      return hasFigures && column > 0 ? space + cell : cell + space;
    });
    const text = cells.join(GAP).trimEnd();
    print(at === 0 && !isPlain ? paint('dim', text) : text);
  });
}
