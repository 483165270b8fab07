import type { EngineParts } from '../../engine/engine-parts.ts';
import { actorOf } from '../../engine/records/origin.ts';
import { endRelation } from '../../engine/records/relate-records.ts';
import type { Caller } from '../../model/caller.ts';
import type { FeedEntry } from '../../model/change.ts';
import { passOver } from '../../model/damage.ts';
import type { JsonObject } from '../../model/json.ts';
import { factsOf, isEnded, type Relation, type RelationFacts } from '../../model/relation.ts';
import type { NotUndone, UndoPlan } from './undo-changes.ts';

/** A relation that was new ends; one that was said anew, or has ended, is what it was before. */
export async function planRelation(
  parts: EngineParts,
  caller: Caller,
  group: readonly FeedEntry[],
): Promise<UndoPlan | NotUndone | null> {
  const { id, kind, relation: named } = group[0]!;
  const { to, type } = named!;
  const found = await parts.store.relationsBetween(caller.space, { from: [id], to: [to] }, passOver);
  const relation = found.find((one) => one.type === type);
  if (relation === undefined) return { id, reason: 'The relation is not there any more.' };
  const before = stateBefore(relation, group.filter(({ op }) => op === 'related').length);
  if (before === null && isEnded(relation)) return null;
  const wanted = before ?? endRelation(relation, { at: parts.clock.now(), by: actorOf(caller) });
  const what = isEnded(wanted) ? 'unrelated' : 'related';
  return {
    changes: [{ op: 'relate', relation: wanted }],
    done: { id, kind, title: `${id} ${type} ${to}`, what, relation: named },
  };
}

/** Before it was said so many times; null: it was not there. What merely ended was said no time. */
function stateBefore(relation: Relation, said: number): Relation | null {
  const { earlier = [], ...facts } = factsOf(relation);
  if (said === 0) {
    const { endedAt: _at, endedBy: _by, ...rest } = facts;
    return withFacts(relation, { ...rest, ...(earlier.length > 0 && { earlier }) });
  }
  const at = earlier.length - said;
  if (at < 0) return null;
  const { weight, createdAt, until: _until, ...then } = earlier[at]!;
  const older = earlier.slice(0, at);
  return withFacts({ ...relation, weight, createdAt }, { ...then, ...(older.length > 0 && { earlier: older }) });
}

function withFacts(relation: Relation, facts: RelationFacts): Relation {
  return { ...relation, body: facts as JsonObject };
}
