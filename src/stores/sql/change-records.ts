import type { CommitConflict, ImportChange, ImportedState, PutChange } from '../../model/change.ts';
import { refuseDamage } from '../../model/damage.ts';
import type { Dot, RecordId, SpaceId } from '../../model/ids.ts';
import type { Passage, StoredVector } from '../../model/passage.ts';
import type { RecordKind, StoredRecord } from '../../model/record.ts';
import { sha256Of } from '../../model/sha256.ts';
import {
  type Applying,
  appendToFeed,
  type CommitWork,
  findRival,
  missing,
  nextDot,
  type Of,
  readNewStanding,
  readStanding,
  readWeight,
  writeRow,
} from './commit-work.ts';
import { tallyWeight, weigh } from './label-counts.ts';
import { checksumPassages, placePassages, textOf } from './passage-places.ts';
import { readPlaced } from './passages.ts';
import {
  isAsWritten,
  type NewVersionRow,
  type RecordRow,
  type RecordRowWithSums,
  sumVersions,
  toRow,
  toStoredRecord,
  toVersionRow,
  VERSION_COLUMNS,
  versionValues,
} from './record-row.ts';
import { removeAnyTags, removeTags, writeTags } from './record-tags.ts';
import { deleteStamps, replaceStamps, stampNew, stampPut } from './stamp-writes.ts';
import { find, insertRows, type SqlValue, type Steps, select, send, sendRows } from './statements.ts';
import { summedColumns, VECTORS, withSum } from './sums.ts';
import { writePassages } from './write-passages.ts';

const VERSIONS = { table: 'record_versions', columns: ['record_id', ...VERSION_COLUMNS, 'feed_seq'] };
const SUMMED_VECTORS = { table: 'vectors', columns: summedColumns(VECTORS) };
const CONFLICT = 'ON CONFLICT (space_id, record_id, ordinal, embedder) DO';
const KEEP = { ...SUMMED_VECTORS, conflict: `${CONFLICT} NOTHING` };
const REPLACE = {
  ...SUMMED_VECTORS,
  conflict: `${CONFLICT} UPDATE SET scale = excluded.scale, bytes = excluded.bytes, crc = excluded.crc`,
};

/** What a put replaces is kept. */
export function* applyPut(work: CommitWork, change: PutChange): Applying {
  const { space, index } = work;
  const { id, content, passages, vectors, unlessDuplicate, reason = null, isDerived } = change;
  const isNew = typeof change.expect === 'string';
  const { row: previous, buried, stamps: had } = yield* isNew ? readNewStanding(work, id) : readStanding(work, id);
  const { kind, project, key } = content;
  const claim = { space, id, kind, project, key, contentHash: unlessDuplicate ? content.contentHash : null };
  const conflict = refusePut(change, { previous, buried, index }) ?? (yield* findRival(index, claim));
  if (conflict !== null) return conflict;
  // Kept as a version, it would look sound.
  if (previous !== undefined && !isAsWritten(previous)) refuseDamage({ what: 'record', id });
  const [revision, generation] =
    previous === undefined
      ? [1, Math.max(buried + 1, had?.generation ?? 0)]
      : [previous.revision + 1, previous.generation];
  const record = { ...content, space, id, revision, deletedAt: null, generation, dot: nextDot(work) };
  const versions =
    previous === undefined || isDerived === true
      ? []
      : [toVersionRow({ record: toStoredRecord(previous), replacedAt: work.now, reason })];
  const before = previous === undefined ? 0 : (previous.versions_sum ?? (yield* sumStored(space, id)));
  const versionsSum = sumVersions(checksumsOf(versions), before);
  const known = previous === undefined ? null : toStoredRecord(previous);
  const state = stampPut(work, { previous: known, had, record, isDerived: isDerived === true });
  yield* writeRecord(work, { record, passages, vectors, previous, versionsSum });
  yield* writeVersions(work, id, versions);
  yield* replaceStamps(space, id, { had, generation, state });
  return null;
}

