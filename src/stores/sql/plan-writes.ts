import { createHash } from 'node:crypto';
import type { FeedEntry, ImportChange, ImportedState, PutChange } from '../../model/change.ts';
import type { Dot, Instant, SpaceId } from '../../model/ids.ts';
import type { Passage, StoredVector } from '../../model/passage.ts';
import type { RecordVersion, StoredRecord } from '../../model/record.ts';
import { checksumPassages } from '../rows/checksums.ts';
import type { RecordRow, RecordRowWithSums } from '../rows/record-columns.ts';
import { toRow, toStoredRecord } from '../rows/record-row.ts';

/** What the feed will say of a change. */
export type FeedNote = Pick<FeedEntry, 'op' | 'id' | 'kind' | 'revision'> & Partial<Pick<FeedEntry, 'relation'>>;

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

/** What there is under an id before a change. */
export interface Standing {
  row: RecordRowWithSums | undefined;
  /** The last generation that was purged; 0: none. */
  buried: number;
}

export function recordOfPut(
  { id, content }: PutChange,
  { row, buried }: Standing,
  { space, dot }: { space: SpaceId; dot: Dot },
): StoredRecord {
  const [revision, generation] = row === undefined ? [1, buried + 1] : [row.revision + 1, row.generation];
  return { ...content, space, id, revision, deletedAt: null, generation, dot };
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
  { record, versions }: ImportChange,
  { space, dot }: { space: SpaceId; dot: Dot },
): { record: StoredRecord; versions: RecordVersion[] } {
  return {
    record: { ...record, space, dot: record.dot ?? dot },
    versions: versions.map((version) => {
      const { record: earlier } = version;
      return { ...version, record: { ...earlier, space, dot: earlier.dot ?? dotOfState(earlier) } };
    }),
  };
}

/** Nobody knows who wrote it; its own words name it, and nothing else. */
function dotOfState(state: ImportedState): Dot {
  return `${createHash('sha256').update(JSON.stringify(state)).digest('hex').slice(0, 16)}:${state.revision}`;
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
export function planMark(
  previous: RecordRowWithSums,
  op: 'deleted' | 'restored',
  { deletedAt, dot }: { deletedAt: Instant | null; dot: Dot },
): RowWrite {
  const { feed_seq: _, checksum: __, passages_checksum: passagesChecksum, ...kept } = previous;
  const revision = previous.revision + 1;
  return {
    row: { ...kept, revision, deleted_at: deletedAt, dot },
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
