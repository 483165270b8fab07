import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import { invalid } from '../../engine/records/check-text.ts';
import { edgeKey, readEdges, readNodes } from '../../engine/records/describe-graph.ts';
import { locate } from '../../engine/records/find-records.ts';
import type { Caller } from '../../model/caller.ts';
import {
  type Explored,
  type ExploreInput,
  GRAPH_ACTIONS,
  type GraphAction,
  type GraphNode,
  type ProposedPair,
} from '../../model/graph.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { readRelationType } from '../../model/relation-types.ts';
import { createStepper, type SpaceGraph, type Steps } from '../../model/space-graph.ts';
import { MIN_INFERRED, proposeRelations } from './propose-relations.ts';
import { createSpaceGraphs } from './space-graphs.ts';
import { edgesBetween, findPath, inferPairs, suggestNodes, walkFrom } from './walk-graph.ts';

/** Less sure ones are not worth a look. */
const MIN_SUGGESTED = 0.3;
const HOPS: Readonly<Record<GraphAction, number>> = { connected: 2, path: 10, subgraph: 2, infer: 3, suggest: 2 };
const MAX_HOPS = 50;
const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

interface Walk {
  graph: SpaceGraph;
  space: SpaceId;
  steps: Steps;
  maxHops: number;
  limit: number;
}

export async function exploreGraph(
  parts: EngineParts,
  caller: Caller,
  { asOf, ...input }: ExploreInput,
): Promise<Explored> {
  if (asOf === undefined) return explore(parts, caller, input);
  const { withPast } = await import('../../engine/past/search-as-of.ts');
  return withPast(parts, asOf, (past) => explore(past, caller, input));
}

async function explore(parts: EngineParts, caller: Caller, input: ExploreInput): Promise<Explored> {
  const { action = 'connected', direction = 'both', minConfidence = MIN_INFERRED } = input;
  const { maxHops = HOPS[action], limit = DEFAULT_LIMIT } = input;
  if (!GRAPH_ACTIONS.includes(action)) throw invalid('action', `must be one of ${GRAPH_ACTIONS.join(', ')}`);
  if (!(Number.isInteger(maxHops) && maxHops >= 1 && maxHops <= MAX_HOPS))
    throw invalid('max_hops', `must be a whole number from 1 to ${MAX_HOPS}`);
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT))
    throw invalid('limit', `must be a whole number from 1 to ${MAX_LIMIT}`);
  const types = input.types?.map(readRelationType);
  const steps: Steps = { types, direction, minInferred: minConfidence };
  const find = async (name: 'ref' | 'to'): Promise<StoredRecord> => {
    const ref = input[name];
    if (ref === undefined) throw invalid(name, `is needed for ${action}`);
    return locate(parts, caller, { ref, action: 'read', deleted: 'exclude' });
  };
  const start = action === 'infer' && input.ref === undefined ? null : await find('ref');
  const end = action === 'path' ? await find('to') : null;
  const space = start?.space ?? caller.space;
  authorize(caller, 'read', space);
  if (end !== null && end.space !== space) return nothing(action);
  const walk: Walk = { graph: await parts.state(createSpaceGraphs).fresh(space), space, steps, maxHops, limit };
  if (action === 'path') return showPath(parts, walk, [start!.id, end!.id]);
  if (action === 'infer') return showInferred(parts, walk, start?.id ?? null);
  if (action === 'suggest') return showSuggested(parts, walk, start!);
  return showNear(parts, walk, { action, id: start!.id });
}

function nothing(action: GraphAction): Explored {
  return { action, nodes: [], relations: [], path: null, pairs: [], more: false };
}

