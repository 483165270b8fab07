import type { Engine } from '../engine/engine.ts';
import { createHttpHandler, type McpHttpHandler, type McpHttpOptions } from './http-handler.ts';
import { createMcpServer } from './mcp-server.ts';

/** The product's MCP server over Streamable HTTP. */
export function createMcpHttpHandler(engine: Engine, options: McpHttpOptions): McpHttpHandler {
  return createHttpHandler(engine, (access) => () => createMcpServer(access, options.log), options);
}
