import { createFeedStates, type FeedStates } from '../../engine/feed-states.ts';
import type { StateSource } from '../../engine/keep-states.ts';
import type { Deletion, Records, Relations } from '../../engine/ports.ts';
import type { FeedEntry } from '../../model/change.ts';
import { passOver } from '../../model/damage.ts';
import type { RecordId, Sequence, SpaceId } from '../../model/ids.ts';
import type { RelationKey } from '../../model/relation.ts';
import {
  addRelation,
  bytesOf,
  compact,
  createGraph,
  dropEdges,
  markGone,
  type SpaceGraph,
} from '../../model/space-graph.ts';

/** The graphs of spaces that somebody asks about, kept beside the index. */
export type SpaceGraphs = FeedStates<SpaceGraph>;

const PAGE = 5000;
const MAX_BYTES = 128 * 1024 * 1024;

export function createSpaceGraphs({ store }: StateSource): SpaceGraphs {
  return createFeedStates(store, {
    load: (space, head) => load(store, space, head),
    apply: (space, graph, entries) => apply(store, space, { graph, entries }),
    bytesOf,
    maxBytes: MAX_BYTES,
  });
}

async function load(store: Records & Relations, space: SpaceId, head: Sequence): Promise<SpaceGraph> {
  const graph = createGraph(head);
  for (let after: RelationKey | null = null; ; ) {
    const page = await store.scanRelations(space, { after, limit: PAGE }, passOver);
    for (const relation of page) addRelation(graph, relation);
    if (page.length < PAGE) break;
    after = page.at(-1)!;
  }
  for (let after: Deletion | undefined; ; ) {
    const page = await store.listDeletions(space, { after, limit: PAGE });
    for (const { id } of page) if (graph.numbers.has(id)) markGone(graph, id, true);
    if (page.length < PAGE) return graph;
    after = page.at(-1)!;
  }
}

async function apply(
  store: Records & Relations,
  space: SpaceId,
  { graph, entries }: { graph: SpaceGraph; entries: readonly FeedEntry[] },
): Promise<void> {
  const changed = new Set<RecordId>();
  for (const { op, id } of entries) {
    if (op === 'related' || op === 'unrelated') changed.add(id);
    else if (op === 'deleted') markGone(graph, id, true);
    else if (op === 'restored') markGone(graph, id, false);
    else if (op === 'purged') dropEdges(graph, id, true);
  }
  if (changed.size === 0) return;
  const relations = await store.listRelations(space, [...changed], passOver);
  const known = graph.ids.length;
  for (const id of changed) dropEdges(graph, id);
  for (const relation of relations) if (changed.has(relation.from)) addRelation(graph, relation);
  compact(graph);
  const fresh = graph.ids.slice(known);
  if (fresh.length === 0) return;
  for (const { id, deletedAt } of await store.getRecords(space, fresh, passOver))
    markGone(graph, id, deletedAt !== null);
}
