import { type JSONRPCMessage, parseJSONRPCMessage } from '@modelcontextprotocol/server';
import type { Engine } from '../engine/engine.ts';
import type { Log } from '../engine/ports.ts';
import type { Caller } from '../model/caller.ts';
import { EngineError } from '../model/errors.ts';
import { createHttpAccess } from './access.ts';
import { createMcpServer } from './mcp-server.ts';
import { createSseConnections } from './sse-connections.ts';
import type { ToolTable } from './tool-table.ts';

const SESSION_ID = /^[0-9a-f]{32}$/i;

export interface LegacySse {
  /** The caller has been proved by then. */
  openStream(caller: Caller, wanted: StreamWanted): Promise<Response>;
  /** One message for an open stream, whose answer travels there. Throws EngineErrors: invalid_input, not_found. */
  receive(caller: Caller, sessionId: string | null, readBody: () => unknown): void;
  close(): Promise<void>;
}

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
export function createLegacySse(engine: Engine, { tools, log }: { tools: ToolTable; log: Log }): LegacySse {
  const { access, admit } = createHttpAccess();
  const connections = createSseConnections(log);
  return {
    async openStream(caller, { families, messagesPath, signal, onEnd }) {
      const server = createMcpServer(access, { log, tools, families });
      const { body } = await connections.open({ owner: caller, server, endpoint: messagesPath, signal, onEnd });
      return new Response(body, {
        headers: {
          'Content-Type': 'text/event-stream',
          'Cache-Control': 'no-cache, no-transform',
          'X-Accel-Buffering': 'no',
        },
      });
    },
    receive(caller, sessionId, readBody) {
      if (sessionId === null || !SESSION_ID.test(sessionId)) {
        throw new EngineError(
          'invalid_input',
          sessionId === null ? 'session_id is required.' : 'session_id is not valid.',
          {
            hint: 'Send messages to the address that the first event of the stream names.',
            details: { field: 'session_id' },
          },
        );
      }
      const connection = connections.find(sessionId.toLowerCase(), caller);
      if (connection === null)
        throw new EngineError('not_found', 'Could not find session.', {
          hint: 'Open the stream again; it names a new session.',
        });
      connection.receive(parseMessage(readBody()), admit({ engine, caller }));
    },
    close: () => connections.close(),
  };
}

function parseMessage(body: unknown): JSONRPCMessage {
  try {
    return parseJSONRPCMessage(body);
  } catch (cause) {
    throw new EngineError('invalid_input', 'Could not parse message.', {
      hint: 'Send one JSON-RPC 2.0 message.',
      cause,
    });
  }
}
