/** The known name that a mistyped one most likely meant, if one is near enough. Case, dashes and underscores do not count. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const folded = fold(name);
  let nearest: string | null = null;
  let least = Math.max(1, Math.floor(folded.length / 3)) + 1;
  for (const candidate of known) {
    const edits = countEdits(folded, fold(candidate));
    if (edits < least) [nearest, least] = [candidate, edits];
  }
  return nearest;
}

function fold(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}

/** Letters added, left out, replaced or swapped with their neighbour. */
function countEdits(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? before[j - 2]! + 1 : replaced;
      next.push(Math.min(replaced, swapped, row[j]! + 1, next[j - 1]! + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}
