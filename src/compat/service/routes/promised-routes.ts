import { defined } from '../../../model/defined.ts';
import { label, text } from '../../../verbs/field.ts';
import { describeEdge } from '../graph-tool.ts';
import { TRIGGERED, trigger } from './consolidation-routes.ts';
import { listTags, readMemory, UPDATED, update } from './memory-routes.ts';
import { type CallWith, defineRoute, type ServiceCall, type ServiceRoute } from './service-route.ts';
import { detailed } from './state-routes.ts';

const MOST = 1000;

/** The relations of a memory, each with the other end. */
async function listAssociations(call: ServiceCall): Promise<object> {
  const { engine, caller } = call;
  const memory = await readMemory(call, call.params.hash ?? '');
  const { relations, nodes } = await engine.listRelations(caller, { ref: memory.id, limit: MOST });
  const hashes = new Map([
    [memory.id, memory.contentHash],
    ...nodes.map(({ id, contentHash }) => [id, contentHash] as const),
  ]);
  const associations = relations.map((relation) => describeEdge(relation, hashes));
  return { content_hash: memory.contentHash, associations, count: associations.length };
}

const RELATED = {
  source_hash: label(undefined, { isRequired: true }),
  target_hash: label(undefined, { isRequired: true }),
  relationship_type: label(),
  similarity: { type: 'number', min: 0, max: 1 },
  note: text(undefined, { max: 1000 }),
} as const;

async function relate({ engine, caller, body }: CallWith<{ body: typeof RELATED }>): Promise<object> {
  const { source_hash: from, target_hash: to, relationship_type: type, similarity: confidence, note } = body;
  const { outcome } = await engine.relate(caller, { from, to, ...defined({ type, confidence, note }) });
  return { success: true, message: `Association ${outcome}`, source_hash: from, target_hash: to };
}

async function readStatistics(call: ServiceCall): Promise<object> {
  const { statistics } = await detailed(call);
  return statistics ?? {};
}

/** What the guides of the service tell people to call, and what it has never had. */
export const PROMISED_ROUTES: readonly ServiceRoute[] = [
  defineRoute({ at: 'GET /memories/tags', needs: 'read', handle: listTags }),
  defineRoute({ at: 'PATCH /memories/{hash}', needs: 'write', body: UPDATED, handle: update }),
  defineRoute({ at: 'GET /stats', needs: 'read', handle: readStatistics }),
  defineRoute({ at: 'POST /consolidation/run', needs: 'write', body: TRIGGERED, handle: trigger }),
  defineRoute({ at: 'GET /graph/associations/{hash}', needs: 'read', handle: listAssociations }),
  defineRoute({ at: 'POST /graph/associations', needs: 'write', body: RELATED, handle: relate }),
];
