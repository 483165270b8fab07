import type { RecordId, Sequence } from './ids.ts';
import { isEnded, isInferred, type Relation } from './relation.ts';
import { isSymmetric, spellType } from './relation-types.ts';

const NONE = -1;
const DEAD = 0;
const STATED = 1;
const INFERRED = 2;

/**
 * The relations of one space as numbers: nodes and edges are places in arrays, and the edges of a node are a list that runs through them. Adding one
 * and taking those of a node away costs no more than these edges.
 */
export interface SpaceGraph {
  /** Up to where the feed is in it. */
  head: Sequence;
  readonly ids: RecordId[];
  readonly numbers: Map<RecordId, number>;
  readonly types: string[];
  /** By type: whether it is the same in both directions. */
  readonly symmetric: boolean[];
  edges: Edges;
  edgeCount: number;
  deadEdges: number;
  nodes: Nodes;
}

interface Edges {
  from: Int32Array;
  to: Int32Array;
  nextOut: Int32Array;
  nextIn: Int32Array;
  type: Uint16Array;
  weight: Float32Array;
  state: Uint8Array;
}

interface Nodes {
  firstOut: Int32Array;
  firstIn: Int32Array;
  /** 1: deleted, and passed over. */
  gone: Uint8Array;
}

/** Which edges a walk follows. */
export interface Steps {
  /** Absent: all. */
  types?: readonly string[];
  /** Of directed ones; those that are the same in both directions are always followed. */
  direction: 'both' | 'out' | 'in';
  /** Inferred edges count from this confidence on. */
  minInferred: number;
}

/** One edge, seen from a node: the other end, and the edge's place. */
export type Visit = (node: number, edge: number) => void;

export function createGraph(head: Sequence): SpaceGraph {
  return {
    head,
    ids: [],
    numbers: new Map(),
    types: [],
    symmetric: [],
    edges: makeEdges(64),
    edgeCount: 0,
    deadEdges: 0,
    nodes: { firstOut: filled(64), firstIn: filled(64), gone: new Uint8Array(64) },
  };
}

function makeEdges(size: number): Edges {
  return {
    from: new Int32Array(size),
    to: new Int32Array(size),
    nextOut: new Int32Array(size),
    nextIn: new Int32Array(size),
    type: new Uint16Array(size),
    weight: new Float32Array(size),
    state: new Uint8Array(size),
  };
}

function filled(size: number): Int32Array {
  return new Int32Array(size).fill(NONE);
}

export function bytesOf({ edges, nodes, ids }: SpaceGraph): number {
  const arrays = [...Object.values(edges), ...Object.values(nodes)] as { byteLength: number }[];
  // An id as text, its place in the map and in the list.
  return arrays.reduce((sum, array) => sum + array.byteLength, 0) + ids.length * 120;
}

export function addRelation(graph: SpaceGraph, relation: Relation): void {
  if (isEnded(relation)) return;
  const { edges } = roomForEdge(graph);
  const edge = graph.edgeCount++;
  const [from, to] = [nodeOf(graph, relation.from), nodeOf(graph, relation.to)];
  edges.from[edge] = from;
  edges.to[edge] = to;
  edges.type[edge] = typeOf(graph, relation.type);
  edges.weight[edge] = relation.weight;
  edges.state[edge] = isInferred(relation) ? INFERRED : STATED;
  edges.nextOut[edge] = graph.nodes.firstOut[from]!;
  edges.nextIn[edge] = graph.nodes.firstIn[to]!;
  graph.nodes.firstOut[from] = edge;
  graph.nodes.firstIn[to] = edge;
}

/** Takes away all edges that begin at a record; `entirely`: those that end there too. */
export function dropEdges(graph: SpaceGraph, id: RecordId, entirely = false): void {
  const node = graph.numbers.get(id);
  if (node === undefined) return;
  const { edges, nodes } = graph;
  const drop = (edge: number): void => {
    if (edges.state[edge] === DEAD) return;
    edges.state[edge] = DEAD;
    graph.deadEdges++;
  };
  for (let edge = nodes.firstOut[node]!; edge !== NONE; edge = edges.nextOut[edge]!) drop(edge);
  nodes.firstOut[node] = NONE;
  if (!entirely) return;
  for (let edge = nodes.firstIn[node]!; edge !== NONE; edge = edges.nextIn[edge]!) drop(edge);
  nodes.firstIn[node] = NONE;
}

