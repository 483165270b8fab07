import { makeServeFolder, removeFolder, type ServeProcess, startServe } from '../e2e/serve-process.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of the program under test, read as a client would
export type Json = any;

export interface RestAnswer {
  status: number;
  body: Json;
  headers: Headers;
}

export interface RestClient {
  server: ServeProcess;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<RestAnswer>;
  close(): Promise<void>;
}

export const KEY = 'a-key-that-is-long-enough-for-anybody';

/** `ltm serve` as somebody runs it who comes from mcp-memory-service, with its key. */
export async function startService(
  env: Record<string, string> = { MCP_API_KEY: KEY },
  usual: Record<string, string> = { 'X-API-Key': KEY },
): Promise<RestClient> {
  const folder = makeServeFolder(null);
  const server = await startServe(folder, [], env);
  return {
    server,
    async send(method, path, body, headers = usual) {
      const response = await fetch(`${server.url}${path}`, {
        method,
        headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: 'manual',
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: parse(text) };
    },
    async close() {
      await server.stop();
      removeFolder(folder);
    },
  };
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text; // a page, or nothing
  }
}
