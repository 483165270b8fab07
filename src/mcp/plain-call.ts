import type { MessageId } from '../model/json-rpc.ts';
import { isObject } from '../model/json-text.ts';

export interface PlainCall {
  id: MessageId;
  params: { name: string; arguments?: Record<string, unknown>; _meta?: { progressToken?: string | number } };
}

const PARAMETERS: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);

/**
 * One call of a tool by a 2025-era client, as most requests are: nothing in it but the call, so that it can be answered without the SDK. null: whatever else
 * it is, the SDK judges it.
 */
export function readPlainCall(body: unknown): PlainCall | null {
  if (!isObject(body) || body.method !== 'tools/call' || !isObject(body.params)) return null;
  const { id, params } = body;
  if (typeof id !== 'string' && !Number.isSafeInteger(id)) return null;
  if (typeof params.name !== 'string' || !(params.arguments === undefined || isObject(params.arguments))) return null;
  if (!Object.keys(params).every((key) => PARAMETERS.has(key)) || !isPlainMeta(params._meta)) return null;
  return { id: id as MessageId, params: params as PlainCall['params'] };
}

/** A token for progress, which few tools report, and nothing else. */
function isPlainMeta(meta: unknown): boolean {
  if (meta === undefined) return true;
  if (!isObject(meta) || Object.keys(meta).some((key) => key !== 'progressToken')) return false;
  const { progressToken: token } = meta;
  return token === undefined || typeof token === 'string' || Number.isSafeInteger(token);
}
