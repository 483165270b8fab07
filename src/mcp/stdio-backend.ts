import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Log } from '../engine/ports.ts';
import type { Opened } from './access.ts';
import { isRequest, type Message } from './json-rpc.ts';
import { createMcpServer } from './mcp-server.ts';
import type { Backend } from './stdio-front.ts';

/** The SDK behind the front: one connection, one server instance, whichever era the client speaks. */
export function createStdioBackend(send: (message: Message) => void, open: () => Promise<Opened>, log: Log): Backend {
  const transport: Transport = {
    start: async () => {},
    send: async (message) => send(message as Message),
    close: async () => transport.onclose?.(),
  };
  const connection = serveStdio(() => createMcpServer(open, log), {
    transport,
    onerror: (error) => log.warn('mcp_protocol_error', { message: error.message }),
  });
  return {
    receive: (message) => {
      const parsed = parse(message, log);
      if (parsed !== null) transport.onmessage?.(parsed);
      else if (isRequest(message)) send({ jsonrpc: '2.0', id: message.id, error: { code: -32600, message: 'Invalid request.' } } as Message);
    },
    close: () => connection.close(),
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
