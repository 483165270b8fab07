import type { Instant } from '../../model/ids.ts';
import type { Clock, Log, SeenTime, SeenTimes } from '../ports.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
/** A step that weekends, daylight saving and a corrected clock make; what is deleted is purged so much too early at worst. */
const ORDINARY_STEP_MS = DAY;
/** A clock that has jumped is believed when it has gone on from there for so long, by its own word, */
const PROOF_MS = DAY;
/** and programs have seen it run so long, however often they were started: two jumps in a row are no proof. */
const PROOF_RAN_MS = 10 * MINUTE;
/** The believed time is written down so often while nothing is odd. */
const KEEP_EVERY_MS = 10 * MINUTE;
/** A clock and the evenly running milliseconds may differ by so much between two looks; more is a jump, or a machine that slept. */
const TOLERANCE_MS = MINUTE;

/** What lies further ahead than this was dated by a wrong clock. */
export const AHEAD_MS = DAY;

/** How long what is deleted is kept. */
export function keepMsOf({ settings }: { settings: { keepDeletedDays: number } }): number {
  return settings.keepDeletedDays * DAY;
}

/** What is believed after another look at the clock. `ranMs`: how long it was seen running since the last one. */
function judgeTime(seen: SeenTime, now: Instant, ranMs: number): SeenTime {
  const { believedAt, doubtedAt } = seen;
  if (believedAt === 0 || Math.abs(now - believedAt) <= ORDINARY_STEP_MS) return believe(Math.max(now, believedAt));
  const isFirst = doubtedAt === null || now < doubtedAt || now < believedAt !== doubtedAt < believedAt;
  if (isFirst) return { believedAt, doubtedAt: now, doubtRanMs: 0 };
  const doubtRanMs = seen.doubtRanMs + ranMs;
  if (now - doubtedAt >= PROOF_MS && doubtRanMs >= PROOF_RAN_MS) return believe(now);
  return { believedAt, doubtedAt, doubtRanMs };
}

function believe(now: Instant): SeenTime {
  return { believedAt: now, doubtedAt: null, doubtRanMs: 0 };
}

/** Whether what has grown old may go: the time up to which it may be reckoned, and when a clock in doubt is believed at the earliest. */
export interface BelievedTime {
  /** null: the clock has gone back, and nothing may go. */
  dueBy: Instant | null;
  doubted: { since: Instant; until: Instant; byMs: number } | null;
}

function readBelief({ believedAt, doubtedAt }: SeenTime): BelievedTime {
  if (doubtedAt === null) return { dueBy: believedAt, doubted: null };
  return {
    dueBy: doubtedAt < believedAt ? null : believedAt,
    doubted: { since: believedAt, until: doubtedAt + PROOF_MS, byMs: doubtedAt - believedAt },
  };
}

/** The clock as this process and those before it have seen it. */
export interface TimeKeeper {
  /** Looks at the clock and writes down what it saw; for the one process that does background work. */
  look(): Promise<BelievedTime>;
  /** The same without writing. */
  peek(): Promise<BelievedTime>;
  /** A person says that the clock is right. */
  confirm(): Promise<void>;
  /** The time for a deletion: never before what is believed, or it would look old as soon as a clock that lags is set right. */
  timeOfDeletion(): Promise<Instant>;
}

export function createTimeKeeper({ store, clock, log }: { store: SeenTimes; clock: Clock; log: Log }): TimeKeeper {
  const elapsed = () => clock.elapsed?.() ?? performance.now();
  let last = { now: clock.now(), elapsed: elapsed() };
  let known: { believedAt: Instant; at: number } | null = null;

  /** How long the clock has been seen running since the last look. */
  function measureRun(now: Instant): number {
    const ran = elapsed() - last.elapsed;
    return Math.abs(now - last.now - ran) <= TOLERANCE_MS ? ran : 0;
  }

  return {
    async look() {
      const seen = await store.readTime();
      const now = clock.now();
      const next = judgeTime(seen, now, measureRun(now));
      last = { now, elapsed: elapsed() };
      if (isWorthKeeping(seen, next)) await store.keepTime(next);
      if (next.doubtedAt !== null && next.doubtedAt !== seen.doubtedAt && seen.believedAt > 1)
        log.warn('clock_jumped', { hours: Math.round((now - seen.believedAt) / (60 * MINUTE)) });
      known = { believedAt: next.believedAt, at: elapsed() };
      return readBelief(next);
    },
    peek: async () => readBelief(judgeTime(await store.readTime(), clock.now(), 0)),
    async confirm() {
      const believedAt = clock.now();
      await store.keepTime(believe(believedAt));
      known = { believedAt, at: elapsed() };
    },
    async timeOfDeletion() {
      if (known === null || elapsed() - known.at > MINUTE)
        known = { believedAt: (await store.readTime()).believedAt, at: elapsed() };
      return Math.max(clock.now(), known.believedAt);
    },
  };
}

function isWorthKeeping(seen: SeenTime, next: SeenTime): boolean {
  if (next.doubtedAt !== null || seen.doubtedAt !== null) return true;
  return Math.abs(next.believedAt - seen.believedAt) >= KEEP_EVERY_MS;
}
