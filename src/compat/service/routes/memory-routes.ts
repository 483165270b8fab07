import type { Memory } from '../../../features/memories/memory.ts';
import { EngineError } from '../../../model/errors.ts';
import { listMemoryTypes } from '../../../model/memory-types.ts';
import { splitTags } from '../../../model/tags.ts';
import { choice, integer, label, text } from '../../../verbs/field.ts';
import { listPage } from '../listing-tools.ts';
import { FOUND_KINDS, withChunks } from '../search-in-service.ts';
import { projectOfStore, projectToStoreIn } from '../service-arguments.ts';
import { toServiceMemory } from '../service-memory.ts';
import { storeInService } from '../store-in-service.ts';
import { readTurns, storeSession } from '../store-session.ts';
import { updateInService } from '../updating-tool.ts';
import { isTagsInput } from '../writing-arguments.ts';
import { type CallWith, defineRoute, invalid, problem, type ServiceCall, type ServiceRoute } from './service-route.ts';

const tagged = { type: 'tags' } as const;
const described = { type: 'json' } as const;
const STORED = {
  content: text(undefined, { isVerbatim: true, isRequired: true }),
  tags: tagged,
  memory_type: label(),
  metadata: described,
  client_hostname: label(),
  conversation_id: label(),
  store: label(),
  agent_id: label(),
};
const LISTED = {
  page: integer(1, 1_000_000),
  page_size: integer(1, 100),
  tag: text(undefined, { max: 20_000 }),
  tags: text(undefined, { max: 20_000 }),
  memory_type: label(),
  tag_match: choice(['any', 'all']),
  store: label(),
};
const HASHES = { page: integer(1, 1_000_000), page_size: integer(1, 1000) };
export const UPDATED = { tags: tagged, memory_type: label(), metadata: described };
const SESSION = {
  turns: { type: 'any', isRequired: true },
  session_id: label(),
  tags: tagged,
  metadata: described,
  store: label(),
} as const;

async function store(call: CallWith<{ body: typeof STORED }>): Promise<object> {
  const { content, tags, memory_type: type, metadata = {}, ...rest } = call.body;
  if (content.trim() === '') throw invalid('body', 'content', 'content must not be empty.');
  const { tags: inner, ...kept } = metadata;
  const stored = await storeInService(call, call.settings, {
    content,
    type,
    conversation: rest.conversation_id,
    host: rest.client_hostname,
    metadata: kept,
    agent: rest.agent_id,
    project: projectToStoreIn(rest.store),
    tags: [...splitTags(tags), ...splitTags(isTagsInput(inner) ? inner : null)],
  });
  if (stored.outcome === 'refused')
    return { success: false, message: stored.reason, content_hash: stored.memory?.contentHash ?? null, memory: null };
  const { memory, chunks, warnings } = stored;
  const first = chunks[0] ?? memory;
  const how = chunks.length > 1 ? `Memory stored as ${chunks.length} chunks` : 'Memory stored successfully';
  return {
    success: true,
    message: [how, ...warnings].join('\n'),
    content_hash: first.contentHash,
    memory: toServiceMemory(first, call),
  };
}

async function list(call: CallWith<{ query: typeof LISTED }>): Promise<object> {
  const { page = 1, page_size: size = 10, tag, memory_type: type, tag_match: tagMatch } = call.query;
  const types = type === undefined ? undefined : [type];
  const { memories, total } = await listPage(call, {
    page,
    size,
    tags: tag ?? call.query.tags,
    tagMatch,
    types,
    project: projectOfStore(call.query.store),
  });
  return {
    memories: memories.map((memory) => toServiceMemory(memory, call)),
    total,
    page,
    page_size: size,
    has_more: page * size < total,
  };
}

/** Throws 404 where there is none. */
export async function readMemory({ engine, caller }: ServiceCall, hash: string): Promise<Memory> {
  const { memories } = await engine.getMemories(caller, { refs: [hash] });
  if (memories[0] === undefined) throw problem(404, 'Memory not found');
  return memories[0];
}

