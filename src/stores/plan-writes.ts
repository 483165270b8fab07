import type { FeedOp, ImportChange, PutChange } from '../model/change.ts';
import type { Instant, RecordId, SpaceId } from '../model/ids.ts';
import type { Passage, StoredVector } from '../model/passage.ts';
import type { RecordKind, RecordVersion, StoredRecord } from '../model/record.ts';
import { checksumPassages, type RecordRow, type RecordRowWithSums, toRow, toStoredRecord } from './rows/record-row.ts';

/** What the feed will say of a change. */
export interface FeedNote {
  op: FeedOp;
  id: RecordId;
  kind: RecordKind | null;
  revision: number | null;
}

export interface RecordWrite {
  record: StoredRecord;
  passages: readonly Passage[];
  vectors: readonly StoredVector[];
  previous: RecordRowWithSums | undefined;
}

export interface RowWrite {
  row: RecordRow;
  passagesChecksum: Uint8Array;
  note: FeedNote;
}

export function recordOfPut(
  space: SpaceId,
  { id, content }: PutChange,
  previous: RecordRowWithSums | undefined,
): StoredRecord {
  return { ...content, space, id, revision: (previous?.revision ?? 0) + 1, deletedAt: null };
}

/** What a put replaces is kept. */
export function versionOf(
  previous: RecordRowWithSums,
  replacedAt: Instant,
  { reason = null }: { reason?: string | null },
): RecordVersion {
  return { record: toStoredRecord(previous), replacedAt, reason };
}

/** The record and its versions belong to the space of the commit, whatever space they were exported from. */
export function moveImport(
  space: SpaceId,
  { record, versions }: ImportChange,
): { record: StoredRecord; versions: RecordVersion[] } {
  return {
    record: { ...record, space },
    versions: versions.map((version) => ({ ...version, record: { ...version.record, space } })),
  };
}

export function planRecord({ record, passages, previous }: RecordWrite): RowWrite {
  const { id, kind, revision } = record;
  const passagesChecksum = checksumPassages(passages.toSorted((a, b) => a.ordinal - b.ordinal));
  return {
    row: toRow(record),
    passagesChecksum,
    note: { op: previous === undefined ? 'created' : 'updated', id, kind, revision },
  };
}

/** A deletion or restoration: everything stays but the mark. */
export function planMark(previous: RecordRowWithSums, op: 'deleted' | 'restored', deletedAt: Instant | null): RowWrite {
  const { feed_seq: _, checksum: __, passages_checksum: passagesChecksum, ...kept } = previous;
  const revision = previous.revision + 1;
  return {
    row: { ...kept, revision, deleted_at: deletedAt },
    passagesChecksum,
    note: { op, id: kept.id, kind: kept.kind, revision },
  };
}

/** A passage whose text stays as it was keeps its row, and with it the vectors it has. */
export function planPassages(
  before: readonly Passage[],
  after: readonly Passage[],
): { gone: number[]; fresh: Passage[] } {
  const kept = new Map(before.map(({ ordinal, text }) => [ordinal, text]));
  const wanted = new Map(after.map(({ ordinal, text }) => [ordinal, text]));
  return {
    gone: before.filter(({ ordinal, text }) => wanted.get(ordinal) !== text).map(({ ordinal }) => ordinal),
    fresh: after.filter(({ ordinal, text }) => kept.get(ordinal) !== text),
  };
}
