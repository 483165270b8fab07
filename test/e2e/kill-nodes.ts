import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PrivatePostgres } from '../postgres/private-postgres.ts';
import { openRawStream } from './raw-sse.ts';
import { type ServeNodes, startNodes } from './serve-nodes.ts';

const LEAST_WRITTEN = 20;

export interface KillOptions {
  nodes: number;
  writers: number;
  /** pg_terminate_backend so often. */
  kills: number;
  restarts: number;
  /** Go on writing so long after the last blow. */
  afterMs: number;
  onEvent?: (what: string) => void;
}

export interface KillReport {
  acknowledged: number;
  lost: number;
  writtenTwice: number;
  /** Searches on another node that did not find what had just been acknowledged. */
  staleSearches: number;
  searches: number;
  /** Requests that had to be sent again, by what came back. */
  retries: Record<string, number>;
  processExits: string[];
  backendsKilled: number;
  /** From the moment PostgreSQL was back to the first write through each node. */
  readyAfterRestartMs: number[];
  /** From the loss of a node to the first write through a new one in its place. */
  nodeReplacedMs: number;
  longestWriteMs: number;
  eventsMissed: number;
  seconds: number;
}

const KILL_ONE =
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'app' ORDER BY random() LIMIT 1";

/** Several nodes behind a proxy, written to all the time, while connections are cut, one node is killed and PostgreSQL is restarted. */
export async function runKillNodes(postgres: PrivatePostgres, options: KillOptions): Promise<KillReport> {
  // The private server acknowledges before the log is written; here an acknowledgement must mean something.
  await postgres.admin('ALTER ROLE app SET synchronous_commit = on');
  const start = performance.now();
  const cluster = await startNodes(postgres.url(), options.nodes, ['--embedder', 'none']);
  const report: KillReport = {
    acknowledged: 0,
    lost: 0,
    writtenTwice: 0,
    staleSearches: 0,
    searches: 0,
    retries: {},
    processExits: [],
    backendsKilled: 0,
    readyAfterRestartMs: [],
    nodeReplacedMs: 0,
    longestWriteMs: 0,
    eventsMissed: 0,
    seconds: 0,
  };
  const load: Load = { cluster, report, written: new Map(), isOver: false };
  try {
    const events = await followEvents(cluster);
    const writing = Array.from({ length: options.writers }, (_, i) => write(load, i));
    await disturb(postgres, load, options);
    await sleep(options.afterMs);
    // However slow the machine is: something was written, and looked for.
    while (report.acknowledged <= LEAST_WRITTEN || report.searches === 0) await sleep(20);
    load.isOver = true;
    await Promise.all(writing);
    await check(load, await events.end(new Set(load.written.values())));
    for (const { died } of cluster.nodes) if (died !== null) report.processExits.push(died);
    return { ...report, seconds: Math.round((performance.now() - start) / 100) / 10 };
  } finally {
    load.isOver = true;
    await cluster.stop();
  }
}

interface Load {
  cluster: ServeNodes;
  report: KillReport;
  /** Word in the text → id. */
  written: Map<string, string>;
  isOver: boolean;
}

async function write(load: Load, writer: number): Promise<void> {
  for (let i = 0; !load.isOver; i++) {
    const word = `w${writer}x${i}q${randomUUID().slice(0, 8)}`;
    const began = performance.now();
    const body = await insist(load, {
      url: load.cluster.proxy,
      path: '/memories',
      body: { content: `The word ${word} was written.` },
      key: randomUUID(),
    });
    load.report.longestWriteMs = Math.max(load.report.longestWriteMs, Math.round(performance.now() - began));
    const { id } = (body as { memory: { id: string } }).memory;
    load.written.set(word, id);
    load.report.acknowledged++;
    if (i % 5 === 0) await expectFound(load, word, id);
  }
}

async function expectFound(load: Load, word: string, id: string): Promise<void> {
  const found = (await insist(load, { url: load.cluster.proxy, path: '/search', body: { query: word } })) as {
    hits: { id: string }[];
  };
  load.report.searches++;
  if (!found.hits.some((hit) => hit.id === id)) load.report.staleSearches++;
}

