import type { Instant } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import { factsOf, type Relation, type RelationFacts } from '../../model/relation.ts';

/** A relation as it was; null where nobody had stated or proposed it yet. Ended then, it says so. */
export function relationAt(relation: Relation, at: Instant): Relation | null {
  const { earlier = [], ...facts } = factsOf(relation);
  const { from, to, type, weight, createdAt } = relation;
  if (createdAt <= at) return asOf({ from, to, type, weight, createdAt }, facts, at);
  const then = earlier.findLast((state) => state.createdAt <= at);
  if (then === undefined) return null;
  const { weight: weightThen, createdAt: since, until: _, ...factsThen } = then;
  return asOf({ from, to, type, weight: weightThen, createdAt: since }, factsThen, at);
}

function asOf(relation: Omit<Relation, 'body'>, facts: RelationFacts, at: Instant): Relation {
  const { endedAt, endedBy, ...rest } = facts;
  const hasEnded = endedAt !== undefined && endedAt <= at;
  return { ...relation, body: (hasEnded ? { ...rest, endedAt, endedBy } : rest) as JsonObject };
}
