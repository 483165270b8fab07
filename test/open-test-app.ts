import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuthStore } from '../src/auth/ports.ts';
import type { StreamGuard } from '../src/auth/stream-guard.ts';
import { createToken } from '../src/auth/tokens.ts';
import type { Engine } from '../src/engine/engine.ts';
import type { Log, Store } from '../src/engine/ports.ts';
import { loadConfig } from '../src/features/config.ts';
import { VERBS } from '../src/features/verb-table.ts';
import type { Scope } from '../src/model/caller.ts';
import type { JsonObject } from '../src/model/json.ts';
import type { FieldError } from '../src/rest/error-response.ts';
import { ROUTES } from '../src/rest/route-table.ts';
import { composeHttp } from '../src/server/compose-http.ts';
import { createHttpApp } from '../src/server/http.ts';
import { openEngineAndStore, systemClock } from '../src/server/open-engine.ts';
import type { Config } from '../src/settings/config.ts';
import type { AnyVerb } from '../src/verbs/verb.ts';

export type TestBytes = string | Uint8Array<ArrayBuffer> | ReadableStream;

export interface TestCall {
  /** null: none. */
  token?: string | null;
  json?: unknown;
  body?: TestBytes;
  headers?: Record<string, string>;
}

/** As a test reads it; the schema check knows the rest. */
interface MemoryJson {
  id: string;
  content: string;
  content_hash: string;
  type: string;
  tags: string[];
  metadata: JsonObject;
  key: string | null;
  project: string | null;
  agent: string | null;
  session: string | null;
  conversation_id: string | null;
  source: { door: string; user_id: string; client?: string; host?: string };
  trust: string;
  quality: number;
  revision: number;
  created_at: string;
  updated_at: string;
  valid_from: string | null;
  valid_until: string | null;
  superseded_by: string | null;
  deleted_at: string | null;
}

/** Whatever field a test asks for: the schema check has said whether it is there. */
export interface TestBody extends MemoryJson {
  outcome: string;
  memory: MemoryJson;
  memories: MemoryJson[];
  outcomes: { outcome: string; memory: MemoryJson }[];
  versions: { memory: MemoryJson; reason: string | null }[];
  purged: string[];
  hits: { id: string; snippet: string }[];
  count: number;
  total: number;
  next: string | null;
  code: string;
  detail: string;
  errors: FieldError[];
  resembles: { id: string }[];
}

export interface TestApp {
  config: Config;
  engine: Engine;
  store: Store & AuthStore;
  logged: { event: string; facts: Record<string, unknown> }[];
  tokens: Record<'admin' | 'write' | 'read', string>;
  streams: StreamGuard;
  addToken(scopes: readonly Scope[], userId?: string, teamId?: string): Promise<{ value: string; id: string }>;
  request(method: string, path: string, call?: TestCall): Promise<Response>;
  /** Checks the answer against the route's own schema on the way. */
  json<Body = TestBody>(
    method: string,
    path: string,
    call?: TestCall,
  ): Promise<{ status: number; headers: Headers; body: Body }>;
  close(): Promise<void>;
}

export const TEST_HOST = '127.0.0.1:8000';

/** The whole server, on a database of its own, without a socket. `alter` breaks it on purpose; `more` are verbs beside its own. */
export async function openTestApp(
  flags: Record<string, string> = {},
  alter: (engine: Engine) => Engine = (engine) => engine,
  more: Readonly<Record<string, AnyVerb>> = {},
): Promise<TestApp> {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-http-'));
  const config = loadConfig({
    flags: { db: join(folder, 'memory.db'), ...flags },
    env: {},
    file: join(folder, 'config.json'),
  });
  const logged: TestApp['logged'] = [];
  const note = (event: string, facts = {}) => void logged.push({ event, facts });
  const log: Log = { info: note, warn: note, error: note };
  const { engine, store } = await openEngineAndStore(config, log);
  const verbs = { ...VERBS, ...more };
  const composed = await composeHttp(config, {
    engine: alter(engine),
    store,
    log,
    verbs,
    url: () => `http://${TEST_HOST}`,
  });
  const app = createHttpApp(composed.http);

  const addToken: TestApp['addToken'] = async (scopes, userId = 'owner', teamId) => {
    const { value, token } = createToken({
      name: scopes.join(),
      userId,
      scopes,
      now: systemClock.now(),
      teamId: teamId ?? null,
    });
    assert.equal((await store.changeIdentity([{ op: 'add_token', token }], 'test')).outcome, 'changed');
    return { value, id: token.id };
  };
  const tokens = {
    admin: (await addToken(['read', 'write', 'admin'])).value,
    write: (await addToken(['read', 'write'])).value,
    read: (await addToken(['read'])).value,
  };
  const request: TestApp['request'] = async (method, path, { token = tokens.admin, json, body, headers = {} } = {}) => {
    const init: RequestInit & { duplex?: 'half' } = {
      method,
      headers: { host: TEST_HOST, ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers },
    };
    if (json !== undefined)
      Object.assign(init, {
        body: JSON.stringify(json),
        headers: { 'content-type': 'application/json', ...init.headers },
      });
    if (body !== undefined) Object.assign(init, { body, duplex: 'half' });
    return app.request(new Request(`http://${TEST_HOST}${path}`, init));
  };
  return {
    config,
    engine,
    store,
    logged,
    tokens,
    streams: composed.http.rest.streams,
    addToken,
    request,
    async json(method, path, call) {
      const response = await request(method, path, call);
      const answer = { status: response.status, headers: response.headers, body: (await response.json()) as never };
      checkAgainstSchema(method, path, answer);
      return answer;
    },
    async close() {
      await composed.close();
      await engine.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function checkAgainstSchema(method: string, path: string, answer: { status: number; body: unknown }): void {
  const below = new URL(path, 'http://x').pathname.replace(/^\/api\/v1/, '');
  const fits = (pattern: string) => new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(below);
  const route = ROUTES.filter((candidate) => candidate.method === method && fits(candidate.path)).sort(
    (a, b) => a.path.indexOf('{') - b.path.indexOf('{'),
  )[0];
  const schema = answer.status < 400 ? route?.answers[answer.status]?.schema : undefined;
  if (answer.status < 400) assert.ok(schema, `${method} ${path} does not declare an answer ${answer.status}`);
  const result = schema?.safeParse(answer.body);
  assert.ok(result?.success !== false, `${method} ${path}: ${result?.error?.message}`);
}
