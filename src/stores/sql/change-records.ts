import { createHash } from 'node:crypto';
import type { CommitConflict, ImportChange, ImportedState, PutChange } from '../../model/change.ts';
import { refuseDamage } from '../../model/damage.ts';
import type { Dot, Instant, RecordId, SpaceId } from '../../model/ids.ts';
import type { Passage, StoredVector } from '../../model/passage.ts';
import type { RecordKind, StoredRecord } from '../../model/record.ts';
import {
  type Applying,
  appendToFeed,
  type CommitWork,
  findRival,
  missing,
  nextDot,
  type Of,
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
  type RecordRowWithSums,
  sumVersions,
  toRow,
  toStoredRecord,
  toVersionRow,
  VERSION_COLUMNS,
  versionValues,
} from './record-row.ts';
import { find, insertRows, type SqlValue, type Steps, select, send, sendRows } from './statements.ts';
import { summedColumns, VECTORS, withSum } from './sums.ts';
import { PASSAGES, writePassages } from './write-passages.ts';

const VERSIONS = { table: 'record_versions', columns: ['record_id', ...VERSION_COLUMNS] };
const TAGS = { table: 'record_tags', columns: ['tag', 'record_id'] };
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
  const { row: previous, buried } = yield* readStanding(work, id);
  const { kind, project, key } = content;
  const claim = { space, id, kind, project, key, contentHash: unlessDuplicate ? content.contentHash : null };
  const conflict = refusePut(change, { previous, buried, index }) ?? (yield* findRival(index, claim));
  if (conflict !== null) return conflict;
  // Kept as a version, it would look sound.
  if (previous !== undefined && !isAsWritten(previous)) refuseDamage({ what: 'record', id });
  const [revision, generation] =
    previous === undefined ? [1, buried + 1] : [previous.revision + 1, previous.generation];
  const record = { ...content, space, id, revision, deletedAt: null, generation, dot: nextDot(work) };
  const versions =
    previous === undefined || isDerived === true
      ? []
      : [toVersionRow({ record: toStoredRecord(previous), replacedAt: work.now, reason })];
  const before = previous === undefined ? 0 : (previous.versions_sum ?? (yield* sumStored(space, id)));
  const versionsSum = sumVersions(checksumsOf(versions), before);
  yield* writeRecord(work, { record, passages, vectors, previous, versionsSum });
  yield* writeVersions(work, id, versions);
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
  const { row, buried } = yield* readStanding(work, id);
  if (row !== undefined) return { reason: 'exists', index, id };
  if (buried >= record.generation) return { reason: 'purged', index, id };
  // A copy of what was elsewhere is taken with its duplicates; a deleted one holds no key.
  const key = deletedAt === null ? record.key : null;
  const rival = yield* findRival(index, { space, id, kind, project, key, contentHash: null });
  if (rival !== null) return rival;
  const earlier = versions.map((version) => {
    const state = version.record;
    return toVersionRow({ ...version, record: { ...state, space, dot: state.dot ?? dotOfState(state) } });
  });
  const versionsSum = sumVersions(checksumsOf(earlier));
  yield* writeRecord(work, { record, passages, vectors, previous: undefined, versionsSum });
  yield* writeVersions(work, id, earlier);
  return null;
}

export function* applyMend(work: CommitWork, { record: given, passages, expect }: Of<'mend'>): Applying {
  const { space, index } = work;
  const { id, kind, project, deletedAt } = given;
  const { row } = yield* readStanding(work, id);
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
  for (const table of [TAGS.table, PASSAGES.table])
    yield* send(`DELETE FROM ${table} WHERE space_id = $1 AND record_id = $2`, space, id);
  yield* sendRows({ into: TAGS, space, rows: [...new Set(record.tags)].map((tag) => [tag, id]) });
  yield* writePassages(space, id, {
    before: [],
    after: placePassages(passages, record.content),
    texts: new Map(),
    content: record.content,
  });
  return null;
}

/** Nobody knows who wrote it; its own words name it, and nothing else. */
function dotOfState(state: ImportedState): Dot {
  return `${createHash('sha256').update(JSON.stringify(state)).digest('hex').slice(0, 16)}:${state.revision}`;
}

interface RecordWrite {
  record: StoredRecord;
  passages: readonly Passage[];
  vectors: readonly StoredVector[];
  previous: RecordRowWithSums | undefined;
  versionsSum: number;
}

/** Of those that a release wrote which kept no sum of them. */
function* sumStored(space: SpaceId, id: RecordId): Steps<number> {
  const rows = yield* select<{ checksum: Uint8Array }>(
    'SELECT checksum FROM record_versions WHERE space_id = $1 AND record_id = $2',
    ...[space, id],
  );
  return sumVersions(checksumsOf(rows));
}

function checksumsOf(rows: readonly { checksum: Uint8Array }[]): Uint8Array[] {
  return rows.map(({ checksum }) => checksum);
}

