import { startServe } from './serve-process.ts';

export const KEY = 'an-api-key-for-tests-0123456789';

// biome-ignore lint/suspicious/noExplicitAny: answers of the program under test, read as a client would
type Body = any;

export interface ObservationServer {
  url: string;
  get(path: string, token?: string | null): Promise<{ status: number; body: Body }>;
  post(path: string, body: unknown, token?: string | null): Promise<{ status: number; body: Body }>;
  /** Sends a use of a tool; returns its number. */
  observe(more: Record<string, unknown>): Promise<number>;
  log(): string;
  stop(): Promise<void>;
}

/** `ltm serve` as programs of the old observation server know it: at the root, with a bearer token. */
export async function startObservationServer(
  folder: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<ObservationServer> {
  const served = await startServe(folder, args, { LTM_API_KEY: KEY, ...env });
  const call = async (path: string, init: RequestInit, token: string | null) => {
    const headers = { 'content-type': 'application/json', ...(token !== null && { authorization: `Bearer ${token}` }) };
    const answer = await fetch(`${served.url}${path}`, { ...init, headers });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: answer.status, body: isJson ? (JSON.parse(text) as Body) : text };
  };
  const post: ObservationServer['post'] = (path, body, token = KEY) =>
    call(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }, token);
  return {
    url: served.url,
    get: (path, token = KEY) => call(path, {}, token),
    post,
    async observe(more) {
      const { body } = await post('/observe', { session_id: 's1', project: 'web', tool_name: 'Bash', ...more });
      if (body.status !== 'ok') throw new Error(JSON.stringify(body));
      return body.observation_id as number;
    },
    log: served.log,
    stop: served.stop,
  };
}
