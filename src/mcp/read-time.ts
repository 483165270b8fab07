import type { Instant } from '../model/ids.ts';
import type { ToolContext } from './tool.ts';

/** A date, a time or a phrase, in the caller's zone. Absent and empty stay absent. */
export async function readTime(
  text: string | undefined,
  edge: 'start' | 'end',
  { caller, now }: ToolContext,
): Promise<Instant | undefined> {
  if (!text) return undefined;
  const { readInstant } = await import('../engine/time/read-instant.ts');
  return readInstant(text, {
    now,
    timeZone: caller.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    edge,
  });
}
