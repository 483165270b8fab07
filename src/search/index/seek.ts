/** The first place from `from` on, below `count`, that is not before what is looked for. Steps grow, so that walking through a sorted list is cheap. */
export function seek(count: number, isBefore: (at: number) => boolean, from = 0): number {
  let low = from;
  let high = from;
  for (let step = 1; high < count && isBefore(high); step *= 2) {
    low = high + 1;
    high += step;
  }
  high = Math.min(high, count);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
