import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { isObject, parseJson } from '../model/json-text.ts';
import type { ServerClient } from './server-client.ts';

const MAX_LINE_CHARS = 16 * 1024 * 1024;
const FAILED = -32000;
const PARSE_ERROR = -32700;
/** Calls that are running when the client leaves get this long. */
const DRAIN_MS = 1400;
const MAX_REASON_CHARS = 500;
const HANDSHAKE_MS = 30_000;

export interface BridgeStreams {
  input: Readable;
  output: Writable;
  /** The result of a call that must not leave this machine; null for all that may. */
  hold?(message: unknown): Promise<object | null>;
}

type Id = string | number;
type Carrier = StreamableHTTPClientTransport | SSEClientTransport;

/**
 * Carries MCP messages between a client that only speaks stdio and a server, as they are: it understands none of them but the answer to
 * `initialize`, whose version later requests must name. An address that ends in /sse is one of the older HTTP+SSE transport. Resolves when the input has ended.
 */
export async function bridge(
  url: URL,
  client: Pick<ServerClient, 'token' | 'renew'>,
  { input, output, hold }: BridgeStreams,
): Promise<void> {
  const transport = await openTransport(url, client);
  const calls = createCalls();
  const write = (message: unknown): void => void output.write(`${JSON.stringify(message)}\n`);
  transport.onmessage = (message: JSONRPCMessage) => {
    if (isAnswer(message) && calls.methodOf(message.id) === 'initialize') useVersion(transport, message);
    write(message);
    if (isAnswer(message)) calls.end(message.id);
  };
  let started: Promise<void> | null = null;
  const send = async (message: JSONRPCMessage): Promise<void> => {
    started ??= transport.start();
    await started;
    await transport.send(message);
  };
  const carrying = { send, calls, write, url };
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const message = readMessage(line);
    const held = message === null ? null : ((await hold?.(message)) ?? null);
    if (message === null) write(failure(null, PARSE_ERROR, 'Parse error: a line was not a JSON-RPC message.'));
    else if (held === null) await carry(message, carrying);
    else if ('id' in message) write({ jsonrpc: '2.0', id: message.id, result: held });
  }
  await calls.whenIdle(DRAIN_MS);
  if ('terminateSession' in transport)
    await transport.terminateSession().catch((error: unknown) => process.stderr.write(`ltm: ${String(error)}\n`));
  await transport.close();
}

async function openTransport(url: URL, client: Pick<ServerClient, 'token' | 'renew'>): Promise<Carrier> {
  const sdk = await import('@modelcontextprotocol/client');
  const token = async (): Promise<string | undefined> => (await client.token()) ?? undefined;
  const onUnauthorized = async (): Promise<void> => {
    if ((await token()) === undefined)
      throw new Error(`You are not signed in to ${url.origin}. Run \`ltm auth ${url.origin}\`, or set LTM_TOKEN.`);
    if ((await client.renew()) === null) throw new Error('The server refused the sign-in. Run `ltm auth` again.');
  };
  const options = { authProvider: { token, onUnauthorized } };
  return /\/sse\/?$/.test(url.pathname)
    ? new sdk.SSEClientTransport(url, options)
    : new sdk.StreamableHTTPClientTransport(url, options);
}

interface Carrying {
  send(message: JSONRPCMessage): Promise<void>;
  calls: Calls;
  write(message: unknown): void;
  url: URL;
}

/** Does not wait for answers, but for that to `initialize`: the version in it goes into the header of everything that follows. */
async function carry(message: JSONRPCMessage, { send, calls, write, url }: Carrying): Promise<void> {
  const id = 'method' in message && 'id' in message ? (message.id as Id) : null;
  const method = 'method' in message ? message.method : '';
  // a subscription stays open for good: nothing to wait for at the end
  if (id !== null && method !== 'subscriptions/listen') calls.begin(id, method);
  const sent = send(message).catch((error: unknown) => {
    if (id === null) return;
    write(failure(id, FAILED, explainFailure(error, url)));
    calls.end(id);
  });
  if (method !== 'initialize') return;
  await sent;
  await calls.whenIdle(HANDSHAKE_MS);
}

type Calls = ReturnType<typeof createCalls>;

function createCalls() {
  const running = new Map<Id, string>();
  let tell = (): void => undefined;
  return {
    begin: (id: Id, method: string) => void running.set(id, method),
    end(id: Id): void {
      running.delete(id);
      if (running.size === 0) tell();
    },
    methodOf: (id: Id) => running.get(id),
    /** Resolves when no call is running, at the latest after this long. */
    async whenIdle(longestMs: number): Promise<void> {
      if (running.size === 0) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, longestMs);
      tell = resolve;
      await promise;
      clearTimeout(timer);
    },
  };
}

function failure(id: Id | null, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

function isAnswer(message: JSONRPCMessage): message is JSONRPCMessage & { id: Id } {
  return 'id' in message && !('method' in message);
}

function useVersion(transport: { setProtocolVersion(version: string): void }, message: JSONRPCMessage): void {
  const version = 'result' in message ? message.result.protocolVersion : undefined;
  if (typeof version === 'string') transport.setProtocolVersion(version);
}

function readMessage(line: string): JSONRPCMessage | null {
  if (line.trim() === '' || line.length > MAX_LINE_CHARS) return null;
  const value = parseJson(line);
  return isObject(value) && 'jsonrpc' in value ? (value as JSONRPCMessage) : null;
}

/** In words for whoever reads the agent's log: what the server said of itself, or that it says nothing. */
function explainFailure(error: unknown, url: URL): string {
  const message = error instanceof Error ? error.message : String(error);
  if (/fetch failed|ECONNREFUSED|ENOTFOUND/.test(message))
    return `${url.origin} does not answer. Check that the server is running and the network is up.`;
  return (readProblem(message) ?? message).slice(0, MAX_REASON_CHARS);
}

/** The SDK repeats the body of the answer inside its message; ours is a JSON object with `detail` and `hint`. */
function readProblem(message: string): string | null {
  const body = parseJson(message.slice(message.indexOf('{')));
  if (!isObject(body) || typeof body.detail !== 'string') return null;
  return [body.detail, body.hint].filter((said) => typeof said === 'string').join(' ');
}
