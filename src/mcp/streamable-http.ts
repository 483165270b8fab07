import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  type McpServerFactory,
} from '@modelcontextprotocol/server';
import { authorizationOf } from '../auth/authenticate.ts';
import type { Engine } from '../engine/engine.ts';
import type { Log } from '../engine/ports.ts';
import type { Caller } from '../model/caller.ts';
import { sha256Of } from '../model/sha256.ts';
import { type Access, createHttpAccess, type Opened } from './access.ts';
import { callTool } from './call-tool.ts';
import { createMcpServer } from './mcp-server.ts';
import type { PlainCall } from './plain-call.ts';
import { answerPlainRequest, readPlainRequest } from './plain-request.ts';
import { createListeners } from './resource-subscriptions.ts';
import { createSessionTable, type KeptSessions } from './session-table.ts';
import { familiesIn, type ToolTable } from './tool-table.ts';

/** JSON-RPC batches exist in one old revision; a longer one is an attempt to multiply work. */
const MAX_BATCH = 50;

/** Of everybody together; how many one person may have is limited where streams are held. */
const MAX_SUBSCRIPTIONS = 100_000;

export interface McpHttpOptions {
  log: Log;
  /** Sessions for 2025-era clients: they make sampling and elicitation possible and cost memory; without them every request stands alone. */
  sessions?: boolean;
  kept?: KeptSessions;
  /** Where the server is reached, as this client sees it; for links in answers. */
  urlOf?(request: Request): string;
}

export interface McpHttpHandler {
  /** The caller has been proved by then; Host, Origin and size have been checked. `parsedBody` spares a second parse. */
  handle(request: Request, caller: Caller, parsedBody?: unknown): Promise<Response>;
  close(): Promise<void>;
}

export interface McpAddressOptions extends McpHttpOptions {
  tools: ToolTable;
  /** The tools that are listed where the address names none. */
  families?: readonly string[];
}

/** The product's MCP server over Streamable HTTP. `?tools=` in the address chooses the tools that are listed. */
export function createMcpHttpHandler(engine: Engine, options: McpAddressOptions): McpHttpHandler {
  const { log, tools, sessions = false } = options;
  const createFactory =
    (access: Access): McpServerFactory =>
    ({ requestInfo, era }) => {
      const families = (requestInfo && familiesIn(requestInfo.url, tools.families)) ?? options.families;
      return createMcpServer(access, {
        log,
        tools,
        families,
        isStateless: era === 'legacy' && !sessions,
        isOneRequest: era !== 'legacy' || !sessions,
      });
    };
  const plain = sessions
    ? undefined
    : (call: PlainCall, opened: Opened, url: string) => {
        const families = familiesIn(url, tools.families) ?? options.families;
        const tool = tools.find(call.params.name, families);
        // Whoever wants to be told how far it has come needs a stream.
        const isTold = tool?.reportsProgress === true && call.params._meta?.progressToken !== undefined;
        if (tool === undefined || isTold) return undefined;
        return callTool(tool, call.params.arguments, { open: async () => opened, log });
      };
  return createHttpHandler(engine, createFactory, { ...options, plain });
}

/** Serves both protocol eras at one URL, with a fresh server of the factory for every request (or session). */
export function createHttpHandler(
  engine: Engine,
  createFactory: (access: Access) => McpServerFactory,
  options: McpHttpOptions & {
    /** Answers a call that needs no protocol server; undefined: it does. */
    plain?: ((call: PlainCall, opened: Opened, url: string) => Promise<CallToolResult> | undefined) | undefined;
  },
): McpHttpHandler {
  const { access, admit } = createHttpAccess();
  const engineFor = (request: Request): Engine => {
    const url = options.urlOf?.(request);
    return url === undefined ? engine : { ...engine, publicUrl: () => url };
  };
  const factory = createFactory(access);
  const onerror = (error: Error): void =>
    options.log.warn('mcp_protocol_error', { message: error.message.slice(0, 200) });
  const listeners = createListeners(engine, options.log);
  const handler = createMcpHandler(factory, {
    legacy: options.sessions === true ? 'reject' : 'stateless',
    onerror,
    bus: listeners.bus,
    maxSubscriptions: MAX_SUBSCRIPTIONS,
  });
  const sessions = options.sessions === true ? createSessionTable(factory, { onerror, ...options.kept }) : null;

  return {
    handle: async (request, caller, parsedBody) => {
      if (Array.isArray(parsedBody) && parsedBody.length > MAX_BATCH) return refuseBatch(parsedBody.length);
      const opened = { engine: engineFor(request), caller: { ...caller, tokenHash8: hashToken(request) } };
      const call = options.plain === undefined ? null : readPlainRequest(request, parsedBody);
      const result = call && options.plain?.(call, opened, request.url);
      if (call && result) return answerPlainRequest(call.id, await result);
      const authInfo = admit(opened);
      const given = parsedBody === undefined ? { authInfo } : { authInfo, parsedBody };
      if (sessions !== null && (await isLegacyRequest(request, parsedBody))) return sessions.handle(request, given);
      return listeners.serve(caller, parsedBody, () => handler.fetch(request, given));
    },
    close: async () => {
      await Promise.all([handler.close(), sessions?.close()]);
    },
  };
}

function hashToken(request: Request): string {
  const token = (authorizationOf(request) ?? '').replace(/^bearer\s+/i, '');
  return sha256Of(token).slice(0, 8);
}

function refuseBatch(length: number): Response {
  const error = { code: -32600, message: `A batch may hold ${MAX_BATCH} messages, this one holds ${length}.` };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 400 });
}
