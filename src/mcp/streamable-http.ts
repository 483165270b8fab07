import type { Engine } from '../engine/engine.ts';
import { createHttpHandler, type McpHttpHandler, type McpHttpOptions } from './http-handler.ts';
import { createMcpServer } from './mcp-server.ts';
import { familiesIn } from './tool-families.ts';
import type { ToolTable } from './tool-table.ts';

export interface McpAddressOptions extends McpHttpOptions {
  tools: ToolTable;
  /** The tools that are listed where the address names none. */
  families?: readonly string[];
}

/** The product's MCP server over Streamable HTTP. `?tools=` in the address chooses the tools that are listed. */
export function createMcpHttpHandler(engine: Engine, options: McpAddressOptions): McpHttpHandler {
  const { log, tools, sessions = false } = options;
  return createHttpHandler(
    engine,
    (access) =>
      ({ requestInfo, era }) => {
        const families = (requestInfo && familiesIn(requestInfo.url, tools.families)) ?? options.families;
        return createMcpServer(access, { log, tools, families, isStateless: era === 'legacy' && !sessions });
      },
    options,
  );
}
