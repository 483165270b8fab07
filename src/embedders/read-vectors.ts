import { EngineError } from '../model/errors.ts';
import { isObject, parseJson } from '../model/json-text.ts';

/** The vectors of an embeddings answer in the order of the texts, made to length 1. */
export function readVectors(body: string, expected: { count: number; dimensions: number | null }): Float32Array[] {
  const data = parseData(body);
  if (data.length !== expected.count) throw unusable(`${data.length} vectors for ${expected.count} texts`);
  const vectors: (Float32Array | undefined)[] = Array.from({ length: expected.count }, () => undefined);
  data.forEach((item, position) => {
    const { index, embedding } = readItem(item, position);
    if (index < 0 || index >= expected.count || vectors[index] !== undefined)
      throw unusable('an index that does not fit');
    vectors[index] = normalise(embedding);
  });
  const length = expected.dimensions ?? vectors[0]?.length ?? 0;
  const other = vectors.find((vector) => vector?.length !== length);
  if (other !== undefined) throw unusable(`vectors of ${other.length} dimensions instead of ${length}`);
  return vectors.filter((vector) => vector !== undefined);
}

function parseData(body: string): unknown[] {
  const value = parseJson(body);
  if (value === undefined) throw unusable('something that is not JSON');
  if (!isObject(value) || !Array.isArray(value.data)) throw unusable('no list of vectors');
  return value.data;
}

function readItem(item: unknown, position: number): { index: number; embedding: number[] } {
  if (!isObject(item) || !('embedding' in item)) throw unusable('an item without a vector');
  const { embedding } = item;
  if (
    !Array.isArray(embedding) ||
    embedding.length === 0 ||
    !embedding.every((component) => Number.isFinite(component))
  )
    throw unusable('a vector that is not a list of numbers');
  const index = 'index' in item && typeof item.index === 'number' ? item.index : position;
  return { index, embedding };
}

function normalise(embedding: readonly number[]): Float32Array {
  const length = Math.sqrt(embedding.reduce((sum, component) => sum + component * component, 0));
  if (!(length > 0 && Number.isFinite(length))) throw unusable('a vector of length 0');
  return Float32Array.from(embedding, (component) => component / length);
}

function unusable(what: string, cause?: unknown): EngineError {
  return new EngineError('embedder_failed', `The embeddings service answered with ${what}.`, { cause });
}
