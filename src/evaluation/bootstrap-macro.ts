import { quantile } from './score-ranking.ts';
import { seededRandom } from './seeded-random.ts';

export interface Interval {
  low: number;
  high: number;
}

const LEVEL = 0.95;

/**
 * The 95 % interval of the mean of the groups' means, by drawing each group's values again with replacement.
 * Questions on one conversation resemble each other, so against conversations not seen yet it is too narrow.
 */
export function bootstrapMacro(
  groups: readonly (readonly number[])[],
  { samples, seed }: { samples: number; seed: number },
): Interval | null {
  const filled = groups.filter((group) => group.length > 0);
  if (samples === 0 || filled.length === 0) return null;
  const random = seededRandom(seed);
  const means: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    let sum = 0;
    for (const group of filled) {
      let drawn = 0;
      for (let i = 0; i < group.length; i++) drawn += group[Math.floor(random() * group.length)]!;
      sum += drawn / group.length;
    }
    means.push(sum / filled.length);
  }
  return { low: quantile(means, (1 - LEVEL) / 2), high: quantile(means, (1 + LEVEL) / 2) };
}
