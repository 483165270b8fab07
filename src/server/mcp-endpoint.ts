import type { RequestLimit } from '../auth/request-limit.ts';
import { findTool } from '../mcp/tools.ts';
import type { Caller } from '../model/caller.ts';
import { EngineError } from '../model/errors.ts';
import { parseJsonBody, readText } from '../rest/read-body.ts';

/** What `mcp/streamable-http.ts` makes. */
export interface McpHandler {
  handle(request: Request, caller: Caller, parsedBody?: unknown): Promise<Response>;
}

export interface McpEndpoint {
  caller: Caller;
  handler: McpHandler;
  limit: RequestLimit;
  maxBodyBytes: number;
}

/** The body is read here, within the size limit, and parsed once. */
export async function answerMcp(request: Request, { caller, handler, limit, maxBodyBytes }: McpEndpoint): Promise<Response> {
  if (request.method !== 'POST') return handler.handle(request, caller);
  const text = await readText(request, maxBodyBytes);
  let body: unknown;
  try {
    body = parseJsonBody(text);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return Response.json({ jsonrpc: '2.0', id: null, error: { code: -32700, message: error.message } }, { status: 400 });
  }
  for (let writes = countWrites(body); writes > 0; writes--) limit.count(caller.userId, 'write');
  return handler.handle(request, caller, body);
}

/** Calls of tools that change something, in one message or a batch. */
export function countWrites(body: unknown): number {
  return [body].flat().filter((message) => {
    const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } | null };
    const name = method === 'tools/call' ? params?.name : undefined;
    const tool = typeof name === 'string' ? findTool(name) : undefined;
    return tool !== undefined && tool.action !== 'read';
  }).length;
}
