import type { GraphNode, GraphRelation } from '../../../model/graph.ts';
import { cleanText } from '../../../model/hidden-characters.ts';
import { toIso } from '../../../model/instant.ts';
import { integer } from '../../../verbs/field.ts';
import { describeEdge } from '../graph-tool.ts';
import { tally } from './count-days.ts';
import type { ServiceCall, ServiceRoute } from './service-route.ts';
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

export const GRAPH_ROUTES: readonly ServiceRoute[] = [
  { at: 'GET /analytics/relationship-types', needs: 'read', handle: relationshipTypes },
  {
    at: 'GET /analytics/graph-visualization',
    needs: 'read',
    query: { limit: integer(1, 1000), min_connections: integer(1, 1000) },
    handle: visualise,
  },
];
