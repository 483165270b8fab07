import type { Json } from './json.ts';

/** A place in a list or a feed, as clients carry it back and forth without reading it. */
export function writeOpaque(value: Json): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Undefined for what is not one of ours; what it holds is for the caller to check. */
export function readOpaque(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined; // refused by the caller
  }
}
