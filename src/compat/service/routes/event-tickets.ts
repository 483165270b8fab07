import { randomBytes } from 'node:crypto';

const LIVES_MS = 60_000;
/** Of one person's that wait to be used: more than pages are opened at once. */
const MOST = 100;

interface Waiting {
  userId: string;
  authorization: string;
  until: number;
}

/** What other processes at the same port are told: a ticket was issued, or (null) used. */
export type TicketFact = [ticket: string, waiting: Waiting | null];

declare module '../../../rest/peers.ts' {
  interface PeerFacts {
    /** A ticket for a stream of events was issued, or used. */
    ticket: TicketFact;
  }
}

export interface EventTickets {
  /** A person who has too many waiting loses the oldest of them, and nobody else's. */
  issue(authorization: string, userId: string): string;
  /** Once; null: unknown, used or too old. */
  redeem(ticket: string): string | null;
  /** What another process has told. */
  note(fact: TicketFact): void;
}

/** For pages, whose streams of events cannot send a header: one ticket opens one stream, within a minute. */
export function createEventTickets(now: () => number, tell: (fact: TicketFact) => void = () => {}): EventTickets {
  const waiting = new Map<string, Waiting>();

  /** In the order in which they were issued. */
  function removeOld(userId: string): void {
    const own: string[] = [];
    for (const [ticket, one] of waiting)
      if (one.until < now()) waiting.delete(ticket);
      else if (one.userId === userId) own.push(ticket);
    for (const ticket of own.slice(0, Math.max(0, own.length - MOST + 1))) waiting.delete(ticket);
  }

  return {
    issue(authorization, userId) {
      removeOld(userId);
      const ticket = randomBytes(24).toString('base64url');
      const issued = { userId, authorization, until: now() + LIVES_MS };
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
      else {
        removeOld(issued.userId);
        waiting.set(ticket, issued);
      }
    },
  };
}
