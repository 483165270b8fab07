import { isObject } from '../model/json-text.ts';

export type MessageId = string | number;

/** A request, a notification or a response, as far as the front looks at it. */
export interface Message {
  jsonrpc: '2.0';
  id?: MessageId | null;
  method?: string;
  params?: Record<string, unknown>;
}

export type Fields = Record<string, unknown>;

export function isMessage(value: unknown): value is Message {
  if (!isObject(value) || value.jsonrpc !== '2.0') return false;
  if (value.method !== undefined && typeof value.method !== 'string') return false;
  if (value.params !== undefined && !isObject(value.params)) return false;
  return value.id === undefined || value.id === null || typeof value.id === 'string' || typeof value.id === 'number';
}

export function isRequest(message: Message): message is Message & { id: MessageId; method: string } {
  return message.method !== undefined && message.id !== undefined && message.id !== null;
}

export function isResponse(message: Message): message is Message & { id: MessageId } {
  return message.method === undefined && message.id !== undefined && message.id !== null;
}

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

export function errorMessage(id: MessageId | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}

/** For a value that is no message: the id where it has one, so that whoever waits for it is told. */
export function explainRefusal(value: unknown): [id: MessageId | null, code: number, reason: string] {
  const { id, method, params } = isObject(value) ? value : {};
  const asker = typeof id === 'string' || typeof id === 'number' ? id : null;
  if (asker !== null && typeof method === 'string' && params !== undefined && !isObject(params)) {
    return [asker, INVALID_PARAMS, 'Invalid params: they must be an object.'];
  }
  return [asker, INVALID_REQUEST, 'Invalid request: a line was not a JSON-RPC 2.0 message.'];
}
