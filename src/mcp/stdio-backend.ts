import { type JSONRPCMessage, parseJSONRPCMessage, type Server, type Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Log } from '../engine/ports.ts';
import { errorMessage, explainFault, isRequest, type Message, type MessageId } from '../model/json-rpc.ts';
import type { Opened } from './access.ts';
import { createMcpServer, type McpServerOptions } from './mcp-server.ts';
import { createSubscriptions, wantedUris } from './resource-subscriptions.ts';
import type { Backend } from './stdio-front.ts';

/** The SDK behind the front: one connection, one server instance, whichever era the client speaks. */
export function createStdioBackend(
  send: (message: Message) => void,
  open: () => Promise<Opened>,
  options: McpServerOptions,
): Backend {
  const { log } = options;
  let server: Server | null = null;
  const transport: Transport = {
    start: async () => {},
    send: async (message) => send(message as Message),
    close: async () => transport.onclose?.(),
  };
  const makeServer = (): Server => {
    server = createMcpServer(open, options);
    return server;
  };
  const connection = serveStdio(makeServer, {
    transport,
    onerror: (error) => log.warn('mcp_protocol_error', { message: error.message }),
  });
  const listening = listenFor(open, (uri) => server?.sendResourceUpdated({ uri }), log);
  return {
    receive: (message) => {
      const parsed = parse(message, log);
      listening.hear(message);
      if (parsed !== null) transport.onmessage?.(parsed);
      else if (isRequest(message)) send(JSON.parse(errorMessage(...explainFault(message))) as Message);
    },
    close: () => {
      listening.close();
      return connection.close();
    },
  };
}

/** The SDK hands a notice to the `subscriptions/listen` that asked for it, but does not say what was asked for. */
function listenFor(
  open: () => Promise<Opened>,
  tell: (uri: string) => Promise<void> | undefined,
  log: Log,
): { hear(message: Message): void; close(): void } {
  const asked = new Map<MessageId, readonly string[]>();
  const report = (error: unknown): void => log.warn('mcp_not_told', { message: String(error).slice(0, 200) });
  const subscriptions = createSubscriptions(open, (uri) => void tell(uri)?.catch(report), log);
  return {
    hear(message) {
      const uris = wantedUris(message);
      if (isRequest(message) && uris.length > 0) {
        asked.set(message.id, uris);
        for (const uri of uris) void subscriptions.add(uri);
      } else if (message.method === 'notifications/cancelled') {
        const gone = asked.get(message.params?.requestId as MessageId) ?? [];
        asked.delete(message.params?.requestId as MessageId);
        for (const uri of gone) if (![...asked.values()].flat().includes(uri)) subscriptions.remove(uri);
      }
    },
    close: () => subscriptions.close(),
  };
}

function parse(message: Message, log: Log): JSONRPCMessage | null {
  try {
    return parseJSONRPCMessage(message);
  } catch (error) {
    log.warn('mcp_invalid_message', { message: error instanceof Error ? error.message.slice(0, 200) : 'unreadable' });
    return null; // answered as an invalid request
  }
}
