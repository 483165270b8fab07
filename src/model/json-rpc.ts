import { isObject, MAX_JSON_DEPTH, measureDepth, parseJson } from './json-text.ts';

export type MessageId = string | number;

/** A request, a notification or a response, as far as it is looked at before the SDK has it. */
export interface Message {
  jsonrpc: '2.0';
  id?: MessageId | null;
  method?: string;
  params?: Record<string, unknown>;
}

export type Fields = Record<string, unknown>;

function isMessage(value: unknown): value is Message {
  if (!isObject(value) || value.jsonrpc !== '2.0') return false;
  if (value.method !== undefined && typeof value.method !== 'string') return false;
  if (value.params !== undefined && !isObject(value.params)) return false;
  if (isId(value.id)) return value.method !== undefined || 'result' in value || 'error' in value;
  // without an id it is a notice, with null the answer to something unreadable
  return value.id === undefined ? value.method !== undefined : value.id === null && 'error' in value;
}

export function isRequest(message: Message): message is Message & { id: MessageId; method: string } {
  return message.method !== undefined && message.id !== undefined && message.id !== null;
}

export function isResponse(message: Message): message is Message & { id: MessageId } {
  return message.method === undefined && message.id !== undefined && message.id !== null;
}

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

const NOT_A_MESSAGE = 'Invalid request: this is not a JSON-RPC 2.0 message.';
const TOO_DEEP = `Invalid request: it is nested more than ${MAX_JSON_DEPTH} levels deep.`;

/** Whom it is told (null: nobody waits), and what. */
export type Fault = [asker: MessageId | null, code: number, reason: string];

export function errorMessage(...[id, code, message]: Fault): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}

/** One message as it arrived; what is none has a fault. `batches`: a list is left for somebody else to judge. */
export function readMessage(text: string, { batches = false } = {}): { body: unknown; fault: Fault | null } {
  const body = parseJson(text);
  if (body === undefined) return { body, fault: [null, PARSE_ERROR, 'Parse error: this is not JSON.'] };
  if (measureDepth(text) > MAX_JSON_DEPTH) return { body, fault: [askerOf(body), INVALID_REQUEST, TOO_DEEP] };
  return { body, fault: isMessage(body) || (batches && Array.isArray(body)) ? null : explainFault(body) };
}

/** With the id where it has one, so that whoever waits for it is told. */
export function explainFault(value: unknown): Fault {
  const { method, params } = isObject(value) ? value : {};
  const asker = askerOf(value);
  if (asker !== null && typeof method === 'string' && params !== undefined && !isObject(params)) {
    return [asker, INVALID_PARAMS, 'Invalid params: they must be an object.'];
  }
  return [asker, INVALID_REQUEST, NOT_A_MESSAGE];
}

function askerOf(value: unknown): MessageId | null {
  const { id } = isObject(value) ? value : {};
  return isId(id) ? id : null;
}

function isId(value: unknown): value is MessageId {
  return typeof value === 'string' || Number.isFinite(value);
}
