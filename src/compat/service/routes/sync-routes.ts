import { hashContent } from '../../../model/record.ts';
import { VERSION } from '../../../model/version.ts';
import { choice, integer } from '../../../verbs/field.ts';
import { type CallWith, defineRoute, problem, type ServiceCall, type ServiceRoute } from './service-route.ts';
import { applyEvent, eventsOf, eventsOfMemories, isRefusal, readEvent, type SyncEvent } from './sync-events.ts';

const PROTOCOL = 1;

async function capabilities({ engine, caller }: ServiceCall): Promise<object> {
  const { embedder } = await engine.checkHealth(caller);
  return {
    sync_protocol: PROTOCOL,
    sync_protocol_min: PROTOCOL,
    event_schema_version: 1,
    embedding_model: embedder?.id ?? 'none',
    embedding_dimension: embedder?.dimensions ?? 0,
    version: VERSION,
  };
}

/** With whom this database is exchanged stands beside the words of a service without its hybrid backend. */
async function status({ engine, caller }: ServiceCall): Promise<object> {
  const links = await engine.listLinks(caller);
  return {
    is_hybrid: false,
    is_running: false,
    is_paused: false,
    status: 'not_hybrid',
    last_sync_time: 0,
    operations_pending: 0,
    operations_processed: 0,
    operations_failed: 0,
    consecutive_failures: 0,
    sync_interval_seconds: 0,
    time_since_last_sync_seconds: 0,
    next_sync_eta_seconds: 0,
    delta_sync_peers: links.map(({ name }) => ({ peer: name })),
  };
}

const notHybrid = async (): Promise<never> => {
  throw problem(404, 'There is one database here and nothing to sync with: see docs/memory-service.md.');
};

const IN_FEED = { since_seq: integer(0, Number.MAX_SAFE_INTEGER), limit: integer(1, 1000) };
const MOST_WAITED_MS = 10_000;

/** What has happened to memories since, in order; the state is that of now, so that of several changes to one the last tells all. */
async function readEvents(call: CallWith<{ query: typeof IN_FEED }>): Promise<object> {
  const { engine, caller } = call;
  const { since_seq: since = 0, limit = 100 } = call.query;
  const { head } = (await engine.checkHealth(caller)).facts;
  if (since === head) return { events: [], next_seq: head, has_more: false };
  const { changes, end } = await readFeed(call, { since, head, limit });
  const last = new Map(changes.map((change) => [change.entry.id, change]));
  const kept = [...last.values()].flatMap(({ entry, record }) =>
    record !== null && record.kind === 'memory' ? { seq: entry.seq, record } : [],
  );
  const events = await eventsOf(
    call,
    kept.map(({ record }) => record),
  );
  const numbered = events.map((event, at) => ({ seq: kept[at]!.seq, ...event })).sort((a, b) => a.seq - b.seq);
  return { events: numbered, next_seq: end, has_more: end < head };
}

async function readFeed(
  { engine, caller }: ServiceCall,
  { since, head, limit }: { since: number; head: number; limit: number },
) {
  const { space } = caller;
  const signal = AbortSignal.timeout(MOST_WAITED_MS);
  const changes = [];
  for await (const page of engine.followChanges(caller, { after: new Map([[space, since]]), signal })) {
    if (page.reset.includes(space))
      throw problem(409, 'Changes are no longer kept that far back. Start with GET /api/sync/baseline.');
    changes.push(...page.changes.filter((change) => change.space === space));
    if (changes.length >= limit || (page.positions.get(space) ?? 0) >= head) break;
  }
  const kept = changes.slice(0, limit);
  return {
    changes: kept,
    end: kept.length < changes.length ? kept.at(-1)!.entry.seq : (changes.at(-1)?.entry.seq ?? head),
  };
}

const MOST_PUSHED = 1000;
const PUSHED = { events: { type: 'any', isRequired: true } } as const;

