import { EngineError } from '../../../model/errors.ts';
import type { GraphNode, GraphRelation } from '../../../model/graph.ts';
import { cleanText } from '../../../model/hidden-characters.ts';
import { toIso } from '../../../model/instant.ts';
import { integer, label } from '../../../verbs/field.ts';
import { describeConflict, listConflicts } from '../conflict-tools.ts';
import { describeEdge } from '../graph-tool.ts';
import { tally } from './count-days.ts';
import { type CallWith, defineRoute, problem, type ServiceCall, type ServiceRoute } from './service-route.ts';
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

const IN_PICTURE = { limit: integer(1, 1000), min_connections: integer(1, 1000) };

async function visualise(call: CallWith<{ query: typeof IN_PICTURE }>): Promise<object> {
  const { limit = 100, min_connections: least = 1 } = call.query;
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
        id: contentHash,
        type,
        content: cleanText(excerpt).slice(0, 100),
        connections,
        tags,
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

const hash = label(undefined, { isRequired: true });
const RESOLVED = { winner_hash: hash, loser_hash: hash };

async function resolve({ engine, caller, body }: CallWith<{ body: typeof RESOLVED }>): Promise<object> {
  const { winner_hash: winner, loser_hash: loser } = body;
  const { outcome } = await engine.resolveConflict(caller, { winner, loser }).catch((error: unknown) => {
    throw error instanceof EngineError ? problem(400, error.message) : error;
  });
  return { success: true, message: `Conflict resolved: ${outcome}`, winner_hash: winner, loser_hash: loser };
}

export const GRAPH_ROUTES: readonly ServiceRoute[] = [
  defineRoute({ at: 'GET /conflicts', needs: 'read', handle: conflicts }),
  defineRoute({
    at: 'POST /conflicts/resolve',
    needs: 'write',
    body: RESOLVED,
    handle: resolve,
  }),
  defineRoute({ at: 'GET /analytics/relationship-types', needs: 'read', handle: relationshipTypes }),
  defineRoute({
    at: 'GET /analytics/graph-visualization',
    needs: 'read',
    query: IN_PICTURE,
    handle: visualise,
  }),
];
