import { setImmediate as nextTurn } from 'node:timers/promises';
import { EngineError } from '../../model/errors.ts';
import { giveWay } from '../../model/turn.ts';
import type { WriteOptions } from '../sql/statements.ts';
import { takeGroup } from '../sql/take-group.ts';
import type { Ballast } from './ballast.ts';
import { type Connection, IN_MEMORY, openConnection } from './connection.ts';
import type { WriteCounter } from './count-writes.ts';
import { expectKnownSchema } from './migrate.ts';
import { endsTransaction, isBusy, needsReopen, translateError, waitBeforeRetry } from './translate-error.ts';
import { truncateWal, type WalScrubber } from './wal-scrubber.ts';

/** Changes in one transaction: few enough that it lasts some ten milliseconds and other processes get their turn. */
const MAX_GROUP_WEIGHT = 500;
const ALONE = Number.MAX_SAFE_INTEGER;

/** What a piece of writing came to; with `keep: false` all it wrote is undone, and only that. */
interface Verdict<T> {
  keep: boolean;
  value: T;
}

/** The same work on another connection, which lets others run while it goes on. */
type InTurns<T> = (connection: Connection) => Promise<Verdict<T>>;

type Options<T> = Omit<WriteOptions<unknown>, 'keeps' | 'isLong'> & { inTurns?: InTurns<T> | undefined };

interface Job {
  since: number;
  weight: number;
  scrub: boolean;
  frees: boolean;
  run(): boolean;
  runInTurns: ((connection: Connection) => Promise<boolean>) | null;
  succeed(): void;
  fail(error: EngineError): void;
}

export interface WriterQueue {
  /**
   * Resolves when the disk has it. `work` is synchronous and runs inside a transaction shared with others; with `inTurns` this is done instead, in a
   * transaction of its own, wherever a second connection is to be had.
   */
  write<T>(work: () => Verdict<T>, options?: Options<T>): Promise<T>;
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
      if (rescued.length === 0 && (await runLong(connection, parts, queue))) return;
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
    const group = takeGroup(queue, MAX_GROUP_WEIGHT, ({ weight, runInTurns }) =>
      runInTurns === null ? weight : ALONE,
    );
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
    write<T>(work: () => Verdict<T>, options: Options<T> = {}): Promise<T> {
      if (closed) return Promise.reject(new EngineError('internal', 'The store is closed.'));
      return new Promise<T>((resolve, reject) => {
        let succeed = () => {};
        const take = ({ keep, value }: Verdict<T>): boolean => {
          succeed = () => resolve(value);
          return keep;
        };
        const { inTurns } = options;
        queue.push({
          since: performance.now(),
          weight: options.weight ?? 1,
          scrub: options.scrub ?? false,
          frees: options.frees ?? false,
          run: () => take(work()),
          runInTurns: inTurns === undefined ? null : async (own) => take(await inTurns(own)),
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

/** Whether the first that waits was one for a connection of its own, and is done with. */
async function runLong(connection: Connection, parts: QueueParts, queue: Job[]): Promise<boolean> {
  const [job] = queue;
  if (job === undefined || job.runInTurns === null) return false;
  const { runInTurns } = job;
  const own = openLongWriter(connection);
  if (own === null) return false;
  try {
    // Another process is writing: it is waited for like before any other write.
    if (!begin(own)) return false;
    const failure = await commitInTurns(own, parts.counter, () => runInTurns(own));
    if (failure?.code === 'storage_full') {
      // Tried anew like any other, which may get what is kept for a full disk.
      queue[0] = { ...job, runInTurns: null };
      return true;
    }
    queue.shift();
    if (failure === null && job.scrub) parts.scrubber.scrub();
    settle([job], failure ?? new Map());
  } finally {
    own.close();
  }
  return true;
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
    end(connection, counter, work());
  } catch (error) {
    throw giveUp(connection, error);
  }
}

/** The same for work that lets others run meanwhile; null: it is done. */
async function commitInTurns(
  connection: Connection,
  counter: WriteCounter,
  work: () => Promise<boolean>,
): Promise<EngineError | null> {
  try {
    expectKnownSchema(connection);
    const keeps = await work();
    await giveWay();
    end(connection, counter, keeps);
    return null;
  } catch (error) {
    return giveUp(connection, error);
  }
}

function end(connection: Connection, counter: WriteCounter, keeps: boolean): void {
  if (!keeps) {
    connection.statement('ROLLBACK').run();
    return;
  }
  counter.count(connection);
  connection.statement('COMMIT').run();
  counter.keep();
}

function giveUp(connection: Connection, error: unknown): EngineError {
  if (needsReopen(error) || !rollBack(connection)) connection.discard();
  return translateError(error);
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

/**
 * A second connection to the same file, for one transaction that goes on over several turns of the event loop: what is read meanwhile, on the first, sees
 * nothing of it. Null where there can be only one, or none can be opened just now: the write is then done in one go.
 */
function openLongWriter({ path, isAlone }: Connection): Connection | null {
  if (path === IN_MEMORY || isAlone) return null;
  try {
    const own = openConnection(path);
    if (!own.isAlone) return own;
    own.close();
    return null;
  } catch (error) {
    if (translateError(error).code === 'internal') throw error;
    return null;
  }
}