function refusePut(
  { id, expect }: PutChange,
  { previous, buried, index }: { previous: RecordRowWithSums | undefined; buried: number; index: number },
): CommitConflict | null {
  if (expect === 'never' && previous === undefined && buried > 0) return { reason: 'purged', index, id };
  if (expect === 'new' || expect === 'never') return previous === undefined ? null : { reason: 'exists', index, id };
  // A deleted record must be restored before it can be changed.
  if (previous === undefined || previous.deleted_at !== null) return missing(index, id);
  return previous.revision === expect ? null : { reason: 'revision', index, id, actual: previous.revision };
}

/** The record and its versions belong to the space of the commit, whatever space they were exported from. */
export function* applyImport(work: CommitWork, change: ImportChange): Applying {
  const { space, index } = work;
  const { passages, vectors, versions } = change;
  const record = { ...change.record, space, dot: change.record.dot ?? nextDot(work) };
  const { id, kind, project, deletedAt } = record;
  const { row, buried, stamps: had } = yield* readStanding(work, id);
  if (row !== undefined) return { reason: 'exists', index, id };
  // One that was deleted and let go is not brought back by a copy from before.
  if (Math.max(buried, had?.generation ?? 0) >= record.generation) return { reason: 'purged', index, id };
  // A copy of what was elsewhere is taken with its duplicates; a deleted one holds no key.
  const key = deletedAt === null ? record.key : null;
  const rival = yield* findRival(index, { space, id, kind, project, key, contentHash: null });
  if (rival !== null) return rival;
  const earlier = versions.map((version) => {
    const state = version.record;
    return toVersionRow({ ...version, record: { ...state, space, dot: state.dot ?? dotOfState(state) } });
  });
  const versionsSum = sumVersions(checksumsOf(earlier));
  const state = change.record.dot === null ? stampNew(work, record) : (change.stamps ?? null);
  yield* writeRecord(work, { record, passages, vectors, previous: undefined, versionsSum });
  yield* writeVersions(work, id, earlier);
  yield* replaceStamps(space, id, { had, generation: record.generation, state });
  return null;
}

export function* applyMend(work: CommitWork, { record: given, passages, expect }: Of<'mend'>): Applying {
  const { space, index } = work;
  const { id, kind, project, deletedAt } = given;
  const { row, stamps: had } = yield* readStanding(work, id);
  if ((row?.revision ?? null) !== expect) return { reason: 'revision', index, id, actual: row?.revision ?? 0 };
  const key = deletedAt === null ? given.key : null;
  const rival = yield* findRival(index, { space, id, kind, project, key, contentHash: null });
  if (rival !== null) return rival;
  work.tally.isUnsure = true;
  const record = { ...given, space, dot: given.dot ?? nextDot(work) };
  const passagesChecksum = checksumPassages(passages);
  yield* writeRow(work, row === undefined ? 'created' : 'updated', {
    row: toRow(record),
    passagesChecksum,
    previous: row,
    versionsSum: row?.versions_sum ?? null,
  });
  yield* removeAnyTags(space, id);
  yield* send('DELETE FROM passages WHERE space_id = $1 AND record_id = $2', space, id);
  yield* writeTags(space, id, record.tags);
  yield* writePassages(space, id, {
    before: [],
    after: placePassages(passages, record.content),
    texts: new Map(),
    content: record.content,
  });
  // Another state than the one that was stamped: its own dot stands for all of it.
  if (had !== null && record.dot !== row?.dot) yield* deleteStamps(space, id);
  return null;
}

/** Nobody knows who wrote it; its own words name it, and nothing else. */
function dotOfState(state: ImportedState): Dot {
  return `${sha256Of(JSON.stringify(state)).slice(0, 16)}:${state.revision}`;
}

interface RecordWrite {
  record: StoredRecord;
  passages: readonly Passage[];
  vectors: readonly StoredVector[];
  previous: RecordRowWithSums | undefined;
  versionsSum: number;
}

