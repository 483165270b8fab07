import type { Vectors } from '../index/part.ts';
import type { VectorScanner } from './vector-scanner.ts';

/** Queries are rounded to 16-bit numbers, far finer than the docs' bytes, so that sums are whole numbers: exact in any order. */
const QUERY_SCALE = 32_767;

/** Takes a unit vector. */
export function roundQuery(vector: Float32Array): Int16Array {
  const rounded = new Int16Array(vector.length);
  for (let i = 0; i < vector.length; i++) rounded[i] = Math.round(Math.max(-1, Math.min(1, vector[i]!)) * QUERY_SCALE);
  return rounded;
}

/** One for each of the docs. */
export function measureCosines(
  scanner: VectorScanner,
  vectors: Vectors,
  { query, docs }: { query: Int16Array; docs: Uint32Array },
): Float64Array {
  vectors.needRows?.(docs);
  const { rows, scales } = vectors;
  const products = scanner.multiply(query, rows, docs);
  const cosines = new Float64Array(docs.length);
  for (let k = 0; k < docs.length; k++)
    cosines[k] = Math.max(-1, Math.min(1, (products[k]! / QUERY_SCALE) * scales[docs[k]!]!));
  return cosines;
}
