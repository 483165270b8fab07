import type { Change, CommitConflict } from '../../model/change.ts';
import type { RecordId } from '../../model/ids.ts';
import { findRecordIds, repeatsWords } from '../receipt-words.ts';
import type { CommitWork } from './commit.ts';

export function applyReceipt(
  work: CommitWork,
  { key, fingerprint, answer, at }: Extract<Change, { op: 'receipt' }>,
): CommitConflict | null {
  const { connection, space } = work;
  const text = JSON.stringify(answer);
  const added = connection
    .statement(
      'INSERT INTO receipts (space_id, key, fingerprint, created_at, answer) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
    )
    .run(space, key, fingerprint, at, text);
  if (added.changes === 0) return { reason: 'receipt', index: work.index, key };
  for (const id of findRecordIds(text)) {
    connection.statement('INSERT INTO receipt_records (space_id, record_id, key) VALUES (?, ?, ?)').run(space, id, key);
  }
  return null;
}

/** Receipts that name the record by its id alone stay: a request sent again must not bring back what was purged. */
export function deleteReceiptsWith(work: CommitWork, id: RecordId, texts: readonly string[]): void {
  const { connection, space } = work;
  const receipts = connection
    .statement(
      `SELECT r.key, r.answer FROM receipt_records AS n JOIN receipts AS r ON r.space_id = n.space_id AND r.key = n.key
       WHERE n.space_id = ? AND n.record_id = ?`,
    )
    .all(space, id) as { key: string; answer: string }[];
  for (const { key, answer } of receipts) {
    if (!repeatsWords(answer, texts)) continue;
    connection.statement('DELETE FROM receipts WHERE space_id = ? AND key = ?').run(space, key);
  }
}
