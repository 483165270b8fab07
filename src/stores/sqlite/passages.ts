import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { EmbedderId, IndexEntry, Passage, StoredVector } from '../../model/passage.ts';
import { type Connection, readSnapshot } from './connection.ts';
import { getRecords } from './read-records.ts';

type VectorRow = { record_id: RecordId; ordinal: number; embedder: EmbedderId; scale: number; bytes: Uint8Array };

const AMONG_IDS = 'record_id IN (SELECT value FROM json_each(?))';

export function readPassagesOf(connection: Connection, space: SpaceId, id: RecordId): Passage[] {
  return connection
    .statement('SELECT ordinal, text FROM passages WHERE space_id = ? AND record_id = ? ORDER BY ordinal')
    .all(space, id) as (Passage & Record<string, string | number>)[];
}

export function readPassages(
  connection: Connection,
  space: SpaceId,
  ids: readonly RecordId[],
): Map<RecordId, Passage[]> {
  const rows = connection
    .statement(
      `SELECT record_id, ordinal, text FROM passages WHERE space_id = ? AND ${AMONG_IDS} ORDER BY record_id, ordinal`,
    )
    .all(space, JSON.stringify(ids)) as { record_id: RecordId; ordinal: number; text: string }[];
  const found = new Map<RecordId, Passage[]>();
  for (const { record_id, ordinal, text } of rows) push(found, record_id, { ordinal, text });
  return found;
}

function readVectors(connection: Connection, space: SpaceId, ids: readonly RecordId[]): Map<RecordId, StoredVector[]> {
  const rows = connection
    .statement(
      `SELECT record_id, ordinal, embedder, scale, bytes FROM vectors WHERE space_id = ? AND ${AMONG_IDS} ORDER BY record_id, ordinal, embedder`,
    )
    .all(space, JSON.stringify(ids)) as VectorRow[];
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

export function readIndexEntries(connection: Connection, space: SpaceId, ids: readonly RecordId[]): IndexEntry[] {
  return readSnapshot(connection, () => {
    const records = new Map(getRecords(connection, space, ids).map((record) => [record.id, record]));
    const live = ids.filter((id) => records.get(id)?.deletedAt === null);
    const passages = readPassages(connection, space, live);
    const vectors = readVectors(connection, space, live);
    return ids.map((id) => ({
      id,
      record: records.get(id) ?? null,
      passages: passages.get(id) ?? [],
      vectors: vectors.get(id) ?? [],
    }));
  });
}

function push<T>(lists: Map<RecordId, T[]>, id: RecordId, item: T): void {
  const list = lists.get(id);
  if (list === undefined) lists.set(id, [item]);
  else list.push(item);
}
