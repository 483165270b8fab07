import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import type { Applying, CommitWork, Of } from './commit-work.ts';
import { exists, type SqlDatabase, type Steps, select, send, sendRows, write } from './statements.ts';
import { withSum } from './sums.ts';

const RECEIPT_RECORDS = { table: 'receipt_records', columns: ['record_id', 'key'] };

export function* applyReceipt({ space, index }: CommitWork, { key, fingerprint, answer, at }: Of<'receipt'>): Applying {
  const text = JSON.stringify(answer);
  const added = yield* write(
    'INSERT INTO receipts (space_id, key, fingerprint, created_at, answer, crc) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING',
    space,
    ...withSum([key, fingerprint, at, text]),
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
    space,
    id,
  );
  const keys = receipts.filter(({ answer }) => repeatsWords(answer, texts)).map(({ key }) => key);
  if (keys.length > 0) yield* send('DELETE FROM receipts WHERE space_id = $1 AND key = ANY ($2::text[])', space, keys);
}

/** An id where it stands as a whole JSON string. */
const QUOTED_RECORD_ID = /"([0-9a-hjkmnp-tv-z]{20})"/g;
/** Characters of a text by which a receipt that quotes it is known: enough for a title or a first line. */
const BEGINNING = 32;

/** The records that an answer is about. It may repeat their words, so a purge of one of them must find it. */
function findRecordIds(answer: string): RecordId[] {
  return [...new Set(Array.from(answer.matchAll(QUOTED_RECORD_ID), (match) => match[1]!))];
}

/** Whether an answer, as JSON, repeats the beginning of one of the texts. */
function repeatsWords(answer: string, texts: readonly string[]): boolean {
  return texts.some((text) =>
    answer.includes(JSON.stringify(Array.from(text.trim()).slice(0, BEGINNING).join('')).slice(1, -1)),
  );
}

const OLDEST = 'SELECT key FROM receipts WHERE space_id = $1 AND created_at < $2 ORDER BY created_at LIMIT $3';

export async function pruneReceipts(
  database: SqlDatabase,
  space: SpaceId,
  { before, limit }: { before: Instant; limit: number },
): Promise<number> {
  // Asked in every round of upkeep, and seldom with something to do.
  if (!(await database.read({ space }, () => exists(OLDEST, space, before, 1)))) return 0;
  const remove = () =>
    write(`DELETE FROM receipts WHERE space_id = $1 AND key IN (${OLDEST})`, space, before, Math.max(0, limit));
  return database.write({ space }, remove, { weight: limit, frees: true });
}
