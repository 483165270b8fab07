import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { EmbedderId, IndexEntry, Passage, StoredVector } from '../../model/passage.ts';
import type { Session } from './database.ts';
import { getRecords } from './read-records.ts';

type PassageRow = { record_id: RecordId; ordinal: number; text: string };
type VectorRow = { record_id: RecordId; ordinal: number; embedder: EmbedderId; scale: number; bytes: Uint8Array };

export async function readPassagesOf(session: Session, space: SpaceId, id: RecordId): Promise<Passage[]> {
  const { rows } = await session.query<Passage>(
    'SELECT ordinal, text FROM passages WHERE space_id = $1 AND record_id = $2 ORDER BY ordinal',
    [space, id],
  );
  return rows;
}

export async function readPassages(
  session: Session,
  space: SpaceId,
  ids: readonly RecordId[],
): Promise<Map<RecordId, Passage[]>> {
  const { rows } = await session.query<PassageRow>(
    'SELECT record_id, ordinal, text FROM passages WHERE space_id = $1 AND record_id = ANY ($2::text[]) ORDER BY record_id, ordinal',
    [space, ids],
  );
  const found = new Map<RecordId, Passage[]>();
  for (const { record_id, ordinal, text } of rows) push(found, record_id, { ordinal, text });
  return found;
}

async function readVectors(
  session: Session,
  space: SpaceId,
  ids: readonly RecordId[],
): Promise<Map<RecordId, StoredVector[]>> {
  const { rows } = await session.query<VectorRow>(
    `SELECT record_id, ordinal, embedder, scale, bytes FROM vectors
     WHERE space_id = $1 AND record_id = ANY ($2::text[]) ORDER BY record_id, ordinal, embedder`,
    [space, ids],
  );
  const found = new Map<RecordId, StoredVector[]>();
  for (const { record_id, ordinal, embedder, scale, bytes } of rows) {
    push(found, record_id, {
      embedder,
      ordinal,
      scale,
      bytes: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    });
  }
  return found;
}

/** Passages and vectors are asked for without waiting for the records: few of those named are deleted. */
export async function readIndexEntries(
  session: Session,
  space: SpaceId,
  ids: readonly RecordId[],
): Promise<IndexEntry[]> {
  const [records, passages, vectors] = await Promise.all([
    getRecords(session, space, ids),
    readPassages(session, space, ids),
    readVectors(session, space, ids),
  ]);
  const known = new Map(records.map((record) => [record.id, record]));
  return ids.map((id) => {
    const record = known.get(id) ?? null;
    const isLive = record !== null && record.deletedAt === null;
    return { id, record, passages: (isLive && passages.get(id)) || [], vectors: (isLive && vectors.get(id)) || [] };
  });
}

function push<T>(lists: Map<RecordId, T[]>, id: RecordId, item: T): void {
  const list = lists.get(id);
  if (list === undefined) lists.set(id, [item]);
  else list.push(item);
}
