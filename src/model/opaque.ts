import type { Json } from './json.ts';
import { parseJson } from './json-text.ts';

/** A place in a list or a feed, as clients carry it back and forth without reading it. */
export function writeOpaque(value: Json): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Undefined for what is not one of ours; what it holds is for the caller to check. */
export function readOpaque(text: string): unknown {
  return parseJson(Buffer.from(text, 'base64url').toString());
}
