import type { Instant, RecordId, Sequence, SpaceId } from '../../model/ids.ts';
import type { EmbedderId, IndexEntry, Passage, StoredVector } from '../../model/passage.ts';
import { isAllCounted } from './count-labels.ts';
import { lockHead, readHeadRow } from './feed.ts';
import { ALL_COUNTED, type CountedLabel, newLabelTally, tallyWeight, writeLabelCounts } from './label-counts.ts';
import { matchesPassages, PASSAGE_COLUMNS, type PlacedPassage, textOf } from './passage-places.ts';
import { selectRecords } from './read-records.ts';
import { type CheckedRow, toSoundRecord } from './record-row.ts';
import { count, find, type SqlDatabase, type Steps, select, selectAll, write } from './statements.ts';
import { matchesSum, summedColumns, VECTORS } from './sums.ts';

type PassageRow = PlacedPassage & { record_id: RecordId };
type VectorRow = {
  record_id: RecordId;
  ordinal: number;
  embedder: EmbedderId;
  scale: number;
  bytes: Uint8Array;
  crc: number | null;
};
type PassagesSum = { id: RecordId; passages_checksum: Uint8Array; content?: string };

const SELECT_PASSAGES = `SELECT record_id, ${PASSAGE_COLUMNS.join(', ')} FROM passages WHERE space_id = $1 AND record_id = ANY ($2::text[]) ORDER BY record_id, ordinal`;
const SELECT_VECTORS = `SELECT ${summedColumns(VECTORS).join(', ')} FROM vectors
          WHERE space_id = $1 AND record_id = ANY ($2::text[]) ORDER BY record_id, ordinal, embedder`;
const SELECT_CONTENTS =
  'SELECT id, passages_checksum, content FROM records WHERE space_id = $1 AND id = ANY ($2::text[])';
const SELECT_SUMS = 'SELECT id, passages_checksum FROM records WHERE space_id = $1 AND id = ANY ($2::text[])';

/** As they are kept. */
export function* readPlaced(space: SpaceId, id: RecordId): Steps<readonly PlacedPassage[]> {
  return yield* select<PlacedPassage>(
    `SELECT ${PASSAGE_COLUMNS.join(', ')} FROM passages WHERE space_id = $1 AND record_id = $2 ORDER BY ordinal`,
    space,
    id,
  );
}

/** As they are, sound or not, of the records with these contents. */
export function* readPassages(
  space: SpaceId,
  contents: ReadonlyMap<RecordId, string>,
): Steps<Map<RecordId, Passage[]>> {
  return collect(yield* select<PassageRow>(SELECT_PASSAGES, space, [...contents.keys()]), toPassage(contents));
}

/** Of the records whose passages are what was written. */
export function* readSoundPassages(space: SpaceId, ids: readonly RecordId[]): Steps<Map<RecordId, Passage[]>> {
  const values = [space, ids];
  const [rows, sums] = yield* selectAll<[PassageRow, PassagesSum]>(
    { sql: SELECT_PASSAGES, values },
    { sql: SELECT_CONTENTS, values },
  );
  const contents = new Map(sums.map(({ id, content }) => [id, content!]));
  const passages = collect(rows, toPassage(contents));
  const sound = new Map<RecordId, Passage[]>();
  for (const { id, passages_checksum } of sums) {
    const own = passages.get(id) ?? [];
    if (matchesPassages(own, passages_checksum)) sound.set(id, own);
  }
  return sound;
}

/** Passages and vectors are asked for without waiting for the records: few of those named are deleted. */
export function* readIndexEntries(space: SpaceId, ids: readonly RecordId[]): Steps<IndexEntry[]> {
  const values = [space, ids];
  const [records, passageRows, vectorRows, sums] = yield* selectAll<[CheckedRow, PassageRow, VectorRow, PassagesSum]>(
    selectRecords(space, ids),
    { sql: SELECT_PASSAGES, values },
    { sql: SELECT_VECTORS, values },
    { sql: SELECT_SUMS, values },
  );
  const known = new Map(records.map((row) => [row.id, toSoundRecord(row)]));
  const passages = collect(passageRows, toPassage(new Map(records.map(({ id, content }) => [id, content]))));
  const unsound = new Set(vectorRows.filter((row) => !matchesSum(row, VECTORS)));
  const vectors = collect(
    vectorRows.filter((row) => !unsound.has(row)),
    toVector,
  );
  const lacking = new Set([...unsound].map((row) => row.record_id));
  const sumOf = new Map(sums.map((row) => [row.id, row.passages_checksum]));
  return ids.map((id): IndexEntry => {
    const record = known.get(id) ?? null;
    const own = passages.get(id) ?? [];
    const nothing = { id, record, passages: [], vectors: [] };
    if (record === null) return known.has(id) || own.length > 0 ? { ...nothing, damaged: 'record' } : nothing;
    if (record.deletedAt !== null) return nothing;
    const lacksVectors = lacking.has(id) ? { lacksVectors: true } : {};
    const entry = { id, record, passages: own, vectors: vectors.get(id) ?? [], ...lacksVectors };
    const isSound = matchesPassages(own, sumOf.get(id));
    return isSound ? entry : { ...entry, passages: [], damaged: 'passages' };
  });
}

