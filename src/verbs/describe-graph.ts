import type { GraphNode, GraphRelation } from '../model/graph.ts';
import { cleanText } from '../model/hidden-characters.ts';
import { toIso } from '../model/instant.ts';
import { describeOlder } from './describe-memory.ts';
import { describeOrigin, type Reader } from './describe-origin.ts';

/** A record of the graph as agents see it: what is usual is left out. */
export function describeGraphNode(node: GraphNode, reader: Reader) {
  const { id, kind, type, project, excerpt, whole, distance, supersededBy } = node;
  const title = cleanText(node.title);
  return {
    id,
    kind: kind === 'memory' ? undefined : kind,
    type,
    project: project ?? undefined,
    title,
    excerpt: excerpt.trim() === title ? undefined : excerpt,
    whole: whole ? undefined : false,
    distance: distance ?? undefined,
    age: describeOlder(node.createdAt, reader.now),
    superseded_by: supersededBy ?? undefined,
    ...describeOrigin(node, reader),
  };
}

export function describeGraphRelation(relation: GraphRelation): Record<string, unknown> {
  const { from, to, type, isSymmetric, confidence, status, note, reason, agent, createdAt, endedAt } = relation;
  return {
    from,
    to,
    type,
    symmetric: isSymmetric || undefined,
    confidence: confidence === 1 ? undefined : confidence,
    status: status === 'stated' ? undefined : status,
    note: note ?? undefined,
    reason: reason ?? undefined,
    agent: agent ?? undefined,
    created_at: toIso(createdAt),
    ended_at: endedAt === null ? undefined : toIso(endedAt),
  };
}
