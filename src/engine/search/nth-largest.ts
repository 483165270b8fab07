/** The n-th largest of the values, or the smallest where there are fewer. */
export function nthLargest(values: Float32Array, n: number): number {
  const heap = new Float32Array(Math.min(n, values.length)).fill(-Infinity);
  if (heap.length === 0) return -Infinity;
  for (let i = 0; i < values.length; i++) if (values[i]! > heap[0]!) sink(heap, values[i]!);
  return heap[0]!;
}

/** Replaces the smallest, which stands first, and restores the order. */
function sink(heap: Float32Array, value: number): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
    if (heap[child]! >= value) break;
    heap[at] = heap[child]!;
    at = child;
  }
  heap[at] = value;
}
