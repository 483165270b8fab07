import { randomBytes } from 'node:crypto';

const LIVES_MS = 60_000;
/** Of those that wait to be used. */
const MOST = 1000;

export interface EventTickets {
  issue(authorization: string): string;
  /** Once; null: unknown, used or too old. */
  redeem(ticket: string): string | null;
}

/** For pages, whose streams of events cannot send a header: one ticket opens one stream, within a minute. */
export function createEventTickets(now: () => number): EventTickets {
  const waiting = new Map<string, { authorization: string; until: number }>();
  return {
    issue(authorization) {
      for (const [ticket, { until }] of waiting) if (until < now() || waiting.size >= MOST) waiting.delete(ticket);
      const ticket = randomBytes(24).toString('base64url');
      waiting.set(ticket, { authorization, until: now() + LIVES_MS });
      return ticket;
    },
    redeem(ticket) {
      const found = waiting.get(ticket);
      waiting.delete(ticket);
      return found === undefined || found.until < now() ? null : found.authorization;
    },
  };
}
