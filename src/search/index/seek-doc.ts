/** Place of the first of the ascending docs, from `from` on, that is not before `doc`. Steps grow, so that walking through a list is cheap. */
export function seekDoc(docs: Uint32Array, doc: number, from = 0): number {
  let low = from;
  let high = from;
  for (let step = 1; high < docs.length && docs[high]! < doc; step *= 2) {
    low = high + 1;
    high += step;
  }
  high = Math.min(high, docs.length);
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (docs[middle]! < doc) low = middle + 1;
    else high = middle;
  }
  return low;
}
