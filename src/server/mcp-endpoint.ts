import { authorizationOf } from '../auth/authenticate.ts';
import type { HeldStream, StreamGuard } from '../auth/stream-guard.ts';
import type { RequestLimit } from '../auth/token-buckets.ts';
import { scopeOf } from '../engine/authorize.ts';
import type { Tool } from '../mcp/tool.ts';
import { familiesIn, type ToolTable } from '../mcp/tool-table.ts';
import type { Caller } from '../model/caller.ts';
import { EngineError } from '../model/errors.ts';
import { errorMessage, type Fault, PARSE_ERROR, readMessage } from '../model/json-rpc.ts';
import { isObject } from '../model/json-text.ts';
import { RequestProblem } from '../rest/error-response.ts';
import { readText } from '../rest/read-body.ts';

/** What `mcp/streamable-http.ts` makes. */
export interface McpHandler {
  handle(request: Request, caller: Caller, parsedBody?: unknown): Promise<Response>;
}

export interface McpEndpoint {
  caller: Caller;
  handler: McpHandler;
  tools: ToolTable;
  /** Those that are listed where the address names none. */
  families?: readonly string[] | undefined;
  limit: RequestLimit;
  maxBodyBytes: number;
  streams: Pick<StreamGuard, 'hold' | 'holdAnswer'>;
}

/** The body is read here, within the size limit, and parsed once. */
export async function answerMcp(
  request: Request,
  { caller, handler, tools, families, limit, maxBodyBytes, streams }: McpEndpoint,
): Promise<Response> {
  const authorization = authorizationOf(request) ?? '';
  // a stream that may not stay open is refused before anything is done for it
  const stay = (body?: unknown) => {
    const held = streams.hold(authorization, caller);
    // Clients open a stream of the older protocol again by themselves; a subscription would end without a word to whoever made it.
    const endsIdle = body === undefined;
    if (endsIdle) held.touch();
    return guardStream(held, () => handler.handle(request, caller, body), { endsIdle });
  };
  if (request.method === 'GET') return stay();
  if (request.method !== 'POST') return handler.handle(request, caller);
  const { body, fault } = await readBody(request, maxBodyBytes);
  if (fault !== null) return refuse(fault);
  if (isObject(body) && body.method === 'subscriptions/listen') return stay(body);
  const called = toolsIn(body, tools, familiesIn(request.url, tools.families) ?? families);
  demandScopes(called, caller);
  for (let writes = countWrites(called); writes > 0; writes--) limit.count(caller.userId, 'write');
  const response = await handler.handle(request, caller, body);
  return isStream(response) ? guardStream(streams.holdAnswer(authorization, caller), async () => response) : response;
}

async function readBody(request: Request, maxBytes: number): Promise<ReturnType<typeof readMessage>> {
  try {
    return readMessage(await readText(request, maxBytes), { batches: true });
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'invalid_input') throw error;
    return { body: null, fault: [null, PARSE_ERROR, error.message] };
  }
}

function refuse(fault: Fault): Response {
  return new Response(errorMessage(...fault), { status: 400, headers: { 'Content-Type': 'application/json' } });
}

/**
 * A program that a person let in is told over HTTP which scope a call needs: it can ask the person for more then. Whoever came with a token of
 * their own cannot, and is told by the tool.
 */
export function demandScopes(called: readonly Tool[], { credential, scopes }: Caller): void {
  if (credential?.kind !== 'oauth') return;
  const needed = called.map(({ action }) => scopeOf(action)).find((scope) => !scopes.has(scope));
  if (needed === undefined) return;
  throw new RequestProblem('forbidden', `This credential does not have the scope "${needed}".`, {
    hint: 'Connect again and allow this scope.',
    headers: {
      'WWW-Authenticate': `Bearer realm="ltm", error="insufficient_scope", scope="${[...scopes, needed].join(' ')}"`,
    },
  });
}

/** Calls of tools that change something. */
export function countWrites(called: readonly Tool[]): number {
  return called.filter(({ action }) => action !== 'read').length;
}

/** The tools that one message or a batch calls. */
export function toolsIn(body: unknown, tools: ToolTable, families?: readonly string[]): Tool[] {
  return [body].flat().flatMap((message) => {
    const { method, params } = (message ?? {}) as { method?: unknown; params?: { name?: unknown } | null };
    const name = method === 'tools/call' ? params?.name : undefined;
    return typeof name === 'string' ? (tools.find(name, families) ?? []) : [];
  });
}

function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true;
}

/** With which a line begins that only keeps the connection alive. */
const COMMENT = ':'.charCodeAt(0);

interface Guarded {
  /** It stays open for what may come, and is ended when nothing does. */
  endsIdle?: boolean;
}

/** The answer, which ends with its credential where it is a stream. */
async function guardStream(
  held: HeldStream,
  answer: () => Promise<Response>,
  { endsIdle = false }: Guarded = {},
): Promise<Response> {
  const response = await answer().catch((error: unknown) => {
    held.release();
    throw error;
  });
  // its body is looked at only where it must be: a whole answer goes out in one piece as long as nobody has
  if (!isStream(response) || response.body === null) {
    held.release();
    return response;
  }
  const reader = response.body.getReader();
  const stop = (): void => void reader.cancel();
  const finish = (): void => {
    held.signal.removeEventListener('abort', stop);
    held.release();
  };
  held.signal.addEventListener('abort', stop);
  if (held.signal.aborted) stop();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (!done && endsIdle && value[0] !== COMMENT) held.touch();
        if (!done) return controller.enqueue(value);
        finish();
        controller.close();
      },
      async cancel(reason) {
        finish();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: response.status, headers: response.headers });
}
