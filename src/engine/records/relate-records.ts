import type { Caller } from '../../model/caller.ts';
import type { Change } from '../../model/change.ts';
import { defined } from '../../model/defined.ts';
import { EngineError } from '../../model/errors.ts';
import type { GraphRelation, Related, RelateInput, RelateResult, UnrelateInput } from '../../model/graph.ts';
import type { Instant, SpaceId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { StoredRecord } from '../../model/record.ts';
import {
  type EarlierRelation,
  factsOf,
  isEnded,
  isInferred,
  type Relation,
  type RelationFacts,
} from '../../model/relation.ts';
import { placeEnds, readRelationType, spellType } from '../../model/relation-types.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { Commits, Relations } from '../ports.ts';
import { checkText, invalid, readLabel } from './check-text.ts';
import { describeNode, describeRelation } from './describe-graph.ts';
import { locate } from './find-records.ts';
import { actorOf } from './origin.ts';
import { openRedactor } from './redact-content.ts';

interface RelateOutcome {
  outcome: RelateResult;
  relation: Relation;
  from: StoredRecord;
  to: StoredRecord;
}

const MAX_NOTE = 1000;

/** States a typed relation, says it anew, or confirms one that was inferred. */
export async function relate(parts: EngineParts, caller: Caller, input: RelateInput): Promise<Related> {
  const { outcome, relation, from, to } = await relateRecords(parts, caller, input);
  const ends = { from: describeNode(from, null), to: describeNode(to, null) };
  return { outcome, relation: describeRelation(relation), ...ends };
}

export async function unrelate(
  parts: EngineParts,
  caller: Caller,
  input: UnrelateInput,
): Promise<{ ended: GraphRelation[] }> {
  const { ended } = await unrelateRecords(parts, caller, input);
  return { ended: ended.map(describeRelation) };
}

/** States a relation between two records of one space, or says it anew. */
export async function relateRecords(parts: EngineParts, caller: Caller, input: RelateInput): Promise<RelateOutcome> {
  const type = readRelationType(input.type ?? 'related');
  const { confidence = 1 } = input;
  if (!(confidence >= 0 && confidence <= 1)) throw invalid('confidence', 'must be between 0 and 1');
  if (input.note !== undefined) checkText('note', input.note);
  if ((input.note?.length ?? 0) > MAX_NOTE) throw invalid('note', `must have at most ${MAX_NOTE} characters`);
  const ends = await locateEnds(parts, caller, input);
  const { space } = ends.from;
  const redactor = await openRedactor(parts, caller);
  const note = input.note === undefined ? undefined : redactor.value('note', input.note).value;
  if (input.type !== undefined && redactor.value('type', input.type).value !== input.type)
    throw invalid('type', 'looks like a secret and cannot be stored');
  const facts: RelationFacts = defined({
    by: actorOf(caller),
    client: caller.client,
    agent: redactor.value('agent', readLabel('agent', input.agent)).value ?? undefined,
    session: redactor.value('session', readLabel('session', input.session)).value ?? undefined,
    note,
  });
  const known = await findRelation(parts, space, { from: ends.from.id, to: ends.to.id, type });
  const now = parts.clock.now();
  const wanted = makeRelation({ from: ends.from.id, to: ends.to.id, type, weight: confidence, facts, now });
  const outcome = known === undefined || isEnded(known) ? 'related' : isInferred(known) ? 'confirmed' : 'updated';
  if (outcome === 'updated' && known!.weight === confidence && factsOf(known!).note === note)
    return { outcome: 'unchanged', relation: known!, ...ends };
  const relation = known === undefined ? wanted : sayAnew(known, wanted, now);
  await commitRelations(parts, space, { changes: [{ op: 'relate', relation }], actor: actorOf(caller) });
  return { outcome, relation, ...ends };
}

/** Ends relations between two records, in either direction where no type tells which. They stay readable as they were. */
export async function unrelateRecords(
  parts: EngineParts,
  caller: Caller,
  input: UnrelateInput,
): Promise<{ ended: Relation[] }> {
  const type = input.type === undefined ? null : readRelationType(input.type);
  const { from, to } = await locateEnds(parts, caller, input);
  const pair = new Set([from.id, to.id]);
  const ended = (await parts.store.listRelations(from.space, [from.id]))
    .filter((relation) => pair.has(relation.from) && pair.has(relation.to) && !isEnded(relation))
    .filter((relation) => type === null || spellType(relation.type) === type)
    .filter((relation) => type === null || placeEnds(type, from.id, to.id).from === relation.from)
    .map((relation) => endRelation(relation, { at: parts.clock.now(), by: actorOf(caller) }));
  const changes = ended.map((relation): Change => ({ op: 'relate', relation }));
  if (changes.length > 0) await commitRelations(parts, from.space, { changes, actor: actorOf(caller) });
  return { ended };
}

interface NewRelation extends Pick<Relation, 'from' | 'to' | 'type' | 'weight'> {
  facts: RelationFacts;
  now: Instant;
}

/** For whatever states relations: the ends in the order that their type wants. */
export function makeRelation({ from, to, type, weight, facts, now }: NewRelation): Relation {
  return { ...placeEnds(type, from, to), type: spellType(type), weight, body: facts as JsonObject, createdAt: now };
}

/** What is known stays in its history, the latest of it. */
const MAX_EARLIER = 20;

function sayAnew(known: Relation, next: Relation, now: Instant): Relation {
  const { earlier = [], ...facts } = factsOf(known);
  const state: EarlierRelation = { ...facts, weight: known.weight, createdAt: known.createdAt, until: now };
  const body: RelationFacts = { ...factsOf(next), earlier: [...earlier, state].slice(-MAX_EARLIER) };
  return { ...next, type: known.type, body: body as JsonObject };
}

export function endRelation(relation: Relation, { at, by }: { at: Instant; by: string }): Relation {
  const facts: RelationFacts = { ...factsOf(relation), endedAt: at, endedBy: by };
  return { ...relation, body: facts as JsonObject };
}

async function locateEnds(parts: EngineParts, caller: Caller, { from, to }: Pick<RelateInput, 'from' | 'to'>) {
  const wanted = { action: 'write', deleted: 'exclude' } as const;
  const ends = {
    from: await locate(parts, caller, { ...wanted, ref: from }),
    to: await locate(parts, caller, { ...wanted, ref: to }),
  };
  if (ends.from.space !== ends.to.space)
    throw new EngineError('invalid_input', 'Only records of one space can be related.', {
      hint: 'One of them is yours, the other a team’s: store a copy where both shall be.',
      details: { field: 'to' },
    });
  if (ends.from.id !== ends.to.id) return ends;
  throw new EngineError('invalid_input', 'A record cannot be related to itself.', { details: { field: 'to' } });
}

async function findRelation(
  { store }: { store: Relations },
  space: SpaceId,
  { from, to, type }: Pick<Relation, 'from' | 'to' | 'type'>,
): Promise<Relation | undefined> {
  const ends = placeEnds(type, from, to);
  const found = await store.listRelations(space, [from]);
  return found.find((one) => one.from === ends.from && one.to === ends.to && spellType(one.type) === type);
}

export async function commitRelations(
  { store }: { store: Commits },
  space: SpaceId,
  { changes, actor }: { changes: readonly Change[]; actor: string },
): Promise<void> {
  const committed = await store.commit(space, changes, actor);
  if (committed.outcome === 'committed') return;
  throw new EngineError('conflict', 'One of the records was removed in the meantime.', {
    hint: 'Read them again, then decide.',
  });
}
