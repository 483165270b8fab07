import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '../../engine/ports.ts';
import { EngineError } from '../../model/errors.ts';
import type { WriteOptions } from '../sql/statements.ts';
import { takeGroup } from '../sql/take-group.ts';
import type { Ballast } from './ballast.ts';
import type { Connection } from './connection.ts';
import { expectKnownSchema } from './migrate.ts';
import { endsTransaction, isBusy, needsReopen, translateError, waitBeforeRetry } from './translate-error.ts';

/** Changes in one transaction: few enough that it lasts some ten milliseconds and other processes get their turn. */
const MAX_GROUP_WEIGHT = 500;

/** What a piece of writing came to; with `keep: false` all it wrote is undone, and only that. */
interface Verdict<T> {
  keep: boolean;
  value: T;
}

type Options = Omit<WriteOptions<unknown>, 'keeps'>;

interface Job {
  since: number;
  weight: number;
  scrub: boolean;
  frees: boolean;
  run(): boolean;
  succeed(): void;
  fail(error: EngineError): void;
}

export interface WriterQueue {
  /** Resolves when the disk has it. `work` is synchronous and runs inside a transaction shared with others. */
  write<T>(work: () => Verdict<T>, options?: Options): Promise<T>;
  /** One try, at once; false when another process is writing. For what may be dropped. */
  tryWrite(work: () => void): boolean;
  /** Resolves when all that was asked for is done; more is refused. */
  close(): Promise<void>;
}

/**
 * Group commit. Whatever arrives while the disk or another process is busy goes into one transaction with a single fsync;
 * a lone write starts in the same turn of the event loop. Nothing is acknowledged before COMMIT.
 */
export function createWriterQueue(
  connection: Connection,
  { scrubber, ballast, longestWaitMs }: { scrubber: WalScrubber; ballast: Ballast; longestWaitMs: number },
): WriterQueue {
  const queue: Job[] = [];
  /** Found the disk full, and may use the ballast, which has been released for them. */
  let rescued: Job[] = [];
  let draining: Promise<void> | null = null;
  let closed = false;

  async function drain(): Promise<void> {
    for (;;) {
      while (queue.length > 0 || rescued.length > 0) await drainSome();
      if (!ballast.isDue()) break;
      await nextTurn();
      ballast.keep();
    }
    draining = null;
  }

  async function drainSome(): Promise<void> {
    await nextTurn();
    try {
      if (begin(connection)) return runNext();
    } catch (error) {
      if (rescued.length > 0) ballast.takeBack();
      for (const job of [...rescued.splice(0), ...queue.splice(0)]) job.fail(translateError(error));
      return;
    }
    const wasReleased = rescued.length > 0;
    failOverdue(rescued, longestWaitMs);
    failOverdue(queue, longestWaitMs);
    if (wasReleased && rescued.length === 0) ballast.takeBack();
    await waitBeforeRetry();
  }

  function runNext(): void {
    if (rescued.length > 0) {
      const group = rescued;
      rescued = [];
      settle(group, runGroup(connection, scrubber, group));
      truncateWal(connection);
      ballast.takeBack();
      return;
    }
    const group = takeGroup(queue, MAX_GROUP_WEIGHT, ({ weight }) => weight);
    const outcome = runGroup(connection, scrubber, group);
    if (outcome instanceof EngineError && outcome.code === 'storage_full') rescued = findEntitled(connection, group);
    if (rescued.length > 0 && ballast.release()) truncateWal(connection);
    else rescued = [];
    settle(
      group.filter((job) => !rescued.includes(job)),
      outcome,
    );
  }

  return {
    write<T>(work: () => Verdict<T>, options: Options = {}): Promise<T> {
      if (closed) return Promise.reject(new EngineError('internal', 'The store is closed.'));
      return new Promise<T>((resolve, reject) => {
        let succeed = () => {};
        queue.push({
          since: performance.now(),
          weight: options.weight ?? 1,
          scrub: options.scrub ?? false,
          frees: options.frees ?? false,
          run() {
            const verdict = work();
            succeed = () => resolve(verdict.value);
            return verdict.keep;
          },
          succeed: () => succeed(),
          fail: reject,
        });
        draining ??= drain();
      });
    },
    tryWrite(work) {
      if (!begin(connection)) return false;
      commitOrRollBack(connection, work);
      return true;
    },
    async close() {
      closed = true;
      await draining;
    },
  };
}