/** As a careful client does: the same request with the same key until it is answered. */
async function insist(
  load: Load,
  { url, path, body, key }: { url: string; path: string; body: unknown; key?: string },
): Promise<unknown> {
  for (;;) {
    const said = await ask(load.cluster.token, { url, path, body, ...(key !== undefined && { key }) });
    if (said.ok) return said.body;
    load.report.retries[said.why] = (load.report.retries[said.why] ?? 0) + 1;
    await sleep(50);
  }
}

type Said = { ok: true; body: unknown } | { ok: false; why: string };

async function ask(
  token: string,
  { url, path, body, key }: { url: string; path: string; body: unknown; key?: string },
): Promise<Said> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    ...(key !== undefined && { 'idempotency-key': key }),
  };
  try {
    const response = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (response.ok) return { ok: true, body: await response.json() };
    const problem = (await response.json().catch(() => ({}))) as { code?: string };
    return { ok: false, why: `${response.status} ${problem.code ?? ''}`.trim() };
  } catch {
    return { ok: false, why: 'no answer' };
  }
}

async function disturb(
  postgres: PrivatePostgres,
  load: Load,
  { nodes, kills, restarts, onEvent = () => {} }: KillOptions,
): Promise<void> {
  const { cluster, report } = load;
  const every = Math.ceil(kills / (restarts + 1));
  while (report.backendsKilled < kills) {
    report.backendsKilled += (await postgres.admin(KILL_ONE)).length;
    await sleep(20);
    if (
      report.readyAfterRestartMs.length < restarts &&
      report.backendsKilled >= every * (report.readyAfterRestartMs.length + 1)
    ) {
      onEvent('restarting PostgreSQL');
      await postgres.restart(report.readyAfterRestartMs.length % 2 === 0 ? 'immediate' : 'fast');
      const back = performance.now();
      for (const { url } of cluster.nodes)
        await insist(load, { url, path: '/memories', body: { content: `back ${randomUUID()}` }, key: randomUUID() });
      report.readyAfterRestartMs.push(Math.round(performance.now() - back));
    }
    if (report.nodeReplacedMs === 0 && report.backendsKilled >= kills / 2) {
      onEvent('killing a node');
      const lost = performance.now();
      await cluster.kill(nodes - 1);
      await sleep(300);
      await cluster.restart(nodes - 1);
      await insist(load, {
        url: cluster.nodes[nodes - 1]!.url,
        path: '/memories',
        body: { content: `new ${randomUUID()}` },
        key: randomUUID(),
      });
      report.nodeReplacedMs = Math.round(performance.now() - lost);
    }
  }
}

/** A client of the first node, which is never killed; it hears of what the others write. */
async function followEvents({ nodes, token }: ServeNodes): Promise<{ end(ids: ReadonlySet<string>): Promise<number> }> {
  const stream = await openRawStream(`${nodes[0]!.url}/api/v1/events`, { authorization: `Bearer ${token}` });
  let heard = '';
  const reading = (async () => {
    for (let event = await stream.next(); event !== null; event = await stream.next()) heard += event.data;
  })();
  return {
    async end(ids) {
      const missing = () => [...ids].filter((id) => !heard.includes(id)).length;
      for (const limit = performance.now() + 120_000; missing() > 0 && performance.now() < limit; ) await sleep(100);
      await stream.close();
      await reading;
      return missing();
    },
  };
}

async function check({ cluster, report, written }: Load, eventsMissed: number): Promise<void> {
  const headers = { authorization: `Bearer ${cluster.token}` };
  const contents: Stored[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const response: Response = await fetch(
      `${cluster.nodes[0]!.url}/api/v1/memories?limit=100${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      { headers },
    );
    const page = (await response.json()) as { memories: Stored[]; cursor: string | null };
    contents.push(...page.memories);
    cursor = page.cursor;
  }
  const ids = new Set(contents.map(({ id }) => id));
  report.lost = [...written.values()].filter((id) => !ids.has(id)).length;
  report.writtenTwice = contents.length - new Set(contents.map(({ content }) => content)).size;
  report.eventsMissed = eventsMissed;
}

interface Stored {
  id: string;
  content: string;
}
