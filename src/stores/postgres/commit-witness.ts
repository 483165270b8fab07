import type { Change, Committed } from '../../model/change.ts';
import { EngineError } from '../../model/errors.ts';
import type { Sequence, SpaceId } from '../../model/ids.ts';
import type { Job } from './commit-queue.ts';
import type { Session } from './database.ts';

type ReceiptChange = Extract<Change, { op: 'receipt' }>;

/** What is in the database exactly if a transaction was committed; null when it wrote nothing that could not be written again. */
export type Witness = { seq: Sequence; commitId: string } | { receipt: ReceiptChange } | null;

export function witnessOf(
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
export async function isWitnessed(session: Session, space: SpaceId, witness: Witness): Promise<boolean> {
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
