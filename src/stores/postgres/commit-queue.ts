import type { Committed } from '../../model/change.ts';
import { EngineError } from '../../model/errors.ts';
import type { ReplicaId, Sequence, SpaceId } from '../../model/ids.ts';
import type { CommitRequest } from '../sql/commit-work.ts';
import { runGroup } from './commit-group.ts';
import type { Database } from './database.ts';
import type { Transactions } from './transactions.ts';

/** Changes in one transaction, about: few enough that it lasts some ten milliseconds and other nodes get their turn. */
const MAX_GROUP_CHANGES = 200;

export interface Job {
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

export interface CommitSurroundings {
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
    while (jobs.length > 0) await runGroup(surroundings, space, takeGroup(jobs));
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

function takeGroup(jobs: Job[]): Job[] {
  let changes = 0;
  let count = 0;
  for (const { request } of jobs) {
    changes += 1 + request.changes.length;
    if (count > 0 && changes > MAX_GROUP_CHANGES) break;
    count++;
  }
  return jobs.splice(0, count);
}
