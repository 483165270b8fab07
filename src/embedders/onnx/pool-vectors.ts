import { EngineError } from '../../model/errors.ts';

/** One unit vector for each text from a model's answer: texts × tokens × dimensions, or texts × dimensions where it pools by itself. */
export function poolVectors(
  { dims, data }: { dims: readonly number[]; data: unknown },
  { lengths, pooling }: { lengths: readonly number[]; pooling: 'mean' | 'cls' },
): Float32Array[] {
  const [texts, width, dimensions] = dims.length === 2 ? [dims[0], 1, dims[1]] : dims;
  if (!(data instanceof Float32Array) || texts !== lengths.length || !width || !dimensions) {
    throw new EngineError('embedder_failed', 'The model does not answer with vectors of 32-bit numbers.');
  }
  return lengths.map((length, text) => {
    const vector = new Float32Array(dimensions);
    const tokens = width === 1 || pooling === 'cls' ? 1 : length;
    for (let token = 0; token < tokens; token++) {
      const start = (text * width + token) * dimensions;
      for (let i = 0; i < dimensions; i++) vector[i]! += data[start + i]!;
    }
    const size = Math.hypot(...vector);
    if (!(size > 0 && Number.isFinite(size)))
      throw new EngineError('embedder_failed', 'The model answered with a vector of length 0.');
    return vector.map((component) => component / size);
  });
}
