import { EngineError } from '../../model/errors.ts';
import type { Explored, GraphNode, GraphRelation } from '../../model/graph.ts';
import { cleanText } from '../../model/hidden-characters.ts';
import { toIso } from '../../model/instant.ts';
import { describeOrigin, noticesOfTrust, type Reader } from '../../verbs/describe-origin.ts';
import { choice, integer, label } from '../../verbs/field.ts';
import { defineServiceTool, documentAnswer, type ToolContext } from './define-service-tool.ts';

const ACTIONS = ['connected', 'path', 'subgraph', 'infer', 'suggest'] as const;
const MOST_NODES = 500;

interface GraphArguments {
  action: (typeof ACTIONS)[number];
  hash?: string;
  hash1?: string;
  hash2?: string;
  max_hops?: number;
  max_depth?: number;
  radius?: number;
  rel_type?: string;
}

export const memoryGraph = defineServiceTool<GraphArguments>({
  name: 'memory_graph',
  title: 'Memory Graph',
  text: 'Walk the relations between memories: connected, path, subgraph, infer (indirect pairs of rel_type), suggest.',
  action: 'read',
  listed: {
    action: { ...choice(ACTIONS), isRequired: true },
    hash: label(),
    hash1: label(),
    hash2: label(),
    max_hops: integer(1, 50),
    max_depth: integer(1, 50, 'Most memories on a path'),
    radius: integer(1, 50),
    rel_type: label(),
  },
  defaults: { max_hops: 2, max_depth: 5, radius: 2 },
  output: { success: 'boolean', count: 'number', length: 'number', node_count: 'number', edge_count: 'number' },
  async run(context, args) {
    const walked = await ANSWERS[args.action](context, args);
    return documentAnswer({ success: true, ...walked.document }, { notices: noticesOfTrust(walked.nodes) });
  },
});

interface Walked {
  document: Record<string, unknown>;
  nodes: readonly GraphNode[];
}

type Answer = (context: ToolContext, args: GraphArguments) => Promise<Walked>;

const ANSWERS: Readonly<Record<GraphArguments['action'], Answer>> = {
  async connected({ engine, caller, now }, { hash, max_hops: maxHops = 2 }) {
    const found = await engine.exploreGraph(caller, {
      action: 'connected',
      ref: need('hash', hash),
      maxHops,
      limit: MOST_NODES,
    });
    const connected = found.nodes.map((node) => ({ ...describeNode(node, { caller, now }), distance: node.distance }));
    return { document: { connected, count: connected.length }, nodes: found.nodes };
  },

  async path({ engine, caller, now }, { hash1, hash2, max_depth: most = 5 }) {
    const found = await engine.exploreGraph(caller, {
      action: 'path',
      ref: need('hash1', hash1),
      to: need('hash2', hash2),
      maxHops: Math.max(1, most - 1),
    });
    const hashes = hashesOf(found);
    const path = found.path?.map((id) => hashes.get(id)!) ?? null;
    const message = path === null ? 'No path found between these memories' : undefined;
    const shown = found.nodes.map((node) => describeNode(node, { caller, now }));
    const told = { path, length: path?.length ?? 0, ...(message && { message }), ...(path && { memories: shown }) };
    return { document: told, nodes: found.nodes };
  },

  async subgraph({ engine, caller, now }, { hash, radius = 2 }) {
    const found = await engine.exploreGraph(caller, {
      action: 'subgraph',
      ref: need('hash', hash),
      maxHops: radius,
      limit: MOST_NODES,
    });
    const hashes = hashesOf(found);
    const edges = found.relations.map((relation) => describeEdge(relation, hashes));
    const memories = found.nodes.map((node) => describeNode(node, { caller, now }));
    const nodes = found.nodes.map(({ contentHash }) => contentHash);
    return {
      document: { nodes, edges, node_count: nodes.length, edge_count: edges.length, memories },
      nodes: found.nodes,
    };
  },

  async infer({ engine, caller }, { hash, rel_type: type = 'related', max_hops: hops = 2 }) {
    const maxHops = Math.min(4, Math.max(2, hops));
    const found = await engine.exploreGraph(caller, {
      action: 'infer',
      types: [type],
      maxHops,
      limit: MOST_NODES,
      ...(hash !== undefined && { ref: hash }),
    });
    const hashes = hashesOf(found);
    const inferred = found.pairs.map(({ from, to, distance, reason }) => ({
      source: hashes.get(from),
      target: hashes.get(to),
      distance,
      reason,
    }));
    return { document: { inferred, count: inferred.length }, nodes: [] };
  },

  async suggest({ engine, caller }, { hash }) {
    const found = await engine.exploreGraph(caller, { action: 'suggest', ref: need('hash', hash), limit: 10 });
    const hashes = hashesOf(found);
    const isItself = (id: string): boolean => id === hash || hashes.get(id) === hash?.toLowerCase();
    const suggestions = found.pairs.map(({ from, to, type, confidence, reason }) => ({
      target: hashes.get(isItself(to) ? from : to),
      type,
      confidence,
      shared_neighbors: Number(/^\d+(?= records? )/.exec(reason)?.[0] ?? 0),
      reason,
    }));
    return { document: { suggestions, count: suggestions.length }, nodes: [] };
  },
};

function need(name: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new EngineError('invalid_input', `${name} is required for this action.`, { details: { field: name } });
}

function hashesOf({ nodes }: Pick<Explored, 'nodes'>): ReadonlyMap<string, string> {
  return new Map(nodes.map(({ id, contentHash }) => [id, contentHash]));
}

/** With what it says: the service gives hashes alone. */
function describeNode(node: GraphNode, reader: Reader): Record<string, unknown> {
  const { contentHash, excerpt, type } = node;
  return { hash: contentHash, memory_type: type, content: cleanText(excerpt), ...describeOrigin(node, reader) };
}

export function describeEdge(relation: GraphRelation, hashes: ReadonlyMap<string, string>): Record<string, unknown> {
  const { from, to, type, confidence, status, note, reason, createdAt } = relation;
  return {
    source: hashes.get(from) ?? from,
    target: hashes.get(to) ?? to,
    similarity: confidence,
    connection_types: [status],
    metadata: { ...(note !== null && { note }), ...(reason !== null && { reason }) },
    relationship_type: type,
    created_at: toIso(createdAt),
  };
}
