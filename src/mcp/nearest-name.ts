/** The known name that a mistyped one most likely meant, if one is near enough. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const folded = fold(name);
  // two letters swapped are two edits
  const tolerance = folded.length <= 3 ? 1 : Math.max(2, Math.floor(folded.length / 3));
  let best: string | null = null;
  let least = tolerance + 1;
  for (const candidate of known) {
    const edits = countEdits(folded, fold(candidate));
    if (edits < least) [best, least] = [candidate, edits];
  }
  return best;
}

/** onDuplicate and on-duplicate mean on_duplicate. */
function fold(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}

function countEdits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
