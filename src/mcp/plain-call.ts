import { type CallToolResult, isJsonContentType, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import type { MessageId } from '../model/json-rpc.ts';
import { isObject } from '../model/json-text.ts';

export interface PlainCall {
  id: MessageId;
  params: { name: string; arguments?: Record<string, unknown>; _meta?: { progressToken?: string | number } };
}

const PARAMETERS: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);
/** The first version whose requests say who sends them. */
const ENVELOPES = '2026';

/**
 * One call of a tool by a 2025-era client, as most requests to a server without sessions are: nothing in it but the call, so that it can be answered
 * without a protocol server made for it. null: whatever else it is, the SDK judges it.
 */
export function readPlainCall({ headers }: Request, body: unknown): PlainCall | null {
  if (!isObject(body) || body.method !== 'tools/call' || !isObject(body.params)) return null;
  const { id, params } = body;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return null;
  if (typeof params.name !== 'string' || !(params.arguments === undefined || isObject(params.arguments))) return null;
  if (!Object.keys(params).every((key) => PARAMETERS.has(key)) || !isPlainMeta(params._meta)) return null;
  return isPlainRequest(headers) ? { id: id as MessageId, params: params as PlainCall['params'] } : null;
}

/** A token for progress, which few tools report, and nothing else. */
function isPlainMeta(meta: unknown): boolean {
  if (meta === undefined) return true;
  if (!isObject(meta) || Object.keys(meta).some((key) => key !== 'progressToken')) return false;
  const { progressToken: token } = meta;
  return token === undefined || typeof token === 'string' || Number.isSafeInteger(token);
}

function isPlainRequest(headers: Headers): boolean {
  const accept = headers.get('accept') ?? '';
  const version = headers.get('mcp-protocol-version');
  return (
    accept.includes('application/json') &&
    accept.includes('text/event-stream') &&
    isJsonContentType(headers.get('content-type')) &&
    !headers.has('mcp-method') &&
    (version === null || (version < ENVELOPES && SUPPORTED_PROTOCOL_VERSIONS.includes(version)))
  );
}

export function answerPlainCall(id: MessageId, result: CallToolResult): Response {
  return new Response(JSON.stringify({ jsonrpc: '2.0', id, result }), {
    headers: { 'Content-Type': 'application/json' },
  });
}