/** Of those that a release wrote which kept no sum of them. */
export function* sumStored(space: SpaceId, id: RecordId): Steps<number> {
  const rows = yield* select<{ checksum: Uint8Array }>(
    'SELECT checksum FROM record_versions WHERE space_id = $1 AND record_id = $2',
    space,
    id,
  );
  return sumVersions(checksumsOf(rows));
}

export function checksumsOf(rows: readonly { checksum: Uint8Array }[]): Uint8Array[] {
  return rows.map(({ checksum }) => checksum);
}

export function* writeRecord(
  work: CommitWork,
  { record, passages, vectors, previous, versionsSum }: RecordWrite,
): Steps<void> {
  const { space } = work;
  const { id } = record;
  const row = toRow(record);
  const passagesChecksum = checksumPassages(passages.toSorted((a, b) => a.ordinal - b.ordinal));
  yield* writeRow(work, opOf(previous, row), { row, passagesChecksum, versionsSum, previous });
  if (row.tags !== previous?.tags) {
    if (previous !== undefined) yield* removeTags(space, previous);
    yield* writeTags(space, id, record.tags);
  }
  const before = previous === undefined ? [] : yield* readPlaced(space, id);
  const texts = new Map(before.map((placed) => [placed.ordinal, textOf(placed, previous?.content)]));
  // The last of several for one passage and embedder counts: a statement may not touch a row twice.
  const distinct = new Map(vectors.map((vector) => [`${vector.ordinal} ${vector.embedder}`, vector]));
  const given = [...distinct.values()];
  if (previous !== undefined && previous.deleted_at === null) yield* loseWeight(work, id);
  work.weights.delete(id);
  yield* writePassages(space, id, {
    before,
    texts,
    after: placePassages(passages, record.content),
    content: record.content,
  });
  yield* sendRows({ into: REPLACE, space, rows: vectorRows(id, given) });
  const { tally } = work;
  if (record.deletedAt !== null) return;
  if (previous !== undefined) tallyWeight(tally.labels, id, yield* readWeight(work, id));
  else tallyWeight(tally.labels, id, weigh(passages.length, given));
}

function opOf(previous: RecordRowWithSums | undefined, { deleted_at }: RecordRow) {
  if (previous === undefined) return 'created';
  if ((previous.deleted_at === null) === (deleted_at === null)) return 'updated';
  return deleted_at === null ? 'restored' : 'deleted';
}

export function* writeVersions(
  { space, tally, seq }: CommitWork,
  id: RecordId,
  versions: readonly NewVersionRow[],
): Steps<void> {
  tally.change.versions += versions.length;
  yield* sendRows({ into: VERSIONS, space, rows: versions.map((row) => [id, ...versionValues(row), seq]) });
}

export function* loseWeight(work: CommitWork, id: RecordId): Steps<void> {
  tallyWeight(work.tally.labels, id, yield* readWeight(work, id), { times: -1 });
}

/** Vectors of a text that has changed since would be wrong, so they are dropped without a word: the record is embedded again anyway. */
export function* applyEmbed(work: CommitWork, { id, revision, vectors }: Of<'embed'>): Steps<null> {
  const row = yield* find<{ kind: RecordKind }>(
    'SELECT kind FROM records WHERE space_id = $1 AND id = $2 AND revision = $3 AND deleted_at IS NULL',
    work.space,
    id,
    revision,
  );
  if (row === undefined) return null;
  let added = 0;
  for (const [embedder, own] of Map.groupBy(vectors, (vector) => vector.embedder)) {
    const n = yield* insertRows({ into: KEEP, space: work.space, rows: vectorRows(id, own) });
    tallyWeight(work.tally.labels, id, { passages: 0, vectors: new Map([[embedder, n]]) });
    added += n;
  }
  if (added > 0) work.weights.delete(id);
  if (added > 0) appendToFeed(work, { op: 'embedded', id, kind: row.kind, revision });
  work.revisions.set(id, revision);
  return null;
}

function vectorRows(id: RecordId, vectors: readonly StoredVector[]): SqlValue[][] {
  return vectors.map(({ ordinal, embedder, scale, bytes }) =>
    withSum([id, ordinal, embedder, scale, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)]),
  );
}