/** In order; after the first that fails nothing is done, and the sender goes on from there. */
async function takeEvents(call: CallWith<{ body: typeof PUSHED }>): Promise<object> {
  const { events } = call.body;
  if (!Array.isArray(events) || events.length > MOST_PUSHED)
    throw problem(400, `events must be a list of at most ${MOST_PUSHED}.`);
  const read = events.map(readEvent);
  if (read.some((event) => event !== null && event.agent === '')) throw problem(403, 'event missing agent_id');
  const results: { event_id: string; status: string }[] = [];
  for (const event of read) {
    const isStopped = results.at(-1)?.status === 'failed';
    const done = isStopped || event === null ? 'failed' : await applyEvent(call, event).catch(tellRefused);
    results.push({ event_id: event?.id ?? '', status: done });
  }
  const count = (status: string): number => results.filter((one) => one.status === status).length;
  return { results, applied: count('applied'), skipped: count('skipped_duplicate'), failed: count('failed') };
}

function tellRefused(error: unknown): 'failed' {
  if (isRefusal(error)) return 'failed';
  throw error;
}

const PAGE = 500;

/** Everything that is there, page by page as it is read; what changes meanwhile has a number above the watermark. */
async function baseline(call: ServiceCall): Promise<Response> {
  const { head } = (await call.engine.checkHealth(call.caller)).facts;
  const body = ReadableStream.from(writeBaseline(call, head));
  return new Response(body.pipeThrough(new TextEncoderStream()), { headers: { 'Content-Type': 'application/json' } });
}

async function* writeBaseline(call: ServiceCall, watermark: number): AsyncGenerator<string> {
  let count = 0;
  yield '{"events":[';
  for await (const events of readAll(call)) {
    const lines = events.map((event) => JSON.stringify(event));
    if (lines.length > 0) yield `${count === 0 ? '' : ','}${lines.join(',')}`;
    count += lines.length;
  }
  yield `],"watermark":${watermark},"count":${count}}`;
}

async function* readAll(call: ServiceCall): AsyncGenerator<SyncEvent[]> {
  const { engine, caller } = call;
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await engine.listMemories(caller, {
      filter: { includeSuperseded: true, deleted: 'include' },
      page: { limit: PAGE, ...(cursor !== undefined && { cursor }) },
    });
    yield await eventsOfMemories(call, page.items);
    cursor = page.cursor;
  }
}

const DECIDED = { action: { ...choice(['keep_local', 'accept_delete']), isRequired: true } } as const;

/** Deleted on one replica while it was changed on another, and nobody has looked at it since. */
async function decide(call: CallWith<{ body: typeof DECIDED }>): Promise<object> {
  const { engine, caller, params } = call;
  const { action } = call.body;
  const hash = (params.hash ?? '').toLowerCase();
  const fork = (await engine.listForks(caller)).find(
    ({ what, texts }) => what === 'deleted' && texts.some(({ content }) => hashContent(content) === hash),
  );
  if (fork === undefined) throw problem(404, 'No deletion of this memory is in conflict with a change.');
  await engine.restoreMemories(caller, [fork.id]);
  // a deletion that has seen the change settles it
  if (action === 'accept_delete') await engine.deleteMemories(caller, { refs: [fork.id] });
  const message = action === 'keep_local' ? 'The memory is restored.' : 'The memory stays deleted.';
  return { success: true, status: 'resolved', action, message };
}

export const SYNC_ROUTES: readonly ServiceRoute[] = [
  defineRoute({ at: 'GET /sync/status', needs: 'read', handle: status }),
  defineRoute({ at: 'GET /sync/capabilities', needs: 'read', handle: capabilities }),
  defineRoute({ at: 'GET /sync/events', needs: 'read', query: IN_FEED, handle: readEvents }),
  defineRoute({ at: 'POST /sync/events', needs: 'write', body: PUSHED, handle: takeEvents }),
  defineRoute({ at: 'GET /sync/baseline', needs: 'read', handle: baseline }),
  defineRoute({ at: 'POST /sync/tombstone-conflicts/{hash}', needs: 'write', body: DECIDED, handle: decide }),
  defineRoute({ at: 'POST /sync/force', needs: 'write', handle: notHybrid }),
  defineRoute({ at: 'POST /sync/pause', needs: 'write', handle: notHybrid }),
  defineRoute({ at: 'POST /sync/resume', needs: 'write', handle: notHybrid }),
];
