import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from '@modelcontextprotocol/server';
import { createHttpHandler, createMcpHttpHandler, type McpHttpHandler } from '../../src/mcp/streamable-http.ts';
import { createTools } from '../../src/server/create-tools.ts';
import { createFixtureServer } from './fixture-server.ts';
import { callerOf, healthOf, recordingLog, stubEngine } from './stub-engine.ts';

export interface FixtureServer {
  /** The suite's fixtures behind the product's HTTP handler, with sessions. */
  fixtures: string;
  /** The product's own server behind the same handler, as it runs by default. */
  product: string;
  close(): Promise<void>;
}

/** On a free private port. There is no token to give to the suite: who asks is decided here. */
export async function serveFixtures(): Promise<FixtureServer> {
  const log = recordingLog();
  const handlers: Record<string, McpHttpHandler> = {
    '/fixtures': createHttpHandler(stubEngine(), () => createFixtureServer, { log, sessions: true }),
    '/product': createMcpHttpHandler(stubEngine({ checkHealth: async () => healthOf() }), {
      log,
      tools: await createTools(),
    }),
  };
  const answer = async (request: Request): Promise<Response> => {
    const refused =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins());
    if (refused !== undefined) return refused;
    const handler = handlers[new URL(request.url).pathname];
    if (handler === undefined) return new Response(null, { status: 404 });
    const parsedBody = request.method === 'POST' ? await request.clone().json() : undefined;
    return handler.handle(request, callerOf(), parsedBody);
  };
  const server = createServer(getRequestListener(answer));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    fixtures: `http://127.0.0.1:${port}/fixtures`,
    product: `http://127.0.0.1:${port}/product`,
    close: async () => {
      await Promise.all(Object.values(handlers).map((handler) => handler.close()));
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
