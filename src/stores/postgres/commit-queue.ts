import { randomUUID } from 'node:crypto';
import type { Change, Committed } from '../../model/change.ts';
import { EngineError } from '../../model/errors.ts';
import type { ReplicaId, Sequence, SpaceId } from '../../model/ids.ts';
import { applyCommit } from '../sql/apply-commit.ts';
import type { CommitRequest, CommitStart } from '../sql/commit-work.ts';
import { type Head, lockHead, makeSpace, writeHead } from '../sql/feed.ts';
import { ALL_COUNTED } from '../sql/label-counts.ts';
import { addTally, newTally, noRows } from '../sql/sums.ts';
import { takeGroup } from '../sql/take-group.ts';
import { type Database, findFirstFailure, type Session } from './database.ts';
import { expectKnownSchema } from './migrate.ts';
import { runSteps } from './run-steps.ts';
import type { Transactions } from './transactions.ts';
import { isConnectionLost, isPassing, retryWhilePassing, sqlState, translateError } from './translate-error.ts';

/** Changes in one transaction, about: few enough that it lasts some ten milliseconds and other nodes get their turn. */
const MAX_GROUP_CHANGES = 200;

interface Job {
  request: CommitRequest;
  succeed(answer: Committed): void;
  fail(error: EngineError): void;
}

export interface CommitQueue {
  /** Resolves when the server has it on its disk. */
  commit(request: CommitRequest): Promise<Committed>;
  /** Resolves when all that was asked for is done; more is refused. */
  close(): Promise<void>;
}

interface CommitSurroundings {
  database: Database;
  transactions: Transactions;
  replica: ReplicaId;
  longestWaitMs: number;
  /** Told after each commit that changed a space. */
  announce(space: SpaceId, head: Sequence): void;
}

/**
 * Group commit, one queue for each space: commits of a space wait for each other anyway, at the feed's head, so of one process only one
 * connection waits there, and whatever arrives meanwhile goes into the next transaction together. Spaces go on independently.
 */
export function createCommitQueue(surroundings: CommitSurroundings): CommitQueue {
  const waiting = new Map<SpaceId, Job[]>();
  const draining = new Map<SpaceId, Promise<void>>();
  let closed = false;

  async function drain(space: SpaceId, jobs: Job[]): Promise<void> {
    const weigh = ({ request }: Job) => 1 + request.changes.length;
    while (jobs.length > 0) await runGroup(surroundings, space, takeGroup(jobs, MAX_GROUP_CHANGES, weigh));
    waiting.delete(space);
    draining.delete(space);
  }

  return {
    commit(request) {
      if (closed) return Promise.reject(new EngineError('internal', 'The store is closed.'));
      return new Promise<Committed>((resolve, reject) => {
        const jobs = waiting.get(request.space) ?? [];
        jobs.push({ request, succeed: resolve, fail: reject });
        waiting.set(request.space, jobs);
        if (!draining.has(request.space)) draining.set(request.space, drain(request.space, jobs));
      });
    },
    async close() {
      closed = true;
      await Promise.all(draining.values());
    },
  };
}

const LOCK_NOT_AVAILABLE = '55P03';

type Answer = Committed | EngineError;

/** A COMMIT was sent and no answer came: it may or may not have happened. */
interface Doubt {
  answers: Answer[];
  witness: Witness;
}

/**
 * Applies the commits of a group in one transaction and tells each its answer. After a lost connection the next try first looks, holding the
 * feed's head, whether the last one had been committed after all: so nothing is applied twice, and nothing that happened is reported as lost.
 */
async function runGroup(surroundings: CommitSurroundings, space: SpaceId, jobs: readonly Job[]): Promise<void> {
  const attempt: Attempt = { space, jobs, doubt: null };
  // The server may still be busy with the transaction whose connection broke; then the head stays locked for a while.
  const isWorthRetrying = (error: unknown) =>
    isPassing(error) || (attempt.doubt !== null && sqlState(error) === LOCK_NOT_AVAILABLE);
  try {
    const answers = await retryWhilePassing(
      () => tryGroup(surroundings, attempt),
      surroundings.longestWaitMs,
      isWorthRetrying,
    );
    const last = answers.findLast((answer) => !(answer instanceof EngineError) && answer.outcome === 'committed');
    if (last !== undefined && 'head' in last) surroundings.announce(space, last.head);
    for (const [i, job] of jobs.entries()) tell(job, answers[i]!);
  } catch (error) {
    const failure = attempt.doubt === null ? translateError(error) : outcomeUnknown(error);
    for (const job of jobs) job.fail(failure);
  }
}

function tell(job: Job, answer: Answer): void {
  if (answer instanceof EngineError) job.fail(answer);
  else job.succeed(answer);
}

function outcomeUnknown(cause: unknown): EngineError {
  return new EngineError(
    'busy',
    'The connection to the database broke during this write; it may or may not have been applied.',
    {
      hint: 'Check whether it was applied before you send it again, or send it again with the same idempotency key.',
      details: { outcome: 'unknown' },
      cause,
    },
  );
}

interface Attempt {
  space: SpaceId;
  jobs: readonly Job[];
  doubt: Doubt | null;
}

const NOTHING_YET: Head = {
  seq: 0,
  counts: noRows(),
  counted: ALL_COUNTED,
  pruned: 0,
  replica: null,
  epoch: null,
  sealed: 0,
};

