import type { StreamsElsewhere } from '../../auth/stream-guard.ts';
import type { RequestLimit } from '../../auth/token-buckets.ts';
import type { Engine } from '../../engine/engine.ts';
import type { ObservedSearches, SearchDone } from '../../engine/observe-searches.ts';
import type { Peers } from './peers.ts';

/** Often enough that nobody gets far beyond a limit, seldom enough to cost nothing. */
const TELL_EVERY_MS = 50;

/** One limit for all workers: each counts at once what it answers, and soon after what the others did. */
export function shareLimit(limit: RequestLimit, peers: Peers): RequestLimit {
  let untold: Record<string, { read: number; write: number }> = {};
  let _timer: NodeJS.Timeout | null = null;
  const tell = (): void => {
    _timer = null;
    peers.tell('counted', untold);
    untold = {};
  };
  peers.hear('counted', (counted) => {
    for (const [userId, { read, write }] of Object.entries(counted)) {
      if (read > 0) limit.note(userId, 'read', read);
      if (write > 0) limit.note(userId, 'write', write);
    }
  });
  return {
    ...limit,
    count(userId, kind) {
      limit.count(userId, kind);
      untold[userId] ??= { read: 0, write: 0 };
      untold[userId][kind]++;
      _timer ??= setTimeout(tell, TELL_EVERY_MS).unref();
    },
  };
}

/** The streams of all workers together, so that a bound holds for the server. */
export function shareStreams(peers: Peers): StreamsElsewhere {
  const own = new Map<string, number>();
  const others = new Map<number, Map<string, number>>();
  peers.hear('streams', ({ userId, count }, from) => {
    const there = others.get(from) ?? new Map<string, number>();
    others.set(from, there);
    if (count === 0) there.delete(userId);
    else there.set(userId, count);
  });
  peers.onLeave((slot) => others.delete(slot));
  peers.onJoin(() => {
    for (const [userId, count] of own) peers.tell('streams', { userId, count });
  });
  return {
    total: () => others.values().reduce((sum, there) => sum + there.values().reduce((a, b) => a + b, 0), 0),
    countOf: (userId) => others.values().reduce((sum, there) => sum + (there.get(userId) ?? 0), 0),
    tell(userId, count) {
      if (count === 0) own.delete(userId);
      else own.set(userId, count);
      peers.tell('streams', { userId, count });
    },
  };
}

/** Whoever listens hears of the searches of all workers. Nothing is told while nobody elsewhere listens. */
export function shareSearches(listenHere: ObservedSearches['listen'], peers: Peers): ObservedSearches['listen'] {
  const listeners = new Set<(done: SearchDone) => void>();
  const interested = new Set<number>();
  let stopTelling: (() => void) | null = null;
  const decide = (): void => {
    if (interested.size > 0) stopTelling ??= listenHere((done) => peers.tell('searched', done));
    else {
      stopTelling?.();
      stopTelling = null;
    }
  };
  peers.hear('listening', (count, from) => {
    if (count > 0) interested.add(from);
    else interested.delete(from);
    decide();
  });
  peers.onLeave((slot) => {
    interested.delete(slot);
    decide();
  });
  peers.onJoin(() => peers.tell('listening', listeners.size));
  peers.hear('searched', (done) => {
    for (const tell of listeners) tell(done as SearchDone);
  });
  return (onSearch) => {
    listeners.add(onSearch);
    const stop = listenHere(onSearch);
    if (listeners.size === 1) peers.tell('listening', 1);
    return () => {
      listeners.delete(onSearch);
      stop();
      if (listeners.size === 0) peers.tell('listening', 0);
    };
  };
}

const TALLY_EVERY_MS = 1000;

/** The operator is told of all workers, whichever answers. */
export function shareHealth(engine: Engine, peers: Peers): Engine {
  const own = { total: 0, ms: 0 };
  const others = new Map<number, { total: number; ms: number }>();
  let _timer: NodeJS.Timeout | null = null;
  const tell = (): void => {
    _timer = null;
    peers.tell('tally', own);
  };
  peers.hear('tally', (tally, from) => void others.set(from, tally));
  peers.onJoin(tell);
  return {
    ...engine,
    async search(caller, query) {
      const startedAt = performance.now();
      const result = await engine.search(caller, query);
      own.total++;
      own.ms += performance.now() - startedAt;
      _timer ??= setTimeout(tell, TALLY_EVERY_MS).unref();
      return result;
    },
    async checkHealth(caller) {
      const health = await engine.checkHealth(caller);
      if (health.searches === undefined) return health;
      const all = [own, ...others.values()];
      const total = all.reduce((sum, tally) => sum + tally.total, 0);
      const ms = all.reduce((sum, tally) => sum + tally.ms, 0);
      return {
        ...health,
        searches: { total, averageMs: total === 0 ? 0 : Math.round((ms / total) * 100) / 100 },
        workers: { count: peers.count, running: peers.running().size, answering: peers.slot + 1 },
      };
    },
  };
}
