import type { FeedEntry } from '../../model/change.ts';
import { passOver } from '../../model/damage.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { RelationKey } from '../../model/relation.ts';
import type { Deletion, Store } from '../ports.ts';
import { addRelation, bytesOf, compact, createGraph, dropEdges, markGone, type SpaceGraph } from './space-graph.ts';

/** The graphs of spaces that somebody asks about, kept beside the index. Nothing of them is stored: they are read from the relations again. */
export interface SpaceGraphs {
  /** As of the feed's head at some moment after this call. Must not be kept over anything that waits. */
  fresh(space: SpaceId): Promise<SpaceGraph>;
  discard(space: SpaceId): void;
}

const PAGE = 5000;
const FEED_PAGE = 500;
/** All graphs together; the least recently used go first. */
const MAX_BYTES = 128 * 1024 * 1024;

export function createSpaceGraphs(store: Store): SpaceGraphs {
  /** In order of use, the least recent first. */
  const graphs = new Map<SpaceId, SpaceGraph>();
  const running = new Map<SpaceId, Promise<SpaceGraph>>();
  const refresh = async (space: SpaceId): Promise<SpaceGraph> => {
    const known = graphs.get(space);
    const graph = known !== undefined && (await catchUp(store, space, known)) ? known : await load(store, space);
    graphs.delete(space);
    graphs.set(space, graph);
    let bytes = [...graphs.values()].reduce((sum, one) => sum + bytesOf(one), 0);
    for (const [other, one] of graphs) {
      if (bytes <= MAX_BYTES || other === space) break;
      graphs.delete(other);
      bytes -= bytesOf(one);
    }
    return graph;
  };
  return {
    fresh(space) {
      // One after the other: a refresh that began before this call may have missed what its caller has just written.
      const next = (running.get(space) ?? Promise.resolve())
        .catch(() => undefined)
        .then(() => refresh(space))
        .finally(() => running.get(space) === next && running.delete(space));
      running.set(space, next);
      return next;
    },
    discard: (space) => void graphs.delete(space),
  };
}

async function load(store: Store, space: SpaceId): Promise<SpaceGraph> {
  const graph = createGraph(await store.head(space));
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

/** False where the feed is no longer kept as far back, or is another one: the graph is read anew. */
async function catchUp(store: Store, space: SpaceId, graph: SpaceGraph): Promise<boolean> {
  const head = await store.head(space);
  if (head === graph.head) return true;
  if (head < graph.head || (await store.prunedTo(space)) > graph.head) return false;
  while (graph.head < head) {
    const entries = await store.changesAfter(space, graph.head, FEED_PAGE);
    const last = entries.at(-1);
    if (last === undefined) return false;
    await apply(store, space, { graph, entries });
    graph.head = last.seq;
  }
  compact(graph);
  return true;
}

async function apply(
  store: Store,
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
  const fresh = graph.ids.slice(known);
  if (fresh.length === 0) return;
  for (const { id, deletedAt } of await store.getRecords(space, fresh, passOver))
    markGone(graph, id, deletedAt !== null);
}