async function tryGroup({ database, transactions, replica }: CommitSurroundings, attempt: Attempt): Promise<Answer[]> {
  const { space, jobs, doubt } = attempt;
  return database.withSession(async (session) => {
    const [, , known] = await Promise.all([
      transactions.begin(session, { space }),
      expectKnownSchema(session),
      runSteps(session, lockHead(space)),
    ]);
    if (known === null) await runSteps(session, makeSpace(space, jobs[0]!.request.now));
    const head = known ?? (await runSteps(session, lockHead(space))) ?? NOTHING_YET;
    if (doubt !== null && (await isWitnessed(session, space, doubt.witness))) {
      await session.run('ROLLBACK');
      return doubt.answers;
    }
    attempt.doubt = null;
    const commitId = randomUUID();
    const { answers, head: reached } = await runJobs(session, jobs, {
      head,
      mark: commitId,
      replica: head.replica ?? replica,
      isSealed: head.sealed > 0,
    });
    const { seq } = reached;
    if (answers.every((answer) => answer instanceof EngineError || answer.outcome === 'conflict')) {
      await session.run('ROLLBACK');
      return answers;
    }
    if (seq !== head.seq) await runSteps(session, writeHead(space, reached));
    await session.settle();
    attempt.doubt = { answers, witness: witnessOf(jobs, answers, seq === head.seq ? null : { seq, commitId }) };
    await end(session, attempt);
    return answers;
  });
}

async function end(session: Session, attempt: Attempt): Promise<void> {
  try {
    const command = await session.run('COMMIT');
    if (command !== 'COMMIT')
      throw new EngineError('internal', 'The database did not commit.', { details: { command } });
    attempt.doubt = null;
  } catch (error) {
    // The server itself said no: there is nothing to doubt.
    if (error instanceof EngineError || (sqlState(error) !== null && !isConnectionLost(error))) attempt.doubt = null;
    throw error;
  }
}

async function runJobs(
  session: Session,
  jobs: readonly Job[],
  start: Pick<CommitStart, 'replica' | 'mark' | 'isSealed'> & { head: Head },
): Promise<{ answers: Answer[]; head: Head }> {
  const answers: Answer[] = [];
  let { head } = start;
  for (const { request } of jobs) {
    const tally = newTally(head.counted);
    const work = () => commitOne(session, request, { ...start, head: head.seq, tally });
    const answer = jobs.length === 1 ? await work() : await runSaved(session, work);
    if (!(answer instanceof EngineError) && answer.outcome === 'committed')
      head = {
        ...head,
        seq: answer.head,
        counts: addTally(head.counts, tally),
        counted: tally.isUnsure ? '' : head.counted,
      };
    answers.push(answer);
  }
  return { answers, head };
}

async function commitOne(session: Session, request: CommitRequest, start: CommitStart): Promise<Committed> {
  const committed = await runSteps(session, applyCommit(request, start));
  if (committed.outcome === 'committed') await session.settle();
  return committed;
}

/** A savepoint for each, so that one that fails or gives up takes nothing of the others with it. */
async function runSaved(session: Session, work: () => Promise<Committed>): Promise<Answer> {
  session.send('SAVEPOINT job');
  try {
    const answer = await work();
    session.send(answer.outcome === 'conflict' ? 'ROLLBACK TO SAVEPOINT job' : 'RELEASE SAVEPOINT job');
    await session.settle();
    return answer;
  } catch (error) {
    const failure = await findFirstFailure(session, error);
    if (failure instanceof EngineError && failure.code === 'space_sealed') {
      await session.run('ROLLBACK TO SAVEPOINT job');
      return failure;
    }
    if (sqlState(failure) === null || isPassing(failure)) throw failure;
    await session.run('ROLLBACK TO SAVEPOINT job');
    return translateError(failure);
  }
}

type ReceiptChange = Extract<Change, { op: 'receipt' }>;

/** What is in the database exactly if a transaction was committed; null when it wrote nothing that could not be written again. */
type Witness = { seq: Sequence; commitId: string } | { receipt: ReceiptChange } | null;

function witnessOf(
  jobs: readonly Job[],
  answers: readonly (Committed | EngineError)[],
  lastEntry: { seq: Sequence; commitId: string } | null,
): Witness {
  if (lastEntry !== null) return lastEntry;
  const kept = jobs.filter((_, i) => {
    const answer = answers[i]!;
    return !(answer instanceof EngineError) && answer.outcome === 'committed';
  });
  const receipt = kept.flatMap(({ request }) => request.changes).find((change) => change.op === 'receipt');
  return receipt === undefined ? null : { receipt };
}

/** Asked while the feed's head is locked: a transaction that is still under way holds that lock, so the answer is final. */
async function isWitnessed(session: Session, space: SpaceId, witness: Witness): Promise<boolean> {
  if (witness === null) return false;
  if ('seq' in witness) {
    const found = await session.query('SELECT 1 FROM feed WHERE space_id = $1 AND seq = $2 AND commit_id = $3', [
      space,
      witness.seq,
      witness.commitId,
    ]);
    return found.count > 0;
  }
  const { key, fingerprint, at, answer } = witness.receipt;
  const found = await session.query(
    'SELECT 1 FROM receipts WHERE space_id = $1 AND key = $2 AND fingerprint = $3 AND created_at = $4 AND answer = $5',
    [space, key, fingerprint, at, JSON.stringify(answer)],
  );
  return found.count > 0;
}
