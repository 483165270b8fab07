import { randomBytes } from 'node:crypto';
import {
  type AuthInfo,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Server,
  type Transport,
} from '@modelcontextprotocol/server';
import type { Engine } from '../engine/engine.ts';
import type { Log } from '../engine/ports.ts';
import type { Caller } from '../model/caller.ts';
import { EngineError } from '../model/errors.ts';
import { errorMessage, explainFault, type Fault, type Message, readMessage } from '../model/json-rpc.ts';
import { createHttpAccess } from './access.ts';
import { createMcpServer } from './mcp-server.ts';
import type { KeptSessions } from './session-table.ts';
import type { ToolTable } from './tool-table.ts';

const SESSION_ID = /^[0-9a-f]{32}$/i;
/** Idle ones included; each costs some tens of kilobytes. */
const MAX_STREAMS = 2000;
const KEEP_ALIVE_MS = 15_000;
const IDLE_MS = 15 * 60_000;
/** What a client has not read yet; more means that it does not read. */
const MAX_UNREAD_BYTES = 8 << 20;

export interface LegacySse {
  /** The caller has been proved by then. The stream ends by itself when the client leaves, when the signal says so, or when it is not used for long. */
  openStream(caller: Caller, wanted: StreamWanted): Promise<Response>;
  /**
   * One message for an open stream, whose answer travels there; so does the refusal of a message that is none, if it has an id that somebody waits for.
   * `check` sees the message before the server. Throws EngineErrors: invalid_input, not_found.
   */
  receive(caller: Caller, sent: { sessionId: string | null; text: string; check: CheckMessage }): void;
  close(): Promise<void>;
}

/** With the families of tools that the stream lists. */
type CheckMessage = (message: Message, families: readonly string[]) => void;

export interface StreamWanted {
  families: readonly string[];
  /** Where messages for a session are sent to. */
  messagesPath(sessionId: string): string;
  /** Ends the stream. */
  signal: AbortSignal;
  /** The stream has ended, whoever ended it. */
  onEnd(): void;
}

/** MCP as it was before Streamable HTTP: a stream of events, and requests beside it. The same server as everywhere else behind it. */
export function createLegacySse(
  engine: Engine,
  { tools, log, kept: { share = 1, mark = keepId } = {} }: { tools: ToolTable; log: Log; kept?: KeptSessions },
): LegacySse {
  const { access, admit } = createHttpAccess();
  const streams = createStreamTable(log, Math.ceil(MAX_STREAMS * share));
  return {
    async openStream(caller, { families, messagesPath, signal, onEnd }) {
      streams.makeRoom();
      const id = mark(randomBytes(16).toString('hex'));
      const end = (): void => stream.end();
      const stream = await openSseStream(createMcpServer(access, { log, tools, families }), families, () => {
        signal.removeEventListener('abort', end);
        streams.drop(id);
        onEnd();
      });
      streams.add(id, caller, stream);
      signal.addEventListener('abort', end);
      stream.write(`event: endpoint\ndata: ${messagesPath(id)}\n\n`);
      if (signal.aborted) end();
      return new Response(stream.body, {
        headers: {
          'Content-Type': 'text/event-stream',
          'Cache-Control': 'no-cache, no-transform',
          'X-Accel-Buffering': 'no',
        },
      });
    },
    receive(caller, { sessionId, text, check }) {
      const stream = streams.find(readSessionId(sessionId), caller);
      if (stream === null)
        throw new EngineError('not_found', 'Could not find session.', {
          hint: 'Open the stream again; it names a new session.',
        });
      const { body, fault } = readMessage(text);
      const message = fault === null ? parseMessage(body) : null;
      if (message === null) return refuse(stream, fault ?? explainFault(body));
      check(body as Message, stream.families);
      stream.receive(message, admit({ engine, caller }));
    },
    close: async () => streams.endAll(),
  };
}

const keepId = (id: string): string => id;

/** To whoever waits for an answer, or else to whoever sent it. */
function refuse(stream: SseStream, fault: Fault): void {
  if (fault[0] === null)
    throw new EngineError('invalid_input', 'Could not parse message.', { hint: 'Send one JSON-RPC 2.0 message.' });
  stream.write(formatMessage(errorMessage(...fault)));
}

