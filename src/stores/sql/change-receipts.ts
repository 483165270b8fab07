import type { Change, CommitConflict } from '../../model/change.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { CommitWork } from './commit-work.ts';
import { findRecordIds, repeatsWords } from './receipt-words.ts';
import { type Steps, select, send, sendRows, write } from './statements.ts';

const RECEIPT_RECORDS = { table: 'receipt_records', columns: ['record_id', 'key'] };

export function* applyReceipt(
  { space, index }: CommitWork,
  { key, fingerprint, answer, at }: Extract<Change, { op: 'receipt' }>,
): Steps<CommitConflict | null> {
  const text = JSON.stringify(answer);
  const added = yield* write(
    'INSERT INTO receipts (space_id, key, fingerprint, created_at, answer) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING',
    ...[space, key, fingerprint, at, text],
  );
  if (added === 0) return { reason: 'receipt', index, key };
  const rows = findRecordIds(text).map((id) => [id, key]);
  yield* sendRows({ into: RECEIPT_RECORDS, space, rows });
  return null;
}

/** Receipts that name the record by its id alone stay: a request sent again must not bring back what was purged. */
export function* deleteReceiptsWith(space: SpaceId, id: RecordId, texts: readonly string[]): Steps<void> {
  const receipts = yield* select<{ key: string; answer: string }>(
    `SELECT r.key, r.answer FROM receipt_records AS n JOIN receipts AS r ON r.space_id = n.space_id AND r.key = n.key
     WHERE n.space_id = $1 AND n.record_id = $2`,
    ...[space, id],
  );
  const keys = receipts.filter(({ answer }) => repeatsWords(answer, texts)).map(({ key }) => key);
  if (keys.length > 0) yield* send('DELETE FROM receipts WHERE space_id = $1 AND key = ANY ($2::text[])', space, keys);
}