/** A passage of a document too, by the hash that a search has shown. */
async function get(call: ServiceCall): Promise<object> {
  const hash = call.params.hash ?? '';
  const filter = { contentHash: hash, kinds: FOUND_KINDS, includeSuperseded: true };
  const { items } = await call.engine.listMemories(call.caller, { filter, page: { limit: 1 } });
  const [memory] = await withChunks(call, [items[0] ?? (await readMemory(call, hash))]);
  return toServiceMemory(memory!, call);
}

export async function update(call: CallWith<{ body: typeof UPDATED }>): Promise<object> {
  const memory = await readMemory(call, call.params.hash ?? '');
  const { memory: updated, changed } = await updateInService(call, {
    hash: memory.id,
    updates: { ...call.body },
  });
  const message = changed.length === 0 ? 'Nothing to change' : `Updated fields: ${changed.join(', ')}`;
  return { success: true, message, content_hash: updated.contentHash, memory: toServiceMemory(updated, call) };
}

async function remove({ engine, caller, params }: ServiceCall): Promise<object> {
  const hash = params.hash ?? '';
  const { count } = await engine.deleteMemories(caller, { refs: [hash] });
  if (count === 0) throw problem(404, 'Memory not found');
  return { success: true, message: 'Memory deleted successfully', content_hash: hash };
}

async function listHashes({ engine, caller, query }: CallWith<{ query: typeof HASHES }>): Promise<object> {
  const { page = 1, page_size: size = 1000 } = query;
  const { items, total } = await engine.listMemories(caller, { page: { limit: size, offset: (page - 1) * size } });
  return { hashes: items.map(({ contentHash }) => contentHash), total, page, page_size: size };
}

async function storeTurns(call: CallWith<{ body: typeof SESSION }>): Promise<object> {
  const { turns, session_id: sessionId, tags, metadata } = call.body;
  const project = projectToStoreIn(call.body.store);
  const given = { turns: readList(turns), sessionId, tags, metadata, project };
  const done = await storeSession(call, call.settings, given, 0).catch((error: unknown) => {
    throw error instanceof EngineError && error.code === 'invalid_input'
      ? invalid('body', 'turns', error.message)
      : error;
  });
  return {
    success: done.refusal === null,
    message: done.refusal ?? 'Session stored successfully',
    session_id: done.sessionId,
    content_hash: done.memories[0]?.contentHash ?? null,
    turn_count: done.turns,
  };
}

function readList(turns: unknown) {
  try {
    return readTurns(turns);
  } catch (error) {
    throw error instanceof EngineError ? invalid('body', 'turns', error.message) : error;
  }
}

export async function listTags({ engine, caller }: ServiceCall): Promise<object> {
  return { tags: (await engine.countLabels(caller, 'tag')).map(({ value, count }) => ({ tag: value, count })) };
}

export const MEMORY_ROUTES: readonly ServiceRoute[] = [
  defineRoute({
    at: 'POST /memories',
    needs: 'write',
    body: STORED,
    handle: store,
  }),
  defineRoute({
    at: 'GET /memories',
    needs: 'read',
    query: LISTED,
    handle: list,
  }),
  defineRoute({
    at: 'GET /memories/hashes',
    needs: 'read',
    query: HASHES,
    handle: listHashes,
  }),
  defineRoute({ at: 'GET /memories/{hash}', needs: 'read', handle: get }),
  defineRoute({
    at: 'PUT /memories/{hash}',
    needs: 'write',
    body: UPDATED,
    handle: update,
  }),
  defineRoute({ at: 'DELETE /memories/{hash}', needs: 'write', handle: remove }),
  defineRoute({
    at: 'GET /tags',
    needs: 'read',
    handle: listTags,
  }),
  defineRoute({
    at: 'GET /types',
    needs: 'read',
    handle: async ({ settings }) => [...listMemoryTypes(settings.memoryTypes)],
  }),
  defineRoute({
    at: 'POST /sessions',
    needs: 'write',
    body: SESSION,
    handle: storeTurns,
  }),
];