/** A deleted record is passed over until it is restored; one that has no relations needs no place. */
export function markGone(graph: SpaceGraph, id: RecordId, gone: boolean): void {
  const node = graph.numbers.get(id);
  if (node !== undefined) graph.nodes.gone[node] = gone ? 1 : 0;
}

/** Writes the arrays anew once most of what they hold is dead. */
export function compact(graph: SpaceGraph): void {
  if (graph.deadEdges < 1024 || graph.deadEdges * 2 < graph.edgeCount) return;
  const { edges: old, edgeCount } = graph;
  graph.edges = makeEdges(Math.max(64, edgeCount - graph.deadEdges));
  graph.nodes.firstOut.fill(NONE);
  graph.nodes.firstIn.fill(NONE);
  let next = 0;
  for (let edge = 0; edge < edgeCount; edge++) {
    if (old.state[edge] === DEAD) continue;
    for (const column of ['from', 'to', 'type', 'weight', 'state'] as const)
      graph.edges[column][next] = old[column][edge]!;
    const [from, to] = [old.from[edge]!, old.to[edge]!];
    graph.edges.nextOut[next] = graph.nodes.firstOut[from]!;
    graph.edges.nextIn[next] = graph.nodes.firstIn[to]!;
    graph.nodes.firstOut[from] = next;
    graph.nodes.firstIn[to] = next++;
  }
  graph.edgeCount = next;
  graph.deadEdges = 0;
}

/** Calls `visit` for each edge of a node that these steps follow, with the node at its other end. */
export function createStepper(graph: SpaceGraph, { types, direction, minInferred }: Steps) {
  const { edges, nodes, symmetric } = graph;
  const wanted =
    types === undefined
      ? null
      : new Set(types.map((type) => graph.types.indexOf(spellType(type))).filter((n) => n >= 0));
  const isFollowed = (edge: number, way: 'out' | 'in'): boolean => {
    const state = edges.state[edge];
    if (state === DEAD || (state === INFERRED && edges.weight[edge]! < minInferred)) return false;
    const type = edges.type[edge]!;
    return (wanted === null || wanted.has(type)) && (direction === 'both' || direction === way || symmetric[type]!);
  };
  return (node: number, visit: Visit): void => {
    for (let edge = nodes.firstOut[node]!; edge !== NONE; edge = edges.nextOut[edge]!) {
      const other = edges.to[edge]!;
      if (nodes.gone[other] === 0 && isFollowed(edge, 'out')) visit(other, edge);
    }
    for (let edge = nodes.firstIn[node]!; edge !== NONE; edge = edges.nextIn[edge]!) {
      const other = edges.from[edge]!;
      if (nodes.gone[other] === 0 && isFollowed(edge, 'in')) visit(other, edge);
    }
  };
}

function nodeOf(graph: SpaceGraph, id: RecordId): number {
  const known = graph.numbers.get(id);
  if (known !== undefined) return known;
  const node = graph.ids.push(id) - 1;
  graph.numbers.set(id, node);
  const { nodes } = graph;
  if (node >= nodes.gone.length) {
    const size = nodes.gone.length * 2;
    graph.nodes = {
      firstOut: grown(nodes.firstOut, filled(size)),
      firstIn: grown(nodes.firstIn, filled(size)),
      gone: grown(nodes.gone, new Uint8Array(size)),
    };
  }
  return node;
}

function typeOf(graph: SpaceGraph, name: string): number {
  const type = spellType(name);
  const known = graph.types.indexOf(type);
  if (known >= 0) return known;
  graph.symmetric.push(isSymmetric(type));
  return graph.types.push(type) - 1;
}

function roomForEdge(graph: SpaceGraph): SpaceGraph {
  const { edges, edgeCount } = graph;
  if (edgeCount < edges.state.length) return graph;
  const next = makeEdges(edgeCount * 2);
  for (const column of Object.keys(next) as (keyof Edges)[]) next[column].set(edges[column]);
  graph.edges = next;
  return graph;
}

function grown<A extends Int32Array | Uint8Array>(old: A, next: A): A {
  next.set(old);
  return next;
}
