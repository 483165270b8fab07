import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { errorMessage, INVALID_REQUEST, type MessageId, readMessage } from '../model/json-rpc.ts';
import { isObject, parseJson } from '../model/json-text.ts';
import type { ServerClient } from './server-client.ts';

const MAX_LINE_CHARS = 16 * 1024 * 1024;
const FAILED = -32000;
const TOO_LONG: ReturnType<typeof readMessage> = {
  body: null,
  fault: [null, INVALID_REQUEST, `A message was longer than ${MAX_LINE_CHARS} characters.`],
};
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

type Carrier = StreamableHTTPClientTransport | SSEClientTransport;

/**
 * Carries MCP messages between a client that only speaks stdio and a server, as they are: it understands none of them but the answer to
 * `initialize`, whose version later requests must name. An address that ends in /sse is one of the older HTTP+SSE transport. Resolves when the input has ended.
 */
export async function bridge(
  url: URL,
  client: Pick<ServerClient, 'token' | 'renew' | 'headers'>,
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
    const { body, fault } = line.length > MAX_LINE_CHARS ? TOO_LONG : readMessage(line);
    const message = body as JSONRPCMessage;
    const held = fault === null ? ((await hold?.(message)) ?? null) : null;
    if (fault !== null) output.write(`${errorMessage(...fault)}\n`);
    else if (held === null) await carry(message, carrying);
    else if ('id' in message) write({ jsonrpc: '2.0', id: message.id, result: held });
  }
  await calls.whenIdle(DRAIN_MS);
  if ('terminateSession' in transport)
    await transport.terminateSession().catch((error: unknown) => process.stderr.write(`ltm: ${String(error)}\n`));
  await transport.close();
}

async function openTransport(url: URL, client: Pick<ServerClient, 'token' | 'renew' | 'headers'>): Promise<Carrier> {
  const sdk = await import('@modelcontextprotocol/client');
  const token = async (): Promise<string | undefined> => (await client.token()) ?? undefined;
  const onUnauthorized = async (): Promise<void> => {
    if ((await token()) === undefined)
      throw new Error(`You are not signed in to ${url.origin}. Run \`ltm auth ${url.origin}\`, or set LTM_TOKEN.`);
    if ((await client.renew()) === null) throw new Error('The server refused the sign-in. Run `ltm auth` again.');
  };
  const options = { authProvider: { token, onUnauthorized }, requestInit: { headers: client.headers() } };
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
  const id = 'method' in message && 'id' in message ? (message.id as MessageId) : null;
  const method = 'method' in message ? message.method : '';
  // a subscription stays open for good: nothing to wait for at the end
  if (id !== null && method !== 'subscriptions/listen') calls.begin(id, method);
  const sent = send(message).catch((error: unknown) => {
    if (id === null) return;
    write({ jsonrpc: '2.0', id, error: describeFailure(error, url) });
    calls.end(id);
  });
  if (method !== 'initialize') return;
  await sent;
  await calls.whenIdle(HANDSHAKE_MS);
}

type Calls = ReturnType<typeof createCalls>;

function createCalls() {
  const running = new Map<MessageId, string>();
  let tell = (): void => undefined;
  return {
    begin: (id: MessageId, method: string) => void running.set(id, method),
    end(id: MessageId): void {
      running.delete(id);
      if (running.size === 0) tell();
    },
    methodOf: (id: MessageId) => running.get(id),
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

function isAnswer(message: JSONRPCMessage): message is JSONRPCMessage & { id: MessageId } {
  return 'id' in message && !('method' in message);
}

function useVersion(transport: { setProtocolVersion(version: string): void }, message: JSONRPCMessage): void {
  const version = 'result' in message ? message.result.protocolVersion : undefined;
  if (typeof version === 'string') transport.setProtocolVersion(version);
}

interface Failure {
  code: number;
  message: string;
}

/** What the server said of the message, in its own words and with its own code; or in words for whoever reads the agent's log, that it says nothing. */
function describeFailure(error: unknown, url: URL): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (/fetch failed|ECONNREFUSED|ENOTFOUND/.test(message)) {
    const advice = 'Check that the server is running and the network is up.';
    return { code: FAILED, message: `${url.origin} does not answer. ${advice}` };
  }
  const told = readAnswer(message) ?? { code: FAILED, message };
  return { ...told, message: told.message.slice(0, MAX_REASON_CHARS) };
}

/** The SDK repeats the body of the answer inside its message: an error of JSON-RPC, or a JSON object with `detail` and `hint`. */
function readAnswer(message: string): Failure | null {
  const body = parseJson(message.slice(message.indexOf('{')));
  if (!isObject(body)) return null;
  const { error, detail, hint } = body;
  if (isObject(error) && Number.isInteger(error.code) && typeof error.message === 'string')
    return { code: Number(error.code), message: error.message };
  if (typeof detail !== 'string') return null;
  return { code: FAILED, message: [detail, hint].filter((said) => typeof said === 'string').join(' ') };
}
