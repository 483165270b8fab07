import { freemem, loadavg, totalmem } from 'node:os';
import { authorizationOf } from '../../../auth/authenticate.ts';
import { isOperator } from '../../../engine/authorize.ts';
import { EngineError } from '../../../model/errors.ts';
import { toIso } from '../../../model/instant.ts';
import { VERSION } from '../../../model/version.ts';
import { followEvents } from '../../../rest/follow-events.ts';
import { API_PATH } from '../../../rest/rest-env.ts';
import { describeServiceHealth } from '../state-tools.ts';
import { problem, type ServiceCall, type ServiceRoute } from './service-route.ts';

const MB = 1_000_000;

async function detailed(call: ServiceCall): Promise<object> {
  const health = await call.engine.checkHealth(call.caller);
  const { statistics, validation, performance } = describeServiceHealth(health) as Record<string, object>;
  const uptime = (call.now - call.ports.startedAt) / 1000;
  const own = isOperator(call.caller) && {
    system: { memory_percent: share(totalmem() - freemem(), totalmem()), load: loadavg() },
  };
  return {
    status: health.status === 'healthy' ? 'healthy' : 'degraded',
    version: VERSION,
    timestamp: toIso(call.now),
    uptime_seconds: uptime,
    storage: { backend: health.facts.store, status: 'connected', ...statistics },
    ...own,
    performance: { uptime_seconds: uptime, uptime_hours: uptime / 3600, ...performance },
    statistics,
    validation,
  };
}

function share(part: number, whole: number): number {
  return Number(((part / whole) * 100).toFixed(1));
}

async function embeddingModel({ engine, caller }: ServiceCall): Promise<object> {
  const { embedder } = await engine.checkHealth(caller);
  if (embedder === null)
    return { loaded: false, model: null, dimension: null, message: 'Words are searched, meaning is not.' };
  const { id, dimensions, pending } = embedder;
  return { loaded: true, model: id, dimension: dimensions, pending };
}

async function memoryStats({ engine, caller }: ServiceCall): Promise<object> {
  const { index } = await engine.checkHealth(caller);
  const { rss, heapUsed } = process.memoryUsage();
  return {
    process: { rss_mb: rss / MB, heap_used_mb: heapUsed / MB },
    system: { total_mb: totalmem() / MB, available_mb: freemem() / MB },
    caches: { indexes: index.spaces ?? null, passages: index.passages ?? null, bytes: index.bytes ?? null },
  };
}

/** The index is what is kept in memory, within its budget; nothing is gained by dropping it. */
async function clearCaches(call: ServiceCall): Promise<object> {
  const { index } = await call.engine.checkHealth(call.caller);
  return {
    success: true,
    ...{ storage_caches_cleared: 0, service_caches_cleared: 0, memory_freed_estimate_mb: 0 },
    message: `Nothing was dropped: ${index.bytes ?? 0} bytes of index stay within index_budget_mb by themselves.`,
  };
}

function needOperator({ caller }: ServiceCall): void {
  if (!isOperator(caller)) throw new EngineError('forbidden', 'Only the owner of the server may see this.');
}

async function serverStatus(call: ServiceCall): Promise<object> {
  needOperator(call);
  return {
    ...{ status: 'running', version: VERSION, pid: process.pid, platform: process.platform, node: process.version },
    uptime_seconds: (call.now - call.ports.startedAt) / 1000,
  };
}

/** Where the service keeps its settings apart. */
const CATEGORIES: readonly [category: string, pattern: RegExp][] = [
  ['embedding', /^(embedder|previous_embedder)/],
  ['oauth', /^(oauth|external_url)/],
  ['http', /^(host|port|tls|allowed|trusted|max_|writes|reads|write_burst|event|workers|observe|mcp_)/],
  ['storage', /^(db|keep|index|flush|upkeep)/],
  ['search', /^(words|meaning|duplicate|on_duplicate)/],
  ['quality', /^quality/],
  ['security', /^(api_key|tokens_file|anonymous|redact|privacy|capture)/],
];

