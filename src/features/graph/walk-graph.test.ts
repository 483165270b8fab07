import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addRelation, compact, createGraph, dropEdges, type SpaceGraph } from '../../model/space-graph.ts';
import { findPath, walkFrom } from './walk-graph.ts';

const STEPS = { direction: 'both', minInferred: 0 } as const;

/** As many edges between random nodes; the same numbers each time. */
function makeLarge(nodes: number, edges: number): SpaceGraph {
  let seed = 7;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const graph = createGraph(0);
  for (let i = 0; i < edges; i++) {
    const [from, to] = [`n${random(nodes)}`, `n${random(nodes)}`];
    addRelation(graph, { from, to, type: i % 3 === 0 ? 'causes' : 'related', weight: 1, body: {}, createdAt: 0 });
  }
  return graph;
}

/** The shortest distance by the plainest means: lists of names in a map. */
function plainDistance(neighbours: ReadonlyMap<string, readonly string[]>, from: string, to: string): number | null {
  const distances = new Map([[from, 0]]);
  const queue = [from];
  for (const name of queue) {
    if (name === to) return distances.get(name)!;
    for (const other of neighbours.get(name) ?? [])
      if (!distances.has(other)) {
        distances.set(other, distances.get(name)! + 1);
        queue.push(other);
      }
  }
  return null;
}

const cpu = (work: () => unknown): number => {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
};

test('a path over 100,000 edges is a shortest one, and takes a small part of what a plain search over names takes', () => {
  const graph = makeLarge(50_000, 100_000);
  const neighbours = new Map<string, string[]>();
  for (let edge = 0; edge < graph.edgeCount; edge++) {
    const [a, b] = [graph.ids[graph.edges.from[edge]!]!, graph.ids[graph.edges.to[edge]!]!];
    for (const [one, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const known = neighbours.get(one) ?? [];
      known.push(other);
      neighbours.set(one, known);
    }
  }
  const pairs = Array.from({ length: 6 }, (_, i) => [`n${i * 997}`, `n${i * 1999 + 5}`] as const).filter(
    ([a, b]) => graph.numbers.has(a) && graph.numbers.has(b),
  );
  const path = ([a, b]: readonly [string, string]) =>
    findPath(graph, [graph.numbers.get(a)!, graph.numbers.get(b)!], { ...STEPS, maxHops: 50 });
  for (const pair of pairs) assert.equal(path(pair)?.length ?? null, plainDistance(neighbours, ...pair));
  const ratios = Array.from({ length: 2 }, () => {
    const plain = cpu(() => pairs.map((pair) => plainDistance(neighbours, ...pair)));
    return cpu(() => pairs.map(path)) / plain;
  });
  assert.ok(Math.min(...ratios) < 0.25, `${Math.min(...ratios)} of the plain way`);
});

test('what was taken away is gone after the arrays were written anew, and the rest is as it was', () => {
  const graph = makeLarge(2000, 8000);
  const around = (name: string) =>
    new Set(
      walkFrom(graph, graph.numbers.get(name)!, { ...STEPS, maxHops: 1, limit: 9999 }).reached.map(({ node }) => node),
    );
  const kept = around('n1');
  for (let i = 2; i < 1500; i++) {
    kept.delete(graph.numbers.get(`n${i}`)!);
    dropEdges(graph, `n${i}`, true);
  }
  const before = graph.edgeCount;
  compact(graph);
  assert.ok(graph.edgeCount < before);
  assert.deepEqual([...around('n1')].toSorted(), [...kept].toSorted());
});
