import { crc32 } from 'node:zlib';

/**
 * A unit vector for a text of which the table knows nothing, such as emoji: the same for the same text, and at about a right angle to any other,
 * so that two such texts are not taken for the same.
 */
export function ownDirection(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  const size = 1 / Math.sqrt(dimensions);
  let state = crc32(text) || 1;
  for (let i = 0; i < dimensions; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    vector[i] = state < 0 ? -size : size;
  }
  return vector;
}
