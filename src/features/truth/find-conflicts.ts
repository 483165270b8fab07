import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { StateOf } from '../../engine/keep-states.ts';
import type { Records, Relations } from '../../engine/ports.ts';
import { checkFraction } from '../../engine/records/check-text.ts';
import { describeNode } from '../../engine/records/describe-graph.ts';
import { locate } from '../../engine/records/find-records.ts';
import type { Caller } from '../../model/caller.ts';
import { passOver } from '../../model/damage.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { isEnded, isInferred, type Relation } from '../../model/relation.ts';
import { spellType } from '../../model/relation-types.ts';
import { findSimilar } from '../../search/find-similar.ts';
import { createSpaceGraphs } from '../graph/space-graphs.ts';
import type { Conflict, ListConflictsInput, ListedConflicts } from './conflict.ts';
import { judgeStatements } from './judge-statements.ts';
import { createAllStatements, type Made, readStatements, type SpaceStatements } from './space-statements.ts';

/** Below this they are not reported unless asked for: `node evals/conflicts.ts` prints the precision above it. */
const MIN_CONFIDENCE = 0.8;
const DEFAULT_LIMIT = 20;
/** Of one subject and verb: so many are compared with each other. */
const MAX_GROUP = 60;
/** The type of relation that says that two do not agree. */
export const CONTRADICTS = 'contradicts';

interface Pair {
  ids: readonly [RecordId, RecordId];
  says: readonly [string, string];
  confidence: number;
  reason: string;
  by: Conflict['by'];
}

/** Memories of the caller's space that cannot both hold, the surest first. Those that somebody has decided to keep are left out. */
export async function findConflicts(
  parts: EngineParts,
  caller: Caller,
  { ref, project, minConfidence = MIN_CONFIDENCE, limit = DEFAULT_LIMIT }: ListConflictsInput,
): Promise<ListedConflicts> {
  checkFraction('min_confidence', minConfidence);
  const one = ref === undefined ? null : await locate(parts, caller, { ref, action: 'read', deleted: 'exclude' });
  const space = one?.space ?? caller.space;
  authorize(caller, 'read', space);
  const pairs = comparePairs(await parts.state(createAllStatements).fresh(space), one?.id ?? null);
  const conflicts = await listOpen(parts, space, { pairs, id: one?.id ?? null, minConfidence });
  const meant = conflicts.filter(
    ({ newer, older }) => project === undefined || newer.project === project || older.project === project,
  );
  return { conflicts: meant.slice(0, limit), total: meant.length };
}

const MOST_NEAR = 8;
/** Two that contradict each other are about the same thing, and so have most of their words in common. */
const LEAST_ALIKE = 0.5;

/** What contradicts one memory among those nearest to it: at once, where the whole space would first have to be read. */
export async function findConflictsNearby(parts: EngineParts, caller: Caller, ref: string): Promise<Conflict[]> {
  const { id, space, content } = await locate(parts, caller, { ref, action: 'read', deleted: 'exclude' });
  const wanted = { space, text: content, except: id, minSimilarity: LEAST_ALIKE, limit: MOST_NEAR };
  const [near = []] = await findSimilar(parts, parts.indexes, [wanted]);
  if (near.length === 0) return [];
  const statements = await readStatements(parts, space, [id, ...near.map((each) => each.id)]);
  return listOpen(parts, space, { pairs: comparePairs(statements, id), id, minConfidence: MIN_CONFIDENCE });
}

/** With what people have stated, without what they have decided; the surest first. */
async function listOpen(
  parts: EngineParts,
  space: SpaceId,
  { pairs, id, minConfidence }: { pairs: readonly Pair[]; id: RecordId | null; minConfidence: number },
): Promise<Conflict[]> {
  const found = new Map(
    pairs.filter(({ confidence }) => confidence >= minConfidence).map((pair) => [keyOf(pair.ids), pair]),
  );
  const { stated, settled } = await readJudgements(parts, space, { pairs: [...found.values()], id });
  for (const pair of stated) if (!found.has(keyOf(pair.ids))) found.set(keyOf(pair.ids), pair);
  const open = [...found.values()].filter(({ ids }) => !settled.has(keyOf(ids)));
  open.sort((a, b) => b.confidence - a.confidence || (a.ids[1] < b.ids[1] ? 1 : -1));
  const records = await readRecords(parts, space, open);
  return open.flatMap((pair) => describeConflict(pair, records) ?? []);
}

