import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ServerClient } from './server-client.ts';

const MAX_LINE_CHARS = 16 * 1024 * 1024;
const FAILED = -32000;
const PARSE_ERROR = -32700;
/** Calls that are running when the client leaves get this long. */
const DRAIN_MS = 1400;
const HANDSHAKE_MS = 30_000;

export interface BridgeStreams {
  input: Readable;
  output: Writable;
}

type Id = string | number;

/**
 * Carries MCP messages between a client that only speaks stdio and a server's Streamable HTTP address, as they are: it understands none of them
 * but the answer to `initialize`, whose version later requests must name. Resolves when the input has ended.
 */
export async function bridge(url: URL, client: Pick<ServerClient, 'token' | 'renew'>, { input, output }: BridgeStreams): Promise<void> {
  const transport = await openTransport(url, client);
  const calls = createCalls();
  const write = (message: unknown): void => void output.write(`${JSON.stringify(message)}\n`);
  transport.onmessage = (message: JSONRPCMessage) => {
    if (isAnswer(message) && calls.methodOf(message.id) === 'initialize') useVersion(transport, message);
    write(message);
    if (isAnswer(message)) calls.end(message.id);
  };
  await transport.start();
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    const message = readMessage(line);
    if (message === null) write(failure(null, PARSE_ERROR, 'Parse error: a line was not a JSON-RPC message.'));
    else await carry(message, { transport, calls, write });
  }
  await calls.whenIdle(DRAIN_MS);
  await transport.terminateSession().catch((error: unknown) => process.stderr.write(`ltm: ${String(error)}\n`));
  await transport.close();
}

async function openTransport(url: URL, client: Pick<ServerClient, 'token' | 'renew'>): Promise<StreamableHTTPClientTransport> {
  const sdk = await import('@modelcontextprotocol/client');
  const token = async (): Promise<string | undefined> => (await client.token()) ?? undefined;
  const onUnauthorized = async (): Promise<void> => {
    if ((await client.renew()) === null) throw new Error('The server refused the sign-in. Run `ltm auth` again.');
  };
  return new sdk.StreamableHTTPClientTransport(url, { authProvider: { token, onUnauthorized } });
}

interface Carrying {
  transport: StreamableHTTPClientTransport;
  calls: Calls;
  write(message: unknown): void;
}

/** Does not wait for answers, but for that to `initialize`: the version in it goes into the header of everything that follows. */
async function carry(message: JSONRPCMessage, { transport, calls, write }: Carrying): Promise<void> {
  const id = 'method' in message && 'id' in message ? (message.id as Id) : null;
  const method = 'method' in message ? message.method : '';
  // a subscription stays open for good: nothing to wait for at the end
  if (id !== null && method !== 'subscriptions/listen') calls.begin(id, method);
  const sent = transport.send(message).catch((error: unknown) => {
    if (id === null) return;
    write(failure(id, FAILED, error instanceof Error ? error.message.slice(0, 500) : 'The server could not be reached.'));
    calls.end(id);
  });
  if (method !== 'initialize') return;
  await sent;
  await calls.whenIdle(HANDSHAKE_MS);
}

interface Calls {
  begin(id: Id, method: string): void;
  end(id: Id): void;
  methodOf(id: Id): string | undefined;
  /** Resolves when no call is running, at the latest after this long. */
  whenIdle(longestMs: number): Promise<void>;
}

function createCalls(): Calls {
  const running = new Map<Id, string>();
  let tell = (): void => undefined;
  return {
    begin: (id, method) => void running.set(id, method),
    end: (id) => {
      running.delete(id);
      if (running.size === 0) tell();
    },
    methodOf: (id) => running.get(id),
    whenIdle: (longestMs) =>
      new Promise<void>((resolve) => {
        if (running.size === 0) return resolve();
        const timer = setTimeout(resolve, longestMs);
        tell = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
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
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'jsonrpc' in value ? (value as JSONRPCMessage) : null;
  } catch {
    return null; // answered as a parse error
  }
}
