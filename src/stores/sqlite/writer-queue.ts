import { setImmediate as nextTurn } from 'node:timers/promises';
import { EngineError } from '../../model/errors.ts';
import type { WriteOptions } from '../sql/statements.ts';
import { takeGroup } from '../sql/take-group.ts';
import type { Ballast } from './ballast.ts';
import type { Connection } from './connection.ts';
import type { WriteCounter } from './count-writes.ts';
import { expectKnownSchema } from './migrate.ts';
import { endsTransaction, isBusy, needsReopen, translateError, waitBeforeRetry } from './translate-error.ts';
import { truncateWal, type WalScrubber } from './wal-scrubber.ts';

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

interface QueueParts {
  scrubber: WalScrubber;
  ballast: Ballast;
  counter: WriteCounter;
  longestWaitMs: number;
}

/**
 * Group commit. Whatever arrives while the disk or another process is busy goes into one transaction with a single fsync;
 * a lone write starts in the same turn of the event loop. Nothing is acknowledged before COMMIT.
 */
export function createWriterQueue(connection: Connection, parts: QueueParts): WriterQueue {
  const { ballast, longestWaitMs } = parts;
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
      runRescued();
      return;
    }
    const group = takeGroup(queue, MAX_GROUP_WEIGHT, ({ weight }) => weight);
    const outcome = runGroup(connection, parts, group);
    if (outcome instanceof EngineError && outcome.code === 'storage_full') rescued = findEntitled(connection, group);
    if (rescued.length > 0 && !ballast.release()) rescued = [];
    settle(
      group.filter((job) => !rescued.includes(job)),
      outcome,
    );
    if (rescued.length === 0) return;
    truncateWal(connection);
    // At once, before other programs take what was released.
    if (begin(connection)) runRescued();
  }

  function runRescued(): void {
    const group = rescued;
    rescued = [];
    settle(group, runGroup(connection, parts, group));
    truncateWal(connection);
    ballast.takeBack();
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
      commitOrRollBack(connection, parts.counter, () => {
        work();
        return true;
      });
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

function runGroup(connection: Connection, { scrubber, counter }: QueueParts, group: readonly Job[]): Outcome {
  const failures = new Map<Job, EngineError>();
  try {
    const [job, ...others] = group;
    // The transaction is all its own: what it gives up is given up as a whole.
    if (job !== undefined && others.length === 0) commitOrRollBack(connection, counter, () => job.run());
    else commitOrRollBack(connection, counter, () => runJobs(connection, group, failures));
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

/** The transaction has begun; it ends here, one way or the other. `work` returns false where nothing is to be kept. */
function commitOrRollBack(connection: Connection, counter: WriteCounter, work: () => boolean): void {
  try {
    expectKnownSchema(connection);
    if (!work()) {
      connection.statement('ROLLBACK').run();
      return;
    }
    counter.count();
    connection.statement('COMMIT').run();
    counter.keep();
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

function runJobs(connection: Connection, group: readonly Job[], failures: Map<Job, EngineError>): boolean {
  for (const job of group) {
    const failure = runJob(connection, job);
    if (failure !== null) failures.set(job, failure);
  }
  return true;
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
