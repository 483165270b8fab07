import { randomUUID } from 'node:crypto';
import type { Committed } from '../../model/change.ts';
import { EngineError } from '../../model/errors.ts';
import type { SpaceId } from '../../model/ids.ts';
import { applyCommit } from '../sql/apply-commit.ts';
import type { CommitRequest, CommitStart } from '../sql/commit-work.ts';
import { lockHead, makeSpace, writeHead } from '../sql/feed.ts';
import type { CommitSurroundings, Job } from './commit-queue.ts';
import { isWitnessed, type Witness, witnessOf } from './commit-witness.ts';
import { findFirstFailure, type Session } from './database.ts';
import { expectKnownSchema } from './migrate.ts';
import { retryWhilePassing } from './retry.ts';
import { runSteps } from './run-steps.ts';
import { isConnectionLost, isPassing, sqlState, translateError } from './translate-error.ts';

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
export async function runGroup(surroundings: CommitSurroundings, space: SpaceId, jobs: readonly Job[]): Promise<void> {
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
    'The connection to the database broke while this was being written; it may or may not be there.',
    {
      hint: 'Look whether it is there before you send it again, or send it again with the same idempotency key.',
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

async function tryGroup({ database, transactions, replica }: CommitSurroundings, attempt: Attempt): Promise<Answer[]> {
  const { space, jobs, doubt } = attempt;
  return database.withSession(async (session) => {
    const [, , known] = await Promise.all([
      transactions.begin(session, { space }),
      expectKnownSchema(session),
      runSteps(session, lockHead(space)),
    ]);
    if (known === null) await runSteps(session, makeSpace(space, jobs[0]!.request.now));
    const head = known ?? (await runSteps(session, lockHead(space))) ?? 0;
    if (doubt !== null && (await isWitnessed(session, space, doubt.witness))) {
      await session.run('ROLLBACK');
      return doubt.answers;
    }
    attempt.doubt = null;
    const commitId = randomUUID();
    const { answers, head: seq } = await runJobs(session, jobs, { head, replica, mark: commitId });
    if (answers.every((answer) => answer instanceof EngineError || answer.outcome === 'conflict')) {
      await session.run('ROLLBACK');
      return answers;
    }
    if (seq !== head) await runSteps(session, writeHead(space, seq));
    await session.settle();
    attempt.doubt = { answers, witness: witnessOf(jobs, answers, seq === head ? null : { seq, commitId }) };
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
  start: CommitStart,
): Promise<{ answers: Answer[]; head: number }> {
  const answers: Answer[] = [];
  let { head } = start;
  for (const { request } of jobs) {
    const work = () => commitOne(session, request, { ...start, head });
    const answer = jobs.length === 1 ? await work() : await runSaved(session, work);
    if (!(answer instanceof EngineError) && answer.outcome === 'committed') head = answer.head;
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
    if (sqlState(failure) === null || isPassing(failure)) throw failure;
    await session.run('ROLLBACK TO SAVEPOINT job');
    return translateError(failure);
  }
}
