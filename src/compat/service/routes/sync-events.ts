import type { Memory } from '../../../features/memories/memory.ts';
import { toMemory } from '../../../features/memories/to-memory.ts';
import { EngineError } from '../../../model/errors.ts';
import type { Instant } from '../../../model/ids.ts';
import type { JsonObject } from '../../../model/json.ts';
import { isObject } from '../../../model/json-text.ts';
import { hashContent, type StoredRecord } from '../../../model/record.ts';
import { splitTags } from '../../../model/tags.ts';
import type { VerbContext } from '../../../verbs/verb.ts';
import { projectOfStore } from '../service-arguments.ts';
import { toSeconds, toServiceMemory } from '../service-memory.ts';
import { updateInService } from '../updating-tool.ts';
import { isTagsInput } from '../writing-arguments.ts';

/** As the service's replicas tell each other of one memory. */
export interface SyncEvent extends JsonObject {
  schema_version: number;
  event_id: string;
  op: 'create' | 'update_metadata' | 'delete';
  content_hash: string;
  agent_id: string;
  hlc_physical: number;
  hlc_logical: number;
  embedding_model: null;
  embedding_dim: null;
  payload: JsonObject;
}

const SCHEMA_VERSION = 1;
/** Where nobody has said which agent it was: an event without one is refused. */
const UNNAMED = 'unattributed';

/** A memory as it is, as an event that brings it about. Events of one state are the same, whenever they are made. */
function eventOfMemory(memory: Memory, context: VerbContext, supersededBy: string | null): SyncEvent {
  const { agent, contentHash, deletedAt, updatedAt, revision, id } = memory;
  const isGone = deletedAt !== null;
  const { content, memory_type, tags, created_at, updated_at, metadata } = toServiceMemory(memory, context);
  return {
    schema_version: SCHEMA_VERSION,
    event_id: `${id}-${revision}${isGone ? '-deleted' : ''}`,
    op: isGone ? 'delete' : 'create',
    content_hash: contentHash,
    agent_id: agent ?? UNNAMED,
    hlc_physical: deletedAt ?? updatedAt,
    hlc_logical: 0,
    embedding_model: null,
    embedding_dim: null,
    payload: (isGone
      ? { content_hash: contentHash, deleted_at: toSeconds(deletedAt) }
      : {
          content_hash: contentHash,
          content,
          memory_type,
          tags,
          created_at,
          updated_at,
          metadata,
          store: memory.project ?? 'default',
          superseded_by: supersededBy,
        }) as JsonObject,
  };
}

/** Of records as the feed has them; what took the place of one is named by its hash. */
export async function eventsOf(context: VerbContext, records: readonly StoredRecord[]): Promise<SyncEvent[]> {
  return eventsOfMemories(context, records.map(toMemory));
}

export async function eventsOfMemories(context: VerbContext, memories: readonly Memory[]): Promise<SyncEvent[]> {
  const replaced = memories.flatMap(({ supersededBy }) => supersededBy ?? []);
  const { memories: newer } =
    replaced.length === 0 ? { memories: [] } : await context.engine.getMemories(context.caller, { refs: replaced });
  const hashes = new Map(newer.map(({ id, contentHash }) => [id, contentHash]));
  return memories.map((memory) => eventOfMemory(memory, context, hashes.get(memory.supersededBy ?? '') ?? null));
}

export type Applied = 'applied' | 'skipped_duplicate' | 'failed';

interface Incoming {
  op: string;
  hash: string;
  agent: string;
  /** When it was done, by the clock of whoever did it. */
  at: Instant;
  payload: JsonObject;
}

/** null: it cannot be understood. */
export function readEvent(given: unknown): (Incoming & { id: string }) | null {
  if (!isObject(given)) return null;
  const { event_id: id, op, content_hash: hash, agent_id: agent, hlc_physical: at, payload } = given;
  if (typeof hash !== 'string' || typeof op !== 'string' || typeof at !== 'number') return null;
  return {
    id: String(id ?? ''),
    op,
    hash: hash.toLowerCase(),
    at,
    agent: typeof agent === 'string' ? agent.trim() : '',
    payload: isObject(payload) ? (payload as JsonObject) : {},
  };
}