function* writeRecord(
  work: CommitWork,
  { record, passages, vectors, previous, versionsSum }: RecordWrite,
): Steps<void> {
  const { space } = work;
  const { id } = record;
  const row = toRow(record);
  const passagesChecksum = checksumPassages(passages.toSorted((a, b) => a.ordinal - b.ordinal));
  yield* writeRow(work, previous === undefined ? 'created' : 'updated', {
    ...{ row, passagesChecksum, versionsSum, previous },
  });
  if (row.tags !== previous?.tags) {
    if (previous !== undefined)
      yield* send('DELETE FROM record_tags WHERE space_id = $1 AND record_id = $2', space, id);
    yield* sendRows({ into: TAGS, space, rows: [...new Set(record.tags)].map((tag) => [tag, id]) });
  }
  const before = previous === undefined ? [] : yield* readPlaced(space, id);
  const texts = new Map(before.map((placed) => [placed.ordinal, textOf(placed, previous?.content)]));
  // The last of several for one passage and embedder counts: a statement may not touch a row twice.
  const distinct = new Map(vectors.map((vector) => [`${vector.ordinal} ${vector.embedder}`, vector]));
  const given = [...distinct.values()];
  if (previous !== undefined) yield* loseWeight(work, id);
  yield* writePassages(space, id, {
    before,
    texts,
    after: placePassages(passages, record.content),
    content: record.content,
  });
  yield* sendRows({ into: REPLACE, space, rows: vectorRows(id, given) });
  const { tally } = work;
  if (previous !== undefined) tallyWeight(tally.labels, id, yield* readWeight(work, id));
  else if (record.deletedAt === null) tallyWeight(tally.labels, id, weigh(passages.length, given));
}

function* writeVersions({ space, tally }: CommitWork, id: RecordId, versions: readonly NewVersionRow[]): Steps<void> {
  tally.change.versions += versions.length;
  yield* sendRows({ into: VERSIONS, space, rows: versions.map((row) => [id, ...versionValues(row)]) });
}

export function* loseWeight(work: CommitWork, id: RecordId): Steps<void> {
  tallyWeight(work.tally.labels, id, yield* readWeight(work, id), { times: -1 });
}

/** Vectors of a text that has changed since would be wrong, so they are dropped without a word: the record is embedded again anyway. */
export function* applyEmbed(work: CommitWork, { id, revision, vectors }: Of<'embed'>): Steps<null> {
  const row = yield* find<{ kind: RecordKind }>(
    'SELECT kind FROM records WHERE space_id = $1 AND id = $2 AND revision = $3 AND deleted_at IS NULL',
    ...[work.space, id, revision],
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
  work.revisions[id] = revision;
  return null;
}

function vectorRows(id: RecordId, vectors: readonly StoredVector[]): SqlValue[][] {
  return vectors.map(({ ordinal, embedder, scale, bytes }) =>
    withSum([id, ordinal, embedder, scale, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)]),
  );
}

/** Passages and vectors stay, so that a restore brings everything back. */
export function* applyDelete(work: CommitWork, { id, revision, at, redates }: Of<'delete'>): Applying {
  const { row } = yield* readStanding(work, id);
  if (row === undefined || (row.deleted_at !== null) !== (redates === true)) return missing(work.index, id);
  const conflict = refuseRevision(revision, row, work.index);
  if (conflict === null) yield* writeMark(work, row, at);
  return conflict;
}

export function* applyRestore(work: CommitWork, { id, revision }: Of<'restore'>): Applying {
  const { row } = yield* readStanding(work, id);
  const { index, space } = work;
  if (row === undefined) return missing(index, id);
  if (row.deleted_at === null) return { reason: 'exists', index, id };
  const { kind, project, key } = row;
  const contentHash = row.superseded_by === null ? row.content_hash : null;
  // One that was there beside it before the deletion was let be then, and is no reason now.
  const claim = { space, id, kind, project, key, contentHash, changedAfter: row.feed_seq };
  const conflict = refuseRevision(revision, row, index) ?? (yield* findRival(index, claim));
  if (conflict === null) yield* writeMark(work, row, null);
  return conflict;
}

export function refuseRevision(
  expected: number | undefined,
  { id, revision }: RecordRowWithSums,
  index: number,
): CommitConflict | null {
  return expected === undefined || revision === expected ? null : { reason: 'revision', index, id, actual: revision };
}

/** Everything stays but the mark. What is damaged must not get a checksum that fits. */
function* writeMark(work: CommitWork, previous: RecordRowWithSums, deletedAt: Instant | null): Steps<void> {
  if (!isAsWritten(previous)) refuseDamage({ what: 'record', id: previous.id });
  const { feed_seq: _, checksum: __, passages_checksum: passagesChecksum, ...rest } = previous;
  const { quick: ___, versions_sum: versionsSum, ...kept } = rest;
  const row = { ...kept, revision: kept.revision + 1, deleted_at: deletedAt, dot: nextDot(work) };
  yield* writeRow(work, deletedAt === null ? 'restored' : 'deleted', {
    ...{ row, passagesChecksum, versionsSum, previous },
  });
  if ((previous.deleted_at === null) === (deletedAt === null)) return;
  const weight = yield* readWeight(work, previous.id);
  tallyWeight(work.tally.labels, previous.id, weight, { times: deletedAt === null ? 1 : -1 });
}