function readSessionId(sessionId: string | null): string {
  if (sessionId !== null && SESSION_ID.test(sessionId)) return sessionId.toLowerCase();
  const message = sessionId === null ? 'session_id is required.' : 'session_id is not valid.';
  throw new EngineError('invalid_input', message, {
    hint: 'Send messages to the address that the first event of the stream names.',
    details: { field: 'session_id' },
  });
}

/** What the SDK takes for a message. */
function parseMessage(body: unknown): JSONRPCMessage | null {
  try {
    return parseJSONRPCMessage(body);
  } catch {
    return null; // refused like everything that is none
  }
}

function formatMessage(json: string): string {
  return `event: message\ndata: ${json}\n\n`;
}

/** Messages are taken only from somebody who could have opened the stream. */
type StreamOwner = Pick<Caller, 'userId' | 'space' | 'spaces'>;

function createStreamTable(log: Log, limit: number) {
  const held = new Map<string, { owner: StreamOwner; stream: SseStream }>();
  let timer: NodeJS.Timeout | undefined;

  function tick(): void {
    const oldest = Date.now() - IDLE_MS;
    for (const { stream } of [...held.values()]) {
      if (stream.usedAt < oldest) stream.end();
      else stream.write(': keep-alive\n\n');
    }
  }

  return {
    add(id: string, owner: StreamOwner, stream: SseStream): void {
      held.set(id, { owner, stream });
      timer ??= setInterval(tick, KEEP_ALIVE_MS).unref();
    },
    drop(id: string): void {
      held.delete(id);
      if (held.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
    /** Whoever has most of them gives one up: the one that has been silent longest. */
    makeRoom(): void {
      if (held.size < limit) return;
      const byUser = Map.groupBy(held.values(), ({ owner }) => owner.userId);
      const [most = []] = [...byUser.values()].sort((a, b) => b.length - a.length);
      most
        .map(({ stream }) => stream)
        .reduce((oldest, stream) => (stream.usedAt < oldest.usedAt ? stream : oldest))
        .end();
      log.warn('sse_connections_full', { limit });
    },
    /** null: there is none, or it is another user's or for other spaces. */
    find(id: string, asker: StreamOwner): SseStream | null {
      const found = held.get(id);
      return found !== undefined && isSameOwner(found.owner, asker) ? found.stream : null;
    },
    endAll(): void {
      for (const { stream } of [...held.values()]) stream.end();
    },
  };
}

function isSameOwner(a: StreamOwner, b: StreamOwner): boolean {
  return (
    a.userId === b.userId &&
    a.space === b.space &&
    a.spaces.length === b.spaces.length &&
    a.spaces.every((space) => b.spaces.includes(space))
  );
}

/** One stream of events with a server of its own behind it. */
interface SseStream {
  families: readonly string[];
  body: ReadableStream<Uint8Array>;
  /** When something was last sent either way, keep-alives apart. */
  usedAt: number;
  write(text: string): void;
  receive(message: JSONRPCMessage, authInfo: AuthInfo): void;
  /** Closes the server too. */
  end(): void;
}

/** `onEnd` is called once, whoever ends it: the client that leaves or does not read, or we. */
async function openSseStream(server: Server, families: readonly string[], onEnd: () => void): Promise<SseStream> {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
  const begin = (given: ReadableStreamDefaultController<Uint8Array>): void => {
    controller = given;
  };
  const stream: SseStream = {
    families,
    body: new ReadableStream(
      { start: begin, cancel: () => stream.end() },
      new ByteLengthQueuingStrategy({ highWaterMark: MAX_UNREAD_BYTES }),
    ),
    usedAt: Date.now(),
    write(text) {
      if (controller === null) return;
      // before, not after: one answer may be larger than all that may wait
      if ((controller.desiredSize ?? 0) <= 0) stream.end();
      else controller.enqueue(encoder.encode(text));
    },
    receive(message, authInfo) {
      stream.usedAt = Date.now();
      transport.onmessage?.(message, { authInfo });
    },
    end() {
      const ending = controller;
      if (ending === null) return;
      controller = null;
      closeQuietly(ending);
      onEnd();
      void server.close();
    },
  };
  const transport: Transport = {
    start: async () => {},
    send: async (message) => {
      stream.usedAt = Date.now();
      stream.write(formatMessage(JSON.stringify(message)));
    },
    close: async () => transport.onclose?.(),
  };
  await server.connect(transport);
  return stream;
}

/** A stream that the client has cancelled is closed already. */
function closeQuietly(controller: ReadableStreamDefaultController<Uint8Array>): void {
  try {
    controller.close();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}
