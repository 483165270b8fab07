export interface LineChanges {
  added: string[];
  removed: string[];
  /** Those before the first change, of either text. */
  before: string[];
}

/** What lines came and went, whatever moved: common ends are passed over, what is left is compared as a bag. */
export function compareLines(old: string, next: string): LineChanges {
  const from = old === '' ? [] : old.split('\n');
  const to = next === '' ? [] : next.split('\n');
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start++;
  let end = 0;
  while (end < from.length - start && end < to.length - start && from.at(-1 - end) === to.at(-1 - end)) end++;
  const gone = from.slice(start, from.length - end);
  const come = to.slice(start, to.length - end);
  return { added: withoutThose(come, gone), removed: withoutThose(gone, come), before: from.slice(0, start) };
}

function withoutThose(lines: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of others) counts.set(line, (counts.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const left = counts.get(line) ?? 0;
    if (left > 0) counts.set(line, left - 1);
    return left === 0;
  });
}
