import type { Change, CommitConflict } from '../../model/change.ts';
import type { RecordId } from '../../model/ids.ts';
import { findRecordIds, repeatsWords } from '../receipt-words.ts';
import type { CommitWork } from './commit.ts';
import { sendRows } from './insert-rows.ts';

export async function applyReceipt(
  work: CommitWork,
  { key, fingerprint, answer, at }: Extract<Change, { op: 'receipt' }>,
): Promise<CommitConflict | null> {
  const { session, space } = work;
  const text = JSON.stringify(answer);
  const added = await session.query(
    'INSERT INTO receipts (space_id, key, fingerprint, created_at, answer) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING',
    [space, key, fingerprint, at, text],
  );
  if (added.count === 0) return { reason: 'receipt', index: work.index, key };
  sendRows(session, {
    table: 'receipt_records',
    columns: ['record_id', 'key'],
    space,
    rows: findRecordIds(text).map((id) => [id, key]),
  });
  return null;
}

/** Receipts that name the record by its id alone stay: a request sent again must not bring back what was purged. */
export async function deleteReceiptsWith(work: CommitWork, id: RecordId, texts: readonly string[]): Promise<void> {
  const { session, space } = work;
  const { rows } = await session.query<{ key: string; answer: string }>(
    `SELECT r.key, r.answer FROM receipt_records AS n JOIN receipts AS r ON r.space_id = n.space_id AND r.key = n.key
     WHERE n.space_id = $1 AND n.record_id = $2`,
    [space, id],
  );
  const keys = rows.filter(({ answer }) => repeatsWords(answer, texts)).map(({ key }) => key);
  if (keys.length > 0)
    session.send('DELETE FROM receipts WHERE space_id = $1 AND key = ANY ($2::text[])', [space, keys]);
}