function keyOf([a, b]: readonly [RecordId, RecordId]): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

function comparePairs({ groups, records }: SpaceStatements, id: RecordId | null): Pair[] {
  const wanted =
    id === null ? groups.values() : [...new Set(records.get(id) ?? [])].map((key) => groups.get(key) ?? []);
  const best = new Map<string, Pair>();
  for (const group of wanted) {
    const compared = group.slice(-MAX_GROUP);
    for (const [i, a] of compared.entries())
      for (const b of compared.slice(i + 1)) {
        const pair = a.id === b.id || (id !== null && a.id !== id && b.id !== id) ? null : judgePair(a, b);
        const known = pair === null ? undefined : best.get(keyOf(pair.ids));
        if (pair !== null && (known === undefined || known.confidence < pair.confidence))
          best.set(keyOf(pair.ids), pair);
      }
  }
  return [...best.values()];
}

function judgePair(a: Made, b: Made): Pair | null {
  const judged = judgeStatements(a.statement, b.statement);
  return judged === null
    ? null
    : { ids: [a.id, b.id], says: [a.statement.text, b.statement.text], by: 'found', ...judged };
}

/** What people have said about pairs: that they contradict each other, or that both may stand. */
async function readJudgements(
  { store, state }: { store: Relations; state: StateOf },
  space: SpaceId,
  { pairs, id }: { pairs: readonly Pair[]; id: RecordId | null },
): Promise<{ stated: Pair[]; settled: Set<string> }> {
  const graph = await state(createSpaceGraphs).fresh(space);
  const type = graph.types.indexOf(CONTRADICTS);
  const ends = new Set(pairs.flatMap(({ ids }) => ids));
  for (let edge = 0; type >= 0 && edge < graph.edgeCount; edge++)
    if (graph.edges.type[edge] === type && graph.edges.state[edge] !== 0)
      for (const node of [graph.edges.from[edge]!, graph.edges.to[edge]!]) ends.add(graph.ids[node]!);
  if (ends.size === 0) return { stated: [], settled: new Set() };
  const all = [...ends];
  const relations = (await store.relationsBetween(space, { from: all, to: all }, passOver)).filter(
    (relation) =>
      spellType(relation.type) === CONTRADICTS && (id === null || relation.from === id || relation.to === id),
  );
  const toPair = (relation: Relation): Pair => ({
    ids: [relation.from, relation.to],
    says: ['', ''],
    confidence: relation.weight,
    reason: typeof relation.body.note === 'string' ? relation.body.note : 'Somebody has said so',
    by: 'stated',
  });
  return {
    stated: relations.filter((relation) => !isEnded(relation) && !isInferred(relation)).map(toPair),
    settled: new Set(relations.filter(isEnded).map(({ from, to }) => keyOf([from, to]))),
  };
}

async function readRecords(
  { store }: { store: Records },
  space: SpaceId,
  pairs: readonly Pair[],
): Promise<Map<RecordId, StoredRecord>> {
  const ids = [...new Set(pairs.flatMap((pair) => pair.ids))];
  const records = ids.length === 0 ? [] : await store.getRecords(space, ids, passOver);
  return new Map(records.map((record) => [record.id, record]));
}

function describeConflict(
  { ids, says, confidence, reason, by }: Pair,
  records: ReadonlyMap<RecordId, StoredRecord>,
): Conflict | null {
  const [a, b] = ids.map((id) => records.get(id));
  if (a === undefined || b === undefined) return null;
  if ([a, b].some(({ deletedAt, supersededBy }) => deletedAt !== null || supersededBy !== null)) return null;
  const isLater = a.createdAt > b.createdAt || (a.createdAt === b.createdAt && a.id > b.id);
  const [newer, older] = (isLater ? [a, b] : [b, a]).map((record) => describeNode(record, null));
  const [newerSays, olderSays] = isLater ? says : [says[1], says[0]];
  return {
    newer: newer!,
    older: older!,
    newerSays: newerSays || newer!.excerpt,
    olderSays: olderSays || older!.excerpt,
    confidence,
    reason,
    by,
  };
}
