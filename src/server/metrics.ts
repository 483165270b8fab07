import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Hono } from 'hono';
import { isOperator } from '../engine/authorize.ts';
import type { Engine, Health } from '../engine/engine.ts';
import type { ObservedSearches } from '../engine/observe-searches.ts';
import { createTokenCheck, type ServerEnv, type TokenCheckPorts } from '../rest/check-token.ts';
import { RequestProblem } from '../rest/error-response.ts';
import type { ServerExtension } from './extension.ts';

/** Of a request, when it has been answered. */
export interface AnsweredRequest {
  method: string;
  path: string;
  status: number;
  ms: number;
}

interface MetricsPorts {
  tokenCheck: TokenCheckPorts;
  engine: Pick<Engine, 'checkHealth'>;
  listen: ObservedSearches['listen'];
  /** Which of several processes answers. */
  worker: number | null;
}

export interface Metrics extends ServerExtension {
  noteRequest(request: AnsweredRequest): void;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** `GET /metrics` in the text format of Prometheus, for the operator's token alone: sizes and counts of all people are nobody else's business. */
export function createMetrics({ tokenCheck, engine, listen, worker }: MetricsPorts): Metrics {
  const label = worker === null ? '' : `worker="${worker}"`;
  const requests = new Map<string, number>();
  const requestSeconds = createHistogram();
  const searchSeconds = createHistogram();
  // Asked for nothing, it costs nothing worth measuring: one timer of 20 ms.
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const stopListening = listen(({ ms }) => searchSeconds.add(ms / 1000));
  const app = new Hono<ServerEnv>();
  app.use(createTokenCheck(tokenCheck, 'rest'));
  app.get('/', async (c) => {
    const caller = c.get('caller');
    if (!isOperator(caller))
      throw new RequestProblem('forbidden', "Metrics are for the operator's token.", {
        hint: 'Use a token of the owner with the scope admin: `ltm server issue-token owner --scopes admin,read`.',
      });
    const lines = [
      ...describeServer(await engine.checkHealth(caller), label),
      ...counter('ltm_http_requests_total', 'Requests that were answered.', requests),
      ...requestSeconds.describe('ltm_http_request_seconds', 'How long requests took, streams left out.', label),
      ...searchSeconds.describe('ltm_search_seconds', 'How long searches took, through every door.', label),
      ...describeProcess(delay, label),
    ];
    delay.reset();
    return c.text(`${lines.join('\n')}\n`, 200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' });
  });
  return {
    mounts: [{ path: '/metrics', app }],
    noteRequest({ method, path, status, ms }) {
      const labels = [`door="${doorOf(path)}"`, `method="${method}"`, `status="${status}"`, label];
      const key = labels.filter((one) => one !== '').join();
      requests.set(key, (requests.get(key) ?? 0) + 1);
      if (method !== 'GET' || !/\/(?:events|sse)$/.test(path)) requestSeconds.add(ms / 1000);
    },
    async close() {
      stopListening();
      delay.disable();
    },
  };
}

/** Few of them, whatever addresses people try. */
function doorOf(path: string): string {
  const first = path.split('/', 2)[1] ?? '';
  return ['api', 'mcp', 'v1', 'oauth', 'sse', 'messages'].includes(first) ? first : 'other';
}

interface Histogram {
  add(seconds: number): void;
  describe(name: string, help: string, label: string): string[];
}

function createHistogram(): Histogram {
  const counts = SECONDS.map(() => 0);
  let count = 0;
  let sum = 0;
  return {
    add(seconds) {
      count++;
      sum += seconds;
      const at = SECONDS.findIndex((most) => seconds <= most);
      if (at >= 0) counts[at]!++;
    },
    describe(name, help, label) {
      let below = 0;
      const comma = label === '' ? '' : `${label},`;
      return [
        ...head(name, help, 'histogram'),
        ...SECONDS.map((most, i) => {
          below += counts[i]!;
          return `${name}_bucket{${comma}le="${most}"} ${below}`;
        }),
        `${name}_bucket{${comma}le="+Inf"} ${count}`,
        `${name}_sum${braced(label)} ${sum}`,
        `${name}_count${braced(label)} ${count}`,
      ];
    },
  };
}

const braced = (label: string): string => (label === '' ? '' : `{${label}}`);
const head = (name: string, help: string, type: string): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

function counter(name: string, help: string, values: ReadonlyMap<string, number>): string[] {
  return [...head(name, help, 'counter'), ...values.entries().map(([labels, value]) => `${name}{${labels}} ${value}`)];
}

function gauge(name: string, help: string, value: number | undefined, label: string, type = 'gauge'): string[] {
  return value === undefined ? [] : [...head(name, help, type), `${name}${braced(label)} ${value}`];
}

function describeServer({ status, version, problems, facts, index, embedder }: Health, label: string): string[] {
  return [
    ...gauge('ltm_build_info', 'The release.', 1, [`version="${version}"`, label].filter((one) => one !== '').join()),
    ...gauge('ltm_healthy', '1 if there is no problem.', status === 'healthy' ? 1 : 0, label),
    ...gauge('ltm_problems', 'Problems that GET /api/v1/health describes.', problems.length, label),
    ...gauge('ltm_database_bytes', 'Size of the database.', facts.bytes, label),
    ...gauge('ltm_owner_records', "Live records in the owner's space.", facts.records, label),
    ...gauge('ltm_embedder_pending', "Memories of the owner's space without a vector.", embedder?.pending, label),
    ...gauge('ltm_index_spaces', 'Spaces whose index is in memory.', index.spaces, label),
    ...gauge('ltm_index_passages', 'Passages in these.', index.passages, label),
    ...gauge('ltm_index_bytes', 'Memory that these take.', index.bytes, label),
  ];
}

function describeProcess(delay: ReturnType<typeof monitorEventLoopDelay>, label: string): string[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  const started = Math.round(Date.now() / 1000 - process.uptime());
  const seconds = (nanoseconds: number): number => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0);
  return [
    ...gauge('process_cpu_seconds_total', 'CPU time.', (user + system) / 1e6, label, 'counter'),
    ...gauge('process_resident_memory_bytes', 'Resident memory.', rss, label),
    ...gauge('process_start_time_seconds', 'When it was started, in Unix time.', started, label),
    ...gauge('nodejs_heap_size_used_bytes', 'Heap in use.', heapUsed, label),
    ...gauge('nodejs_eventloop_lag_p99_seconds', 'Since the last look.', seconds(delay.percentile(99)), label),
    ...gauge('nodejs_eventloop_lag_max_seconds', 'Since the last look.', seconds(delay.max), label),
  ];
}