function toPassage(contents: ReadonlyMap<RecordId, string>): (row: PassageRow) => Passage {
  return (row) => ({ ordinal: row.ordinal, text: textOf(row, contents.get(row.record_id)) });
}

function toVector({ ordinal, embedder, scale, bytes }: VectorRow): StoredVector {
  return { embedder, ordinal, scale, bytes: new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) };
}

function collect<Row extends { record_id: RecordId }, T>(
  rows: readonly Row[],
  to: (row: Row) => T,
): Map<RecordId, T[]> {
  const found = new Map<RecordId, T[]>();
  for (const row of rows) {
    const list = found.get(row.record_id);
    if (list === undefined) found.set(row.record_id, [to(row)]);
    else list.push(to(row));
  }
  return found;
}

/** Past this many changes a look at all records costs no more than a look at the changed ones. */
const MAX_CHANGES = 5_000;
/** Records of one look: each is looked up by itself, which takes some ten milliseconds altogether. */
const LOOKED_AT = 1_000;

/**
 * A passage has at most one vector of an embedder. Two counts for each record, and no join: of tables whose statistics nobody has gathered yet (a restored
 * database) a server joins by trying every row with every other.
 */
const LACKS_VECTOR = `deleted_at IS NULL
  AND (SELECT count(*) FROM passages AS p WHERE p.space_id = $1 AND p.record_id = records.id)
    > (SELECT count(*) FROM vectors AS v WHERE v.space_id = $1 AND v.record_id = records.id AND v.embedder = $2)`;
const SELECT_CHANGED = 'SELECT DISTINCT record_id FROM feed WHERE space_id = $1 AND seq > $2';
const SELECT_END = `SELECT created_at, id FROM records WHERE space_id = $1 AND (created_at, id) > ($2, $3)
  ORDER BY created_at, id LIMIT 1 OFFSET ${LOOKED_AT - 1}`;

type ListUnembedded = (space: SpaceId, embedder: EmbedderId, limit: number) => Promise<RecordId[]>;

interface AgePlace {
  created_at: Instant;
  id: RecordId;
}

/**
 * Asked again and again in the background, mostly in vain. A vector can only be missing where the feed has moved, so once nothing was missing
 * at some number, only what changed after it is looked at.
 */
export function createListUnembedded({ read }: SqlDatabase): ListUnembedded {
  const completeAt = new Map<string, Sequence>();
  return async function listUnembedded(space, embedder, limit) {
    const place = JSON.stringify([space, embedder]);
    const state = await read({ space }, () => readState(space, embedder));
    const since = completeAt.get(place);
    if (state.isComplete) {
      completeAt.set(place, state.head);
      return [];
    }
    const isNear = since !== undefined && state.head - since <= MAX_CHANGES && since >= state.pruned;
    const found = isNear
      ? await read({ space }, () => listAmongChanged({ space, embedder }, since))
      : await listAmongAll(read, { space, embedder, limit });
    if (found.length === 0 && limit > 0) completeAt.set(place, state.head);
    return found.slice(0, Math.max(0, limit));
  };
}

function* readState(space: SpaceId, embedder: EmbedderId) {
  const { seq: head, pruned } = (yield* readHeadRow(space)) ?? { seq: 0, pruned: 0 };
  return { head, pruned, isComplete: yield* hasAllVectors(space, embedder) };
}

interface Lacking {
  space: SpaceId;
  embedder: EmbedderId;
}

function* listAmongChanged({ space, embedder }: Lacking, since: Sequence): Steps<RecordId[]> {
  const changed = yield* select<{ record_id: RecordId }>(SELECT_CHANGED, space, since);
  const rows = yield* select<{ id: RecordId }>(
    `SELECT id FROM records WHERE space_id = $1 AND id = ANY ($3::text[]) AND ${LACKS_VECTOR} ORDER BY created_at, id`,
    space,
    embedder,
    changed.map((row) => row.record_id),
  );
  return rows.map(({ id }) => id);
}