/** The later of two states of a memory counts; the same event twice changes nothing. */
export async function applyEvent(context: VerbContext, event: Incoming): Promise<Applied> {
  const { engine, caller } = context;
  const live = (await engine.getMemories(caller, { refs: [event.hash] })).memories[0] ?? null;
  switch (event.op) {
    case 'create':
    case 'update':
      return live === null ? storeEvent(context, event) : changeByEvent(context, live, event);
    case 'update_metadata': {
      if (live === null) return 'skipped_duplicate';
      const { updates } = event.payload;
      return changeByEvent(context, live, {
        ...event,
        payload: isObject(updates) ? (updates as JsonObject) : event.payload,
      });
    }
    case 'delete':
      if (live === null || live.updatedAt > event.at) return 'skipped_duplicate';
      await engine.deleteMemories(caller, { refs: [live.id] });
      return 'applied';
    default:
      return 'failed';
  }
}

async function storeEvent(context: VerbContext, { hash, agent, at, payload }: Incoming): Promise<Applied> {
  const { engine, caller } = context;
  const { content, memory_type: type, tags, metadata, created_at: created, store } = payload;
  if (typeof content !== 'string' || content.trim() === '') return 'skipped_duplicate';
  if (hashContent(content) !== hash) return 'failed';
  const { items } = await engine.listMemories(caller, {
    filter: { contentHash: hash, deleted: 'only' },
    page: { limit: 1 },
  });
  if (items[0] !== undefined && (items[0].deletedAt ?? 0) > at) return 'skipped_duplicate';
  const project = projectOfStore(store);
  const out = await engine.storeMemory(caller, {
    content,
    tags: [...splitTags(isTagsInput(tags) ? tags : null)],
    onDuplicate: 'report' as const,
    ...(typeof type === 'string' && type !== '' && { type }),
    ...(isObject(metadata) && { metadata: metadata as JsonObject }),
    ...(agent !== UNNAMED && { agent }),
    ...(project !== undefined && { project }),
  });
  if (out.outcome !== 'stored') return 'skipped_duplicate';
  if (typeof created === 'number')
    await engine.updateMemory(caller, {
      ref: out.memory.id,
      createdAt: Math.round(created * 1000),
      preserveTimestamps: false,
    });
  await hideReplaced(context, out.memory, payload.superseded_by);
  return 'applied';
}

async function changeByEvent(context: VerbContext, live: Memory, { at, payload }: Incoming): Promise<Applied> {
  if (live.updatedAt >= at) return 'skipped_duplicate';
  const { tags, memory_type, metadata, superseded_by: replaced } = payload;
  const updates: JsonObject = {
    ...(tags !== undefined && { tags }),
    ...(typeof memory_type === 'string' && { memory_type }),
    ...(metadata !== undefined && { metadata }),
  };
  const { changed } = await updateInService(context, { hash: live.id, updates, preserves: false });
  const isHidden = await hideReplaced(context, live, replaced);
  return changed.length > 0 || isHidden ? 'applied' : 'skipped_duplicate';
}

/** Only where what took its place is here too. */
async function hideReplaced(context: VerbContext, memory: Memory, by: unknown): Promise<boolean> {
  const { engine, caller } = context;
  if (typeof by !== 'string' || memory.supersededBy !== null) return false;
  const winner = (await engine.getMemories(caller, { refs: [by] })).memories[0];
  if (winner === undefined || winner.supersededBy !== null || winner.id === memory.id) return false;
  await engine.resolveConflict(caller, {
    winner: winner.id,
    loser: memory.id,
    reason: 'superseded on another replica',
  });
  return true;
}

/** What it says of an event that cannot be done is told as `failed`; what the server could not do is its own fault. */
export function isRefusal(error: unknown): boolean {
  return error instanceof EngineError && error.code !== 'forbidden' && error.code !== 'unauthorized';
}
