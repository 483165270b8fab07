import { randomBytes } from 'node:crypto';

const LIVES_MS = 60_000;
/** Of those that wait to be used. */
const MOST = 1000;

interface Waiting {
  authorization: string;
  until: number;
}

/** What other processes at the same port are told: a ticket was issued, or (null) used. */
export type TicketFact = [ticket: string, waiting: Waiting | null];

export interface EventTickets {
  issue(authorization: string): string;
  /** Once; null: unknown, used or too old. */
  redeem(ticket: string): string | null;
  /** What another process has told. */
  note(fact: TicketFact): void;
}

/** For pages, whose streams of events cannot send a header: one ticket opens one stream, within a minute. */
export function createEventTickets(now: () => number, tell: (fact: TicketFact) => void = () => {}): EventTickets {
  const waiting = new Map<string, Waiting>();
  return {
    issue(authorization) {
      for (const [ticket, { until }] of waiting) if (until < now() || waiting.size >= MOST) waiting.delete(ticket);
      const ticket = randomBytes(24).toString('base64url');
      const issued = { authorization, until: now() + LIVES_MS };
      waiting.set(ticket, issued);
      tell([ticket, issued]);
      return ticket;
    },
    redeem(ticket) {
      const found = waiting.get(ticket);
      if (waiting.delete(ticket)) tell([ticket, null]);
      return found === undefined || found.until < now() ? null : found.authorization;
    },
    note([ticket, issued]) {
      if (issued === null) waiting.delete(ticket);
      else waiting.set(ticket, issued);
    },
  };
}
