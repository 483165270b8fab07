import { statSync } from 'node:fs';
import type { Payload } from './read-payload.ts';

/** An id of the agent's own is taken as it is up to here. */
const LONGEST_ID = 128;

/**
 * The same event has the same key, however often it is delivered. Where the agent gives a use of a tool an id, that; else what the event says after screening, with
 * the ids and times that came with it. The same words said twice have other ids; an agent that sends none has a transcript, which is longer by then.
 */
export function makeKey(payload: Payload, said: readonly string[]): string {
  const { agent, event, hook, useId, marks, transcript } = payload;
  const session = shortId(payload.session ?? '');
  if (event === 'tool' && useId !== null) return `${agent}:${session}:tool:${shortId(useId)}`;
  const told = marks.length > 0 ? marks : [`transcript=${sizeOf(transcript)}`];
  return `${agent}:${session}:${event}:${hashText([hook, ...told, ...said].join('\0'))}`;
}

function sizeOf(path: string | null): number {
  return (path !== null && statSync(path, { throwIfNoEntry: false })?.size) || 0;
}

function shortId(id: string): string {
  return id.length <= LONGEST_ID ? id : hashText(id);
}

/** 104 bits, enough to tell the events of a session apart. Node's own hashes take milliseconds to load, and nobody gains by a collision of their own making. */
export function hashText(text: string): string {
  return mix(text, 0x9e3779b9) + mix(text, 0x85ebca6b);
}

function mix(text: string, seed: number): string {
  let high = 0xdeadbeef ^ seed;
  let low = 0x41c6ce57 ^ seed;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return ((high & 0xfffff) * 2 ** 32 + (low >>> 0)).toString(16).padStart(13, '0');
}
