import { readTime as readInZone } from '../engine/time/read-time.ts';
import type { Instant } from '../model/ids.ts';
import type { ToolContext } from './tool.ts';

/** Models send an empty text for what they leave out. */
export function readTime(
  text: string | undefined,
  edge: 'start' | 'end',
  { caller, now }: ToolContext,
): Promise<Instant | undefined> {
  const timeZone = caller.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return readInZone(text || undefined, { now, timeZone, edge });
}