const FIRST_PLACE: AgePlace = { created_at: Number.MIN_SAFE_INTEGER, id: '' };

/** The oldest first, some at a time. */
async function listAmongAll(
  read: SqlDatabase['read'],
  { space, embedder, limit }: Lacking & { limit: number },
): Promise<RecordId[]> {
  const found: RecordId[] = [];
  for (let after: AgePlace | undefined = FIRST_PLACE; after !== undefined && found.length < limit; ) {
    const from: AgePlace = after;
    const { lacking, end } = await read({ space }, () => listBetween({ space, embedder }, from));
    found.push(...lacking);
    after = end;
  }
  return found;
}

function* listBetween(
  { space, embedder }: Lacking,
  after: AgePlace,
): Steps<{ lacking: RecordId[]; end: AgePlace | undefined }> {
  const end = yield* find<AgePlace>(SELECT_END, space, after.created_at, after.id);
  const upTo = end === undefined ? '' : 'AND (created_at, id) <= ($5, $6)';
  const rows = yield* select<{ id: RecordId }>(
    `SELECT id FROM records WHERE space_id = $1 AND (created_at, id) > ($3, $4) ${upTo} AND ${LACKS_VECTOR} ORDER BY created_at, id`,
    space,
    embedder,
    after.created_at,
    after.id,
    ...(end === undefined ? [] : [end.created_at, end.id]),
  );
  return { lacking: rows.map(({ id }) => id), end };
}

/** By the counts that commits keep: a passage has at most one vector of an embedder. */
function* hasAllVectors(space: SpaceId, embedder: EmbedderId): Steps<boolean> {
  const rows = yield* select<{ label: CountedLabel; live: number }>(
    `SELECT label, live FROM label_counts WHERE space_id = $1 AND label = ANY ($2::text[]) AND value = ANY ($3::text[]) AND kind = ''`,
    space,
    ['passages', 'vectors'] satisfies CountedLabel[],
    ['', embedder],
  );
  const countOf = (label: CountedLabel) => rows.find((row) => row.label === label)?.live ?? 0;
  return countOf('passages') === countOf('vectors') && (yield* isAllCounted(space));
}

/** Records of one transaction: it must not hold up others. */
const AT_ONCE = 300;

/** Vectors are derived from passages and make no feed entry: an index that still holds them is not wrong, only larger. */
export async function dropVectors(database: SqlDatabase, space: SpaceId, embedder: EmbedderId): Promise<number> {
  let dropped = 0;
  for (let last: string | undefined = ''; last !== undefined; ) {
    const from: string = last;
    const step = await database.write({ space }, () => dropNext({ space, embedder, from }), {
      weight: AT_ONCE,
      frees: true,
    });
    dropped += step.dropped;
    last = step.to;
  }
  return dropped;
}

function* dropNext({ space, embedder, from }: { space: SpaceId; embedder: EmbedderId; from: string }): Steps<{
  dropped: number;
  to: string | undefined;
}> {
  const next = yield* select<{ record_id: string }>(
    'SELECT DISTINCT record_id FROM vectors WHERE space_id = $1 AND record_id > $2 ORDER BY record_id LIMIT $3',
    space,
    from,
    AT_ONCE,
  );
  const to = next.at(-1)?.record_id;
  if (to === undefined) return { dropped: 0, to };
  const head = yield* lockHead(space);
  const live = yield* count(
    `SELECT count(*) AS n FROM vectors AS v JOIN records AS r ON r.space_id = v.space_id AND r.id = v.record_id
     WHERE v.space_id = $1 AND r.space_id = $1 AND v.embedder = $2 AND v.record_id > $3 AND v.record_id <= $4 AND v.record_id <= $5 AND r.deleted_at IS NULL`,
    space,
    embedder,
    from,
    to,
    head?.counted ?? '',
  );
  const dropped = yield* write(
    'DELETE FROM vectors WHERE space_id = $1 AND embedder = $2 AND record_id > $3 AND record_id <= $4',
    space,
    embedder,
    from,
    to,
  );
  const tally = newLabelTally(ALL_COUNTED);
  tallyWeight(tally, to, { passages: 0, vectors: new Map([[embedder, live]]) }, { times: -1 });
  yield* writeLabelCounts(space, tally);
  return { dropped, to };
}
