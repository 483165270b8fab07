import { shorten } from '../../model/cut-text.ts';
import { passOver } from '../../model/damage.ts';
import type { GraphNode, GraphRelation } from '../../model/graph.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { factsOf, isInferred, type Relation, type RelationKey } from '../../model/relation.ts';
import { isSymmetric, spellType } from '../../model/relation-types.ts';
import type { SpaceGraph } from '../../model/space-graph.ts';
import { firstLine } from '../../search/text/make-snippet.ts';
import type { Records, Relations } from '../ports.ts';

const TITLE_CHARS = 80;
const EXCERPT_CHARS = 240;

export function describeNode(record: StoredRecord, distance: number | null): GraphNode {
  const { id, kind, type, tags, project, contentHash, trust, source, createdAt, supersededBy, content } = record;
  return {
    id,
    kind,
    type,
    tags,
    project,
    contentHash,
    trust,
    source,
    createdAt,
    supersededBy,
    title: record.title ?? firstLine(content, TITLE_CHARS),
    excerpt: shorten(content, EXCERPT_CHARS),
    whole: content.length <= EXCERPT_CHARS,
    distance,
  };
}

export function describeRelation(relation: Relation): GraphRelation {
  const { from, to, createdAt } = relation;
  const { note = null, reason = null, by = null, agent = null, session = null, endedAt = null } = factsOf(relation);
  return {
    from,
    to,
    type: spellType(relation.type),
    createdAt,
    isSymmetric: isSymmetric(relation.type),
    confidence: relation.weight,
    status: endedAt !== null ? 'ended' : isInferred(relation) ? 'inferred' : 'stated',
    note,
    reason,
    by,
    agent,
    session,
    endedAt,
  };
}

/** Records by their ids, in this order; those that are damaged or gone by now are left out. */
export async function readNodes(
  { store }: { store: Records },
  space: SpaceId,
  places: ReadonlyMap<RecordId, number | null>,
): Promise<GraphNode[]> {
  const records = places.size === 0 ? [] : await store.getRecords(space, [...places.keys()], passOver);
  return records
    .filter(({ deletedAt }) => deletedAt === null)
    .map((record) => describeNode(record, places.get(record.id) ?? null));
}

/** Where an edge of the graph begins and ends, and its type. */
export function edgeKey({ ids, edges, types }: SpaceGraph, edge: number): RelationKey {
  return { from: ids[edges.from[edge]!]!, to: ids[edges.to[edge]!]!, type: types[edges.type[edge]!]! };
}

/** The relations of these edges with all that is known of them, in this order. */
export async function readEdges(
  { store }: { store: Relations },
  space: SpaceId,
  keys: readonly RelationKey[],
): Promise<GraphRelation[]> {
  if (keys.length === 0) return [];
  const ends = { from: [...new Set(keys.map(({ from }) => from))], to: [...new Set(keys.map(({ to }) => to))] };
  const found = await store.relationsBetween(space, ends, passOver);
  const textOf = ({ from, to, type }: RelationKey): string => `${from} ${to} ${spellType(type)}`;
  const byKey = new Map(found.map((relation) => [textOf(relation), relation]));
  return keys.flatMap((key) => {
    const relation = byKey.get(textOf(key));
    return relation === undefined ? [] : [describeRelation(relation)];
  });
}