/** What is around a record: `connected` without it and with the edges that lead there, `subgraph` with it and all edges between. */
async function showNear(
  parts: EngineParts,
  { graph, space, steps, maxHops, limit }: Walk,
  { action, id }: { action: GraphAction; id: RecordId },
): Promise<Explored> {
  const node = graph.numbers.get(id);
  const isWhole = action === 'subgraph';
  const { reached, more } =
    node === undefined ? { reached: [], more: false } : walkFrom(graph, node, { ...steps, maxHops, limit });
  const places = new Map<RecordId, number | null>(isWhole ? [[id, 0]] : []);
  for (const each of reached) places.set(graph.ids[each.node]!, each.distance);
  const edges =
    isWhole && node !== undefined
      ? edgesBetween(graph, [node, ...reached.map((each) => each.node)], steps)
      : reached.map(({ edge }) => edge);
  const keys = edges.map((edge) => edgeKey(graph, edge));
  const relations = await readEdges(parts, space, keys);
  return { ...nothing(action), nodes: await readNodes(parts, space, places), relations, more };
}

async function showPath(
  parts: EngineParts,
  { graph, space, steps, maxHops }: Walk,
  [from, to]: readonly [RecordId, RecordId],
): Promise<Explored> {
  const ends = [graph.numbers.get(from), graph.numbers.get(to)] as const;
  const [start, end] = ends;
  const edges =
    from === to
      ? []
      : start === undefined || end === undefined
        ? null
        : findPath(graph, [start, end], { ...steps, maxHops });
  if (edges === null) return nothing('path');
  const path = [from];
  for (const edge of edges) {
    const key = edgeKey(graph, edge);
    path.push(key.from === path.at(-1) ? key.to : key.from);
  }
  const keys = edges.map((edge) => edgeKey(graph, edge));
  const places = new Map(path.map((id, distance) => [id, distance]));
  const relations = await readEdges(parts, space, keys);
  return { ...nothing('path'), path, nodes: await readNodes(parts, space, places), relations };
}

async function showInferred(
  parts: EngineParts,
  { graph, space, steps, maxHops, limit }: Walk,
  id: RecordId | null,
): Promise<Explored> {
  const { types = ['related'], ...rest } = steps;
  const [type] = types;
  if (type === undefined || types.length > 1) throw invalid('types', 'must name one type for infer');
  const start = id === null ? null : graph.numbers.get(id);
  const starts = start === null ? graph.ids.keys() : start === undefined ? [] : [start];
  const wanted: Steps = { ...rest, types: [type], direction: 'out' };
  const { pairs, more } = inferPairs(graph, starts, { ...wanted, maxHops: Math.max(2, maxHops), limit });
  const found = pairs.map(({ from, to, distance }): ProposedPair => {
    const reason = `${distance} relations of type ${type} lead from one to the other`;
    return { from: graph.ids[from]!, to: graph.ids[to]!, type, confidence: null, distance, reason };
  });
  return { ...nothing('infer'), pairs: found, more, nodes: await nodesOf(parts, space, found) };
}

/** What has neighbours in common with it, then what is near it in words, meaning or what it mentions. */
async function showSuggested(
  parts: EngineParts,
  { graph, space, steps, limit }: Walk,
  record: StoredRecord,
): Promise<Explored> {
  const { id } = record;
  const node = graph.numbers.get(id);
  const common = (node === undefined ? [] : suggestNodes(graph, node, { ...steps, limit })).map(
    (each): ProposedPair => {
      const count = each.shared.length;
      const reason = `${count} ${count === 1 ? 'record is' : 'records are'} related to both`;
      const { confidence } = each;
      return { from: id, to: graph.ids[each.node]!, type: 'related', confidence, distance: 2, reason };
    },
  );
  const joined = new Set(common.map(({ to }) => to));
  if (node !== undefined)
    createStepper(graph, { direction: 'both', minInferred: 0 })(node, (other) => joined.add(graph.ids[other]!));
  const near = (await proposeRelations(parts, space, [record]))
    .filter(({ from, to, confidence }) => confidence >= MIN_SUGGESTED && !joined.has(from === id ? to : from))
    .map((each): ProposedPair => ({ ...each, distance: null }));
  const found = [...common, ...near].slice(0, limit);
  return { ...nothing('suggest'), pairs: found, nodes: await nodesOf(parts, space, found) };
}

function nodesOf(parts: EngineParts, space: SpaceId, pairs: readonly ProposedPair[]): Promise<GraphNode[]> {
  return readNodes(parts, space, new Map(pairs.flatMap(({ from, to }) => [from, to]).map((id) => [id, null])));
}
