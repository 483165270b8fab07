import { createPacer, type Pace } from '../../model/turn.ts';

export { createPacer, type Pace };

const LOOKED_AT_ONCE = 500;

/** What passes, of very many. */
export async function filterInTurns<T>(items: readonly T[], passes: (item: T) => boolean): Promise<T[]> {
  const pace = createPacer();
  const kept: T[] = [];
  for (const [i, item] of items.entries()) {
    if (passes(item)) kept.push(item);
    if (i % LOOKED_AT_ONCE === 0) await pace();
  }
  return kept;
}
