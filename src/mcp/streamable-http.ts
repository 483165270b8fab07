import type { Engine } from '../engine/engine.ts';
import { createHttpHandler, type McpHttpHandler, type McpHttpOptions } from './http-handler.ts';
import { createMcpServer } from './mcp-server.ts';
import { readFamilies, type ToolFamily } from './tool-families.ts';

export interface McpAddressOptions extends McpHttpOptions {
  /** The tools that are listed where the address names none. */
  families?: readonly ToolFamily[];
}

/** The product's MCP server over Streamable HTTP. `?tools=` in the address chooses the tools that are listed. */
export function createMcpHttpHandler(engine: Engine, options: McpAddressOptions): McpHttpHandler {
  const { log, sessions = false } = options;
  return createHttpHandler(
    engine,
    (access) =>
      ({ requestInfo, era }) => {
        const families = (requestInfo && familiesIn(requestInfo.url)) ?? options.families;
        return createMcpServer(access, {
          log,
          isStateless: era === 'legacy' && !sessions,
          ...(families !== undefined && { families }),
        });
      },
    options,
  );
}

/** null where the address does not say. Throws for a family that does not exist. */
export function familiesIn(url: string): readonly ToolFamily[] | null {
  const wanted = new URL(url).searchParams.getAll('tools');
  return wanted.length === 0 ? null : readFamilies(wanted.join());
}
