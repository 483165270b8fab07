import type { Log } from '../engine/ports.ts';
import type { Caller } from '../model/caller.ts';
import { EngineError } from '../model/errors.ts';
import type { IdentityChange } from '../model/identity.ts';
import { type Authenticate, callerOf } from './authenticate.ts';
import type { IdentityChanges } from './ports.ts';

/** A stream must be gone five seconds after its credential. */
const LOOK_EVERY_MS = 2000;
/** More than any client needs, few enough that one person cannot take the memory of all. */
const MAX_PER_PERSON = 2000;
/** A client that still wants a stream opens it again, and loses nothing: it tells which event was the last. */
const IDLE_MS = 15 * 60_000;
export const IDLE = 'idle';
/** A stream that ends makes room, and those that were refused at once need not all come back at once. */
const RETRY_SECONDS = 30;

export interface HeldStream {
  /** Aborted when the credential is refused from now on, or opens other spaces than at the start; with IDLE when nothing was said for too long. */
  signal: AbortSignal;
  /** Something was said. From the first time on it must be said again before the stream counts as idle. */
  touch(): void;
  /** The stream is over. */
  release(): void;
}

/** Ends what stays open when the credential that opened it dies. */
export interface StreamGuard {
  /** Throws rate_limited when this person has too many open, and busy when the server has. */
  hold(authorization: string, caller: Caller): HeldStream;
  /** For an answer that comes in pieces and ends by itself: it is counted nowhere. */
  holdAnswer(authorization: string, caller: Caller): HeldStream;
  /** Looks at once, where something is known to have changed. */
  lookNow(): Promise<void>;
  /** How many streams this person has open. */
  countOf(userId: string): number;
  /** Ends all of them. */
  close(): void;
}

/** Streams that other processes of the same server hold. */
export interface StreamsElsewhere {
  total(): number;
  countOf(userId: string): number;
  /** How many this person has open here now. */
  tell(userId: string, count: number): void;
}

const NOWHERE_ELSE: StreamsElsewhere = { total: () => 0, countOf: () => 0, tell: () => {} };

interface Held {
  userId: string;
  rights: string;
  isCounted: boolean;
  /** Null: nobody asks whether it is idle. */
  usedAt: number | null;
  end: AbortController;
}

interface GuardOptions {
  log: Log;
  most: number;
  elsewhere?: StreamsElsewhere;
  /** Milliseconds that run on evenly. */
  elapsed?: () => number;
}

/** One look per credential, however many streams it has open; nothing runs while there are none. */
export function createStreamGuard(
  authenticate: Authenticate,
  { log, most, elsewhere = NOWHERE_ELSE, elapsed = () => performance.now() }: GuardOptions,
): StreamGuard {
  const streams = new Map<string, Set<Held>>();
  const counts = new Map<string, number>();
  let total = 0;
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> | null = null;

  function plan(): void {
    if (timer !== null || streams.size === 0) return;
    timer = setTimeout(() => {
      timer = null;
      void look().finally(plan);
    }, LOOK_EVERY_MS);
    timer.unref();
  }

  /** One at a time. */
  function look(): Promise<void> {
    looking ??= lookAtAll().finally(() => {
      looking = null;
    });
    return looking;
  }

  async function lookAtAll(): Promise<void> {
    for (const [authorization, held] of [...streams]) {
      for (const one of [...held])
        if (one.usedAt !== null && elapsed() - one.usedAt > IDLE_MS) end(authorization, one, IDLE);
      try {
        const rights = await rightsOf(authenticate, authorization);
        for (const one of [...held]) if (one.rights !== rights) end(authorization, one, 'credential');
      } catch (error) {
        // A database that is busy for a moment says nothing about the credential: the next look decides.
        log.warn('streams_not_checked', { message: error instanceof Error ? error.message : String(error) });
      }
    }
  }

  function drop(authorization: string, one: Held): void {
    const held = streams.get(authorization);
    if (held?.delete(one) !== true) return;
    if (held.size === 0) streams.delete(authorization);
    if (one.isCounted) count(one.userId, -1);
  }

  function count(userId: string, more: number): void {
    total += more;
    const now = (counts.get(userId) ?? 0) + more;
    if (now === 0) counts.delete(userId);
    else counts.set(userId, now);
    elsewhere.tell(userId, now);
  }

  function end(authorization: string, one: Held, reason: string): void {
    drop(authorization, one);
    log.info('stream_ended', { reason, user: one.userId });
    one.end.abort(reason);
  }

  function add(authorization: string, caller: Caller, isCounted: boolean): HeldStream {
    const { userId } = caller;
    const rights = describeRights(caller);
    const one: Held = { userId, rights, isCounted, usedAt: null, end: new AbortController() };
    const held = streams.get(authorization) ?? new Set();
    streams.set(authorization, held.add(one));
    if (isCounted) count(userId, 1);
    plan();
    const touch = (): void => {
      one.usedAt = elapsed();
    };
    return { signal: one.end.signal, touch, release: () => drop(authorization, one) };
  }

  const countOf = (userId: string): number => (counts.get(userId) ?? 0) + elsewhere.countOf(userId);
  return {
    hold(authorization, caller) {
      if (countOf(caller.userId) >= MAX_PER_PERSON)
        throw new EngineError('rate_limited', `You have ${MAX_PER_PERSON} streams open.`, {
          hint: 'Close some of them first.',
        });
      if (total + elsewhere.total() >= most)
        throw new EngineError('busy', `This server has ${most} streams open, and takes no more.`, {
          hint: 'Try again later. The operator can raise the setting max_streams, and the limit of open files.',
          details: { limit: most, retry_after: RETRY_SECONDS },
        });
      return add(authorization, caller, true);
    },
    holdAnswer: (authorization, caller) => add(authorization, caller, false),
    lookNow: () => (looking === null ? look() : looking.then(look)),
    countOf,
    close() {
      if (timer !== null) clearTimeout(timer);
      for (const [authorization, held] of [...streams]) {
        for (const one of [...held]) {
          drop(authorization, one);
          one.end.abort();
        }
      }
    },
  };
}

/** null: none any more. */
async function rightsOf(authenticate: Authenticate, authorization: string): Promise<string | null> {
  const result = await authenticate(authorization, null);
  if (result.outcome === 'refused') return null;
  try {
    return describeRights(callerOf(result.proof, { door: 'job' }));
  } catch (error) {
    if (error instanceof EngineError) return null; // its owner has left the team that it opens
    throw error;
  }
}

function describeRights({ userId, scopes, roles }: Caller): string {
  return JSON.stringify([userId, [...scopes].sort(), [...roles].sort()]);
}

/** Changes after which somebody may have fewer rights than before. */
const LOSSES: ReadonlySet<IdentityChange['op']> = new Set([
  ...(['update_user', 'remove_user', 'set_password', 'revoke_token', 'remove_grant'] as const),
  ...(['remove_team', 'transfer_team', 'put_member', 'remove_member'] as const),
]);

/** The same store, which tells when this process has taken rights away; what other processes do is found by looking again. */
export function watchLostRights<S extends IdentityChanges>(store: S, onLoss: () => void): S {
  return {
    ...store,
    async changeIdentity(changes, actor) {
      const result = await store.changeIdentity(changes, actor);
      if (result.outcome === 'changed' && changes.some(({ op }) => LOSSES.has(op))) onLoss();
      return result;
    },
  } satisfies S;
}
