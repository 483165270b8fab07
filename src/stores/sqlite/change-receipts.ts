import type { Change, CommitConflict } from '../../model/change.ts';
import type { RecordId } from '../../model/ids.ts';
import type { CommitWork } from './commit.ts';

/** An id where it stands as a whole JSON string. */
const QUOTED_RECORD_ID = /"([0-9a-hjkmnp-tv-z]{20})"/g;
/** Characters of a text by which a receipt that quotes it is known: enough for a title or a first line. */
const BEGINNING = 32;

export function applyReceipt(work: CommitWork, { key, fingerprint, answer, at }: Extract<Change, { op: 'receipt' }>): CommitConflict | null {
  const { connection, space } = work;
  const text = JSON.stringify(answer);
  const added = connection
    .statement('INSERT INTO receipts (space_id, key, fingerprint, created_at, answer) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING')
    .run(space, key, fingerprint, at, text);
  if (added.changes === 0) return { reason: 'receipt', index: work.index, key };
  // An answer may repeat the words of the records it is about, so a purge of one of them must find it.
  for (const id of new Set(Array.from(text.matchAll(QUOTED_RECORD_ID), (match) => match[1]!))) {
    connection.statement('INSERT INTO receipt_records (space_id, record_id, key) VALUES (?, ?, ?)').run(space, id, key);
  }
  return null;
}

/** Receipts that name the record by its id alone stay: a request sent again must not bring back what was purged. */
export function deleteReceiptsWith(work: CommitWork, id: RecordId, texts: readonly string[]): void {
  const { connection, space } = work;
  const beginnings = texts.map((text) => JSON.stringify(Array.from(text.trim()).slice(0, BEGINNING).join('')).slice(1, -1));
  const receipts = connection
    .statement(
      `SELECT r.key, r.answer FROM receipt_records AS n JOIN receipts AS r ON r.space_id = n.space_id AND r.key = n.key
       WHERE n.space_id = ? AND n.record_id = ?`,
    )
    .all(space, id) as { key: string; answer: string }[];
  for (const { key, answer } of receipts) {
    if (!beginnings.some((beginning) => answer.includes(beginning))) continue;
    connection.statement('DELETE FROM receipts WHERE space_id = ? AND key = ?').run(space, key);
  }
}