async function listSettings(call: ServiceCall): Promise<object> {
  needOperator(call);
  const categories: Record<string, object[]> = {};
  for (const { name, value, source, from, description, env } of call.ports.listSettings()) {
    const category = CATEGORIES.find(([, pattern]) => pattern.test(name))?.[0] ?? 'general';
    categories[category] ??= [];
    categories[category].push({ key: env[0], name, value, type: typeof value, source, from, description });
  }
  return { categories };
}

async function follow({ ports, caller, request }: ServiceCall): Promise<Response> {
  const header = (name: string): string | undefined => request.headers.get(name)?.trim() || undefined;
  const answer = await followEvents.handle({
    ...ports.rest,
    ...{ caller, request, header, params: {}, query: {}, body: undefined, address: '' },
  });
  return new Response(answer.stream ?? null, { status: 200, headers: answer.headers ?? {} });
}

const notHybrid = async (): Promise<never> => {
  throw problem(404, 'There is one database here and nothing to sync with: see docs/memory-service.md.');
};

const NOT_SYNCED = {
  is_hybrid: false,
  is_running: false,
  is_paused: false,
  status: 'not_hybrid',
  operations_pending: 0,
};

const byHand = async (): Promise<never> => {
  throw problem(
    400,
    'The program is updated by its package manager, and restarted by whoever started it: `ltm memory restart`.',
  );
};

/** The document of this server is that of its own API. */
const showDocs = async (): Promise<Response> =>
  new Response(null, { status: 302, headers: { Location: `${API_PATH}/docs` } });

export const STATE_ROUTES: readonly ServiceRoute[] = [
  { at: 'GET /health', needs: null, handle: async () => ({ status: 'healthy' }) },
  { at: 'GET /health/detailed', needs: 'read', handle: detailed },
  { at: 'GET /health/model', needs: 'read', handle: embeddingModel },
  {
    at: 'GET /health/sync-status',
    needs: 'read',
    handle: async () => ({
      sync_supported: false,
      status: { in_progress: false, total: 0, completed: 0, finished: true, progress_percentage: 100 },
    }),
  },
  { at: 'GET /memory-stats', needs: 'write', handle: memoryStats, writes: false },
  { at: 'POST /clear-caches', needs: 'write', handle: clearCaches },
  { at: 'GET /events', needs: 'read', handle: follow },
  {
    at: 'GET /events/stats',
    needs: 'read',
    handle: async ({ ports: { rest }, caller }) => ({
      total_connections: rest.streams.countOf(caller.userId),
      heartbeat_interval: rest.heartbeatMs / 1000,
      connections: [],
    }),
  },
  {
    at: 'POST /events/ticket',
    needs: 'read',
    handle: async ({ ports, request }) => ({
      ticket: ports.tickets.issue(authorizationOf(request) ?? ''),
      expires_in: 60,
    }),
  },
  { at: 'GET /server/status', needs: 'read', handle: serverStatus },
  {
    at: 'GET /server/version/check',
    needs: 'admin',
    handle: async () => ({
      ...{ current_version: VERSION, update_available: false },
      message: 'ltm never looks for updates: your package manager does.',
    }),
  },
  { at: 'POST /server/restart', needs: 'admin', handle: byHand },
  { at: 'POST /server/update', needs: 'admin', handle: byHand },
  {
    at: 'GET /oauth/status',
    needs: 'read',
    handle: async ({ ports }) => ({
      enabled: ports.listSettings().some(({ name, value }) => name === 'oauth' && value === true),
      storage_backend: 'database',
    }),
  },
  { at: 'GET /config/env', needs: 'read', handle: listSettings },
  { at: 'GET /sync/status', needs: 'read', handle: async () => NOT_SYNCED },
  { at: 'POST /sync/force', needs: 'write', handle: notHybrid },
  { at: 'POST /sync/pause', needs: 'write', handle: notHybrid },
  { at: 'POST /sync/resume', needs: 'write', handle: notHybrid },
  { at: 'GET /docs', needs: null, handle: showDocs },
  { at: 'GET /redoc', needs: null, handle: showDocs },
  { at: 'GET /languages', needs: null, handle: async () => ({ languages: ['en'] }) },
];
