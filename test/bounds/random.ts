import { seededRandom } from '../../src/features/evaluation/seeded-random.ts';

/** Choices that are the same for the same seed. */
export interface Random {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
}

export function createRandom(seed: number): Random {
  const next = seededRandom(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, pick: (list) => list[below(list.length)]! };
}
