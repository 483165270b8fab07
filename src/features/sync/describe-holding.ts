import { canonicalJson } from '../../model/canonical-json.ts';
import type { Incoming } from '../../model/plan-take.ts';

/** What replicas know under an id, without a word of what it says: equal ones mean that they hold the same. Null: nothing. */
export function describeHolding({ id, buried, state }: Pick<Incoming, 'id' | 'buried' | 'state'>): string | null {
  if (state === null) return buried === 0 ? null : canonicalJson([id, buried]);
  const parts = Object.entries(state.parts).flatMap(([name, some]) => Object.keys(some).map((dot) => `${name}@${dot}`));
  return canonicalJson([id, buried, state.generation, state.seen, parts.sort()]);
}