/** False when another process is writing. */
function begin(connection: Connection): boolean {
  try {
    connection.statement('BEGIN IMMEDIATE').run();
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

function failOverdue(queue: Job[], longestWaitMs: number): void {
  const now = performance.now();
  while (queue[0] !== undefined && now - queue[0].since > longestWaitMs) {
    queue.shift()?.fail(
      new EngineError('busy', 'Other programs kept the database busy for too long; nothing was written.', {
        hint: 'Try again in a moment.',
      }),
    );
  }
}

/** Enough pages that the database has and does not use: what is written then needs room in the log alone, which is given back. */
const ROOM_INSIDE_PAGES = 2048;

function findEntitled(connection: Connection, group: readonly Job[]): Job[] {
  const { freelist_count: free } = connection.statement('PRAGMA freelist_count').get() ?? {};
  return Number(free) >= ROOM_INSIDE_PAGES ? [...group] : group.filter(({ frees }) => frees);
}

/** Which of them failed, and why; or what took all of them with it. */
type Outcome = ReadonlyMap<Job, EngineError> | EngineError;

function runGroup(connection: Connection, scrubber: WalScrubber, group: readonly Job[]): Outcome {
  const failures = new Map<Job, EngineError>();
  try {
    commitOrRollBack(connection, () => {
      for (const job of group) {
        const failure = runJob(connection, job);
        if (failure !== null) failures.set(job, failure);
      }
    });
  } catch (error) {
    return translateError(error);
  }
  if (group.some((job) => job.scrub && !failures.has(job))) scrubber.scrub();
  return failures;
}

function settle(group: readonly Job[], outcome: Outcome): void {
  for (const job of group) {
    const failure = outcome instanceof EngineError ? outcome : outcome.get(job);
    if (failure === undefined) job.succeed();
    else job.fail(failure);
  }
}

/** The transaction has begun; it ends here, one way or the other. */
function commitOrRollBack(connection: Connection, work: () => void): void {
  try {
    expectKnownSchema(connection);
    work();
    connection.statement('COMMIT').run();
  } catch (error) {
    if (needsReopen(error) || !rollBack(connection)) connection.discard();
    throw translateError(error);
  }
}

/** False when the connection is in no state to go on with. */
function rollBack(connection: Connection): boolean {
  try {
    if (connection.database.isTransaction) connection.statement('ROLLBACK').run();
    return true;
  } catch {
    return false; // the error that made us roll back is the one to tell
  }
}

/** A savepoint for each, so that one that fails or gives up takes nothing of the others with it. */
function runJob(connection: Connection, job: Job): EngineError | null {
  connection.statement('SAVEPOINT job').run();
  try {
    if (!job.run()) connection.statement('ROLLBACK TO job').run();
    connection.statement('RELEASE job').run();
    return null;
  } catch (error) {
    if (endsTransaction(error) || !connection.database.isTransaction) throw error;
    connection.statement('ROLLBACK TO job').run();
    connection.statement('RELEASE job').run();
    return translateError(error);
  }
}

const RETRY_MS = 1_000;
/** A reader that stays longer than this on an old state is not waited for; the next purge or the last close scrubs. */
const MAX_RETRIES = 120;

/** Empties the write-ahead log, which still holds the words of what was purged from the database itself. */
export interface WalScrubber {
  /** At once if no other process is reading, else in the background as soon as that is so. */
  scrub(): void;
  close(): void;
}

export function createWalScrubber(connection: Connection, log: Log): WalScrubber {
  let timer: NodeJS.Timeout | null = null;
  let retries = 0;

  function attempt(): void {
    timer = null;
    if (truncateWal(connection)) {
      retries = 0;
    } else if (retries++ < MAX_RETRIES) {
      timer = setTimeout(attempt, RETRY_MS).unref();
    } else {
      log.warn('wal_not_scrubbed', { retries: MAX_RETRIES });
    }
  }

  function stop(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }

  return {
    scrub() {
      stop();
      retries = 0;
      attempt();
    },
    close: stop,
  };
}

/**
 * Moves the log into the database and cuts it to nothing. False while another process reads or writes, and when the disk does not let us:
 * nothing is lost then, and whoever asked may ask again.
 */
export function truncateWal(connection: Connection): boolean {
  try {
    return connection.statement('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
  } catch (error) {
    if (translateError(error).code === 'internal') throw error;
    return false;
  }
}
