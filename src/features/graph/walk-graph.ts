import { createStepper, type SpaceGraph, type Steps } from '../../model/space-graph.ts';

/** A node that was reached, over how many edges, and the last of them; -1 where the walk began. */
export interface Reached {
  node: number;
  distance: number;
  edge: number;
}

interface Bounds {
  maxHops: number;
  limit: number;
}

/** Everything within so many steps, the nearest first. The start is not among it. */
export function walkFrom(
  graph: SpaceGraph,
  start: number,
  { maxHops, limit, ...steps }: Steps & Bounds,
): { reached: Reached[]; more: boolean } {
  const step = createStepper(graph, steps);
  const seen = new Uint8Array(graph.ids.length);
  seen[start] = 1;
  const queue: Reached[] = [{ node: start, distance: 0, edge: -1 }];
  let more = false;
  for (let at = 0; at < queue.length; at++) {
    const { node, distance } = queue[at]!;
    if (distance === maxHops) break;
    step(node, (other, edge) => {
      if (seen[other] === 1) return;
      seen[other] = 1;
      if (queue.length <= limit) queue.push({ node: other, distance: distance + 1, edge });
      else more = true;
    });
  }
  return { reached: queue.slice(1), more };
}

/** The edges of a shortest way between two nodes, in order; null where there is none so short. Looked for from both ends at once. */
export function findPath(
  graph: SpaceGraph,
  [start, end]: readonly [number, number],
  { maxHops, ...steps }: Steps & Pick<Bounds, 'maxHops'>,
): number[] | null {
  if (start === end) return [];
  const backwards = steps.direction === 'both' ? 'both' : steps.direction === 'out' ? 'in' : 'out';
  const sides = [makeSide(graph, start, steps), makeSide(graph, end, { ...steps, direction: backwards })] as const;
  let hops = 0;
  while (hops < maxHops && sides.every(({ front }) => front.length > 0)) {
    const [near, far] = sides[0].front.length <= sides[1].front.length ? sides : [sides[1], sides[0]];
    const meeting = widen(near, far);
    hops++;
    if (meeting !== null) return [...trace(graph, sides[0], meeting).reverse(), ...trace(graph, sides[1], meeting)];
  }
  return null;
}

interface Side {
  step: ReturnType<typeof createStepper>;
  /** By node: 0 where it was not reached, START where the side began, else the edge over which it was reached, EDGE added. Made of zeros, it costs next to nothing. */
  over: Int32Array;
  front: number[];
}

const START = 1;
const EDGE = 2;

function makeSide(graph: SpaceGraph, start: number, steps: Steps): Side {
  const over = new Int32Array(graph.ids.length);
  over[start] = START;
  return { step: createStepper(graph, steps), over, front: [start] };
}

/** One step further; the node where it meets the other side, if it does. */
function widen(side: Side, other: Side): number | null {
  const next: number[] = [];
  let meeting: number | null = null;
  for (const node of side.front) {
    side.step(node, (reached, edge) => {
      if (meeting !== null || side.over[reached] !== 0) return;
      side.over[reached] = edge + EDGE;
      if (other.over[reached] !== 0) meeting = reached;
      next.push(reached);
    });
    if (meeting !== null) return meeting;
  }
  side.front = next;
  return null;
}

/** The edges from a node back to where the side began. */
function trace({ edges }: SpaceGraph, { over }: Side, from: number): number[] {
  const way: number[] = [];
  for (let node = from; over[node] !== START; ) {
    const edge = over[node]! - EDGE;
    way.push(edge);
    node = edges.from[edge] === node ? edges.to[edge]! : edges.from[edge]!;
  }
  return way;
}

/** All edges between these nodes that the steps follow, each once. */
export function edgesBetween(graph: SpaceGraph, nodes: readonly number[], steps: Steps): number[] {
  const step = createStepper(graph, { ...steps, direction: 'both' });
  const within = new Set(nodes);
  const found = new Set<number>();
  for (const node of nodes) step(node, (other, edge) => within.has(other) && found.add(edge));
  return [...found];
}

export interface InferredPair {
  from: number;
  to: number;
  distance: number;
}

/** Pairs that edges of one type join by way of others and not directly; those of one start, or of all. */
export function inferPairs(
  graph: SpaceGraph,
  starts: Iterable<number>,
  { maxHops, limit, ...steps }: Steps & Bounds,
): { pairs: InferredPair[]; more: boolean } {
  const pairs: InferredPair[] = [];
  const isSame = steps.types?.every((type) => graph.symmetric[graph.types.indexOf(type)] ?? false) ?? false;
  for (const from of starts) {
    const { reached } = walkFrom(graph, from, { ...steps, maxHops, limit });
    for (const { node: to, distance } of reached) {
      if (distance < 2 || (isSame && to < from)) continue;
      if (pairs.length === limit) return { pairs, more: true };
      pairs.push({ from, to, distance });
    }
  }
  return { pairs, more: false };
}

export interface Suggestion {
  node: number;
  /** Shared neighbours as a share of all that the one with fewer has. */
  confidence: number;
  shared: number[];
}

const MIN_SHARE = 0.3;

/** Nodes that have neighbours in common with this one and no edge to it, the likeliest first. */
export function suggestNodes(
  graph: SpaceGraph,
  node: number,
  { limit, ...steps }: Steps & { limit: number },
): Suggestion[] {
  const step = createStepper(graph, { ...steps, direction: 'both' });
  const neighboursOf = (of: number): Set<number> => {
    const found = new Set<number>();
    step(of, (other) => other !== of && found.add(other));
    return found;
  };
  const own = neighboursOf(node);
  const shared = new Map<number, number[]>();
  for (const near of own)
    for (const far of neighboursOf(near))
      if (far !== node && !own.has(far)) shared.set(far, [...(shared.get(far) ?? []), near]);
  return [...shared]
    .map(([other, common]) => {
      const fewer = Math.max(1, Math.min(own.size, neighboursOf(other).size));
      return { node: other, confidence: Math.min(1, common.length / fewer), shared: common };
    })
    .filter(({ confidence }) => confidence >= MIN_SHARE)
    .sort((a, b) => b.confidence - a.confidence || b.shared.length - a.shared.length || a.node - b.node)
    .slice(0, limit);
}
