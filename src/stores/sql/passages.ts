import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { EmbedderId, IndexEntry, Passage, StoredVector } from '../../model/passage.ts';
import type { RecordRow } from '../rows/record-columns.ts';
import { toStoredRecord } from '../rows/record-row.ts';
import { selectRecords } from './read-records.ts';
import { type Statement, type Steps, select, selectAll } from './statements.ts';

type PassageRow = { record_id: RecordId; ordinal: number; text: string };
type VectorRow = { record_id: RecordId; ordinal: number; embedder: EmbedderId; scale: number; bytes: Uint8Array };

export function* readPassagesOf(space: SpaceId, id: RecordId): Steps<readonly Passage[]> {
  return yield* select<Passage>(
    'SELECT ordinal, text FROM passages WHERE space_id = $1 AND record_id = $2 ORDER BY ordinal',
    ...[space, id],
  );
}

export function* readPassages(space: SpaceId, ids: readonly RecordId[]): Steps<Map<RecordId, Passage[]>> {
  const { sql, values } = selectPassages(space, ids);
  return groupPassages(yield* select<PassageRow>(sql, ...values));
}

function selectPassages(space: SpaceId, ids: readonly RecordId[]): Statement {
  return {
    sql: 'SELECT record_id, ordinal, text FROM passages WHERE space_id = $1 AND record_id = ANY ($2::text[]) ORDER BY record_id, ordinal',
    values: [space, ids],
  };
}

function selectVectors(space: SpaceId, ids: readonly RecordId[]): Statement {
  return {
    sql: `SELECT record_id, ordinal, embedder, scale, bytes FROM vectors
          WHERE space_id = $1 AND record_id = ANY ($2::text[]) ORDER BY record_id, ordinal, embedder`,
    values: [space, ids],
  };
}

/** Passages and vectors are asked for without waiting for the records: few of those named are deleted. */
export function* readIndexEntries(space: SpaceId, ids: readonly RecordId[]): Steps<IndexEntry[]> {
  const [records, passageRows, vectorRows] = yield* selectAll<[RecordRow, PassageRow, VectorRow]>(
    selectRecords(space, ids),
    selectPassages(space, ids),
    selectVectors(space, ids),
  );
  const known = new Map(records.map((row) => [row.id, toStoredRecord(row)]));
  const passages = groupPassages(passageRows);
  const vectors = groupVectors(vectorRows);
  return ids.map((id) => {
    const record = known.get(id) ?? null;
    const isLive = record !== null && record.deletedAt === null;
    return { id, record, passages: (isLive && passages.get(id)) || [], vectors: (isLive && vectors.get(id)) || [] };
  });
}

function groupPassages(rows: readonly PassageRow[]): Map<RecordId, Passage[]> {
  const found = new Map<RecordId, Passage[]>();
  for (const { record_id, ordinal, text } of rows) push(found, record_id, { ordinal, text });
  return found;
}

function groupVectors(rows: readonly VectorRow[]): Map<RecordId, StoredVector[]> {
  const found = new Map<RecordId, StoredVector[]>();
  for (const { record_id, ordinal, embedder, scale, bytes } of rows) {
    const signed = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    push(found, record_id, { embedder, ordinal, scale, bytes: signed });
  }
  return found;
}

function push<T>(lists: Map<RecordId, T[]>, id: RecordId, item: T): void {
  const list = lists.get(id);
  if (list === undefined) lists.set(id, [item]);
  else list.push(item);
}
