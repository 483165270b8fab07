import type { Terminal } from '../terminal.ts';
import { textWidth } from '../text-width.ts';

const GAP = '  ';

/** Columns side by side, two blanks between them, the last one as long as it is. */
export function showColumns(rows: readonly (readonly string[])[], { print }: Pick<Terminal, 'print'>): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => textWidth(row[column] ?? ''))));
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === row.length - 1 ? cell : cell + ' '.repeat(widths[column]! - textWidth(cell)),
    );
    print(cells.join(GAP));
  }
}
