import { freemem, loadavg, totalmem } from 'node:os';
import { authorizationOf } from '../../../auth/authenticate.ts';
import { isOperator } from '../../../engine/authorize.ts';
import { toIso } from '../../../model/instant.ts';
import { VERSION } from '../../../model/version.ts';
import { followEvents } from '../../../rest/follow-events.ts';
import { describeServiceHealth } from '../state-tools.ts';
import { needOperator } from './config-routes.ts';
import { redirectTo } from './redirect-to.ts';
import { defineRoute, problem, type ServiceCall, type ServiceRoute } from './service-route.ts';

const MB = 1_000_000;

export async function detailed(call: ServiceCall) {
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
    storage_caches_cleared: 0,
    service_caches_cleared: 0,
    memory_freed_estimate_mb: 0,
    message: `Nothing was dropped: ${index.bytes ?? 0} bytes of index stay within index_budget_mb by themselves.`,
  };
}

async function serverStatus(call: ServiceCall): Promise<object> {
  needOperator(call);
  return {
    status: 'running',
    version: VERSION,
    pid: process.pid,
    platform: process.platform,
    node: process.version,
    uptime_seconds: (call.now - call.ports.startedAt) / 1000,
  };
}

export async function follow({ ports, caller, request }: ServiceCall): Promise<Response> {
  const header = (name: string): string | undefined => request.headers.get(name)?.trim() || undefined;
  const answer = await followEvents.handle({
    ...ports.rest,
    caller,
    request,
    header,
    params: {},
    query: {},
    body: undefined,
    address: '',
  });
  return new Response(answer.stream ?? null, { status: 200, headers: answer.headers ?? {} });
}

const byHand = async (): Promise<never> => {
  throw problem(
    400,
    'The program is updated by its package manager, and restarted by whoever started it: `ltm memory restart`.',
  );
};

const showDocs = redirectTo('/docs');

export const STATE_ROUTES: readonly ServiceRoute[] = [
  defineRoute({ at: 'GET /health', needs: null, handle: async () => ({ status: 'healthy' }) }),
  defineRoute({ at: 'GET /health/detailed', needs: 'read', handle: detailed }),
  defineRoute({ at: 'GET /health/model', needs: 'read', handle: embeddingModel }),
  defineRoute({
    at: 'GET /health/sync-status',
    needs: 'read',
    handle: async () => ({
      sync_supported: false,
      status: { in_progress: false, total: 0, completed: 0, finished: true, progress_percentage: 100 },
    }),
  }),
  defineRoute({ at: 'GET /memory-stats', needs: 'write', handle: memoryStats, writes: false }),
  defineRoute({ at: 'POST /clear-caches', needs: 'write', handle: clearCaches }),
  defineRoute({ at: 'GET /events', needs: 'read', handle: follow }),
  defineRoute({
    at: 'GET /events/stats',
    needs: 'read',
    handle: async ({ ports: { rest }, caller }) => ({
      total_connections: rest.streams.countOf(caller.userId),
      heartbeat_interval: rest.heartbeatMs / 1000,
      connections: [],
    }),
  }),
  defineRoute({
    at: 'POST /events/ticket',
    needs: 'read',
    handle: async ({ ports, request, caller }) => ({
      ticket: ports.tickets.issue(authorizationOf(request) ?? '', caller.userId),
      expires_in: 60,
    }),
  }),
  defineRoute({ at: 'GET /server/status', needs: 'read', handle: serverStatus }),
  defineRoute({
    at: 'GET /server/version/check',
    needs: 'admin',
    handle: async () => ({
      current_version: VERSION,
      update_available: false,
      message: 'ltm never looks for updates: your package manager does.',
    }),
  }),
  defineRoute({ at: 'POST /server/restart', needs: 'admin', handle: byHand }),
  defineRoute({ at: 'POST /server/update', needs: 'admin', handle: byHand }),
  defineRoute({
    at: 'GET /oauth/status',
    needs: 'read',
    handle: async ({ ports }) => ({
      enabled: ports.listSettings().some(({ name, value }) => name === 'oauth' && value === true),
      storage_backend: 'database',
    }),
  }),
  defineRoute({ at: 'GET /docs', needs: null, handle: showDocs }),
  defineRoute({ at: 'GET /redoc', needs: null, handle: showDocs }),
  defineRoute({ at: 'GET /languages', needs: null, handle: async () => ({ languages: ['en'] }) }),
];
