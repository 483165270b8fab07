import { type CallToolResult, isJsonContentType, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import type { MessageId } from '../model/json-rpc.ts';
import { type PlainCall, readPlainCall } from './plain-call.ts';

/** The first version whose requests say who sends them. */
const ENVELOPES = '2026';

/** A plain call over HTTP, by a request that asks for nothing else either. */
export function readPlainRequest({ headers }: Request, body: unknown): PlainCall | null {
  const call = readPlainCall(body);
  return call !== null && isPlainRequest(headers) ? call : null;
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

export function answerPlainRequest(id: MessageId, result: CallToolResult): Response {
  return new Response(JSON.stringify({ jsonrpc: '2.0', id, result }), {
    headers: { 'Content-Type': 'application/json' },
  });
}
