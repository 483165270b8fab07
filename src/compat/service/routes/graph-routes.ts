import { EngineError } from '../../../model/errors.ts';
import type { GraphNode, GraphRelation } from '../../../model/graph.ts';
import { cleanText } from '../../../model/hidden-characters.ts';
import { toIso } from '../../../model/instant.ts';
import { integer, label } from '../../../verbs/field.ts';
import { describeConflict, listConflicts } from '../conflict-tools.ts';
import { describeEdge } from '../graph-tool.ts';
import { tally } from './count-days.ts';
import { problem, type ServiceCall, type ServiceRoute } from './service-route.ts';
import { surveyMemories } from './survey-memories.ts';

const PAGE = 1000;
/** So many relations are read for a picture that shows a few hundred. */
const MOST_READ = 100_000;

async function readRelations({ engine, caller }: ServiceCall) {
  const relations: GraphRelation[] = [];
  const nodes = new Map<string, GraphNode>();
  let cursor: string | null | undefined;
  while (cursor !== null && relations.length < MOST_READ) {
    const page = await engine.listRelations(caller, { limit: PAGE, ...(cursor !== undefined && { cursor }) });
    relations.push(...page.relations);
    for (const node of page.nodes) nodes.set(node.id, node);
    cursor = page.cursor;
  }
  return { relations, nodes };
}

async function relationshipTypes(call: ServiceCall): Promise<object> {
  const { relations } = await readRelations(call);
  return Object.fromEntries(tally(relations.map(({ type }) => type)));
}

async function visualise(call: ServiceCall): Promise<object> {
  const { limit = 100, min_connections: least = 1 } = call.query as { limit?: number; min_connections?: number };
  const { relations, nodes } = await readRelations(call);
  const qualities = new Map(
    (await surveyMemories(call)).map(({ id, quality, updatedAt }) => [id, { quality, updatedAt }]),
  );
  const shown = tally(relations.flatMap(({ from, to }) => [from, to]))
    .filter(([id, count]) => count >= least && nodes.has(id))
    .slice(0, limit);
  const isShown = new Set(shown.map(([id]) => id));
  const edges = relations.filter(({ from, to }) => isShown.has(from) && isShown.has(to));
  const hashes = new Map([...nodes].map(([id, { contentHash }]) => [id, contentHash]));
  return {
    nodes: shown.map(([id, connections]) => {
      const { contentHash, type, excerpt, tags, createdAt } = nodes.get(id)!;
      const known = qualities.get(id);
      return {
        ...{ id: contentHash, type, content: cleanText(excerpt).slice(0, 100), connections, tags },
        created_at: toIso(createdAt),
        updated_at: toIso(known?.updatedAt ?? createdAt),
        quality_score: known?.quality ?? null,
      };
    }),
    edges: edges.map((relation) => describeEdge(relation, hashes)),
    meta: { total_nodes: shown.length, total_edges: edges.length, min_connections: least, limit },
  };
}

async function conflicts(call: ServiceCall): Promise<object> {
  const found = await listConflicts(call);
  return { conflicts: found.map((conflict) => describeConflict(conflict, call)), count: found.length };
}

async function resolve({ engine, caller, body }: ServiceCall): Promise<object> {
  const { winner_hash: winner, loser_hash: loser } = body as { winner_hash: string; loser_hash: string };
  const { outcome } = await engine.resolveConflict(caller, { winner, loser }).catch((error: unknown) => {
    throw error instanceof EngineError ? problem(400, error.message) : error;
  });
  return { success: true, message: `Conflict resolved: ${outcome}`, winner_hash: winner, loser_hash: loser };
}

const hash = label(undefined, { isRequired: true });

export const GRAPH_ROUTES: readonly ServiceRoute[] = [
  { at: 'GET /conflicts', needs: 'read', handle: conflicts },
  {
    at: 'POST /conflicts/resolve',
    needs: 'write',
    body: { winner_hash: hash, loser_hash: hash },
    handle: resolve,
  },
  { at: 'GET /analytics/relationship-types', needs: 'read', handle: relationshipTypes },
  {
    at: 'GET /analytics/graph-visualization',
    needs: 'read',
    query: { limit: integer(1, 1000), min_connections: integer(1, 1000) },
    handle: visualise,
  },
];
