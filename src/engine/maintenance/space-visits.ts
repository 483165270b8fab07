import type { Instant, Sequence, SpaceId } from '../../model/ids.ts';
import type { Clock, Feed } from '../ports.ts';

/** What no change announces (receipts that grow old) is looked for so often; the exact moment differs from space to space, so that they do not all come at once. */
const LOOK_ANYWAY_MS = 24 * 60 * 60 * 1000;

export interface Visit {
  space: SpaceId;
  head: Sequence;
}

/** Which spaces background work has to look at. One question to the store a round, however many spaces there are. */
export interface SpaceVisits {
  /** Those that have changed since they were last found in order, or have something that has come due; at first all of them. */
  listDue(leads: boolean): Promise<Visit[]>;
  /** Nothing is left to do there, as far as it was asked to: `leads` tells of all the work, else of this process's own index. */
  foundInOrder(visit: Visit, found: { leads: boolean; dueAt: Instant | null }): void;
}

interface Known {
  head: Sequence;
  /** The head at which everything was in order; null where it was not, or nobody has looked. */
  orderAt: Sequence | null;
  led: boolean;
  dueAt: Instant;
}

export function createSpaceVisits(store: Feed, clock: Clock): SpaceVisits {
  const spaces = new Map<SpaceId, Known>();
  let lookedAt: number | null = null;
  return {
    async listDue(leads) {
      const now = performance.now();
      for (const { space, head } of await store.listHeads(lookedAt)) {
        const known = spaces.get(space);
        if (known === undefined) spaces.set(space, { head, orderAt: null, led: false, dueAt: 0 });
        else known.head = head;
      }
      lookedAt = now;
      const time = clock.now();
      const due: Visit[] = [];
      // No look is planned further ahead: a later one was planned by a clock that has been set back since.
      const latest = time + LOOK_ANYWAY_MS;
      for (const [space, { head, orderAt, led, dueAt }] of spaces)
        if (head !== orderAt || (leads && (!led || dueAt <= time || dueAt > latest))) due.push({ space, head });
      return due;
    },
    foundInOrder({ space, head }, { leads, dueAt }) {
      const lookAgainAt = clock.now() + LOOK_ANYWAY_MS * (0.5 + shareOf(space) / 2);
      const known = spaces.get(space);
      const led = leads || (known?.led === true && known.orderAt === head);
      spaces.set(space, {
        head: known?.head ?? head,
        orderAt: head,
        led,
        dueAt: leads ? Math.min(dueAt ?? lookAgainAt, lookAgainAt) : (known?.dueAt ?? 0),
      });
    },
  };
}

/** From 0 to 1, the same for a space each time. */
function shareOf(space: SpaceId): number {
  let hash = 7;
  for (const letter of space) hash = (hash * 31 + letter.codePointAt(0)!) % 9973;
  return hash / 9973;
}
