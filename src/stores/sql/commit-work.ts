import type { Change, CommitConflict, FeedEntry } from '../../model/change.ts';
import type { Dot, Instant, RecordId, ReplicaId, Sequence, SpaceId } from '../../model/ids.ts';
import type { RecordKind } from '../../model/record.ts';
import { readWeights, tallyRow, type Weight } from './label-counts.ts';
import {
  ALL_RECORD_COLUMNS,
  quickSum,
  type RecordRow,
  type RecordRowWithSums,
  rowValues,
  sumContent,
} from './record-row.ts';
import { checksumRow } from './row-checksum.ts';
import { SELECT_STAMPS, type StampRow, toStampRows } from './stamp-writes.ts';
import { exists, find, type Steps, selectAll, send } from './statements.ts';
import type { Tally } from './sums.ts';

export interface CommitRequest {
  space: SpaceId;
  changes: readonly Change[];
  actor: string;
  now: Instant;
}

/** Where a commit begins. */
export interface CommitStart {
  /** The feed's last number. */
  head: Sequence;
  replica: ReplicaId;
  /** It takes no records. */
  isSealed: boolean;
  /** Kept with each entry, see SqlDatabase. */
  mark: string | null;
  /** Filled while the commit is applied. */
  tally: Tally;
}

/** One commit while it is being applied. */
export interface CommitWork extends Omit<CommitRequest, 'changes'> {
  readonly replica: ReplicaId;
  /** What the feed will say of it; written together at its end. */
  readonly entries: FeedEntry[];
  /** The feed's last number, counted up with each entry. */
  seq: Sequence;
  /** Which change is being applied. */
  index: number;
  readonly revisions: Map<RecordId, number>;
  readonly tally: Tally;
  readonly readAhead: Map<RecordId, Standing>;
  /** Likewise, of records that come or go as a whole. */
  readonly weights: Map<RecordId, Weight>;
}

export type Of<Op extends Change['op']> = Extract<Change, { op: Op }>;
/** How a change is applied; null: nothing was in its way. */
export type Applying = Steps<CommitConflict | null>;

/** What there is under an id before a change. */
export interface Standing {
  row: RecordRowWithSums | undefined;
  /** The last generation that was purged; 0: none. */
  buried: number;
  stamps: StampRow | null;
}

/** What a record wants for itself, and another may have already. */
export interface Claim {
  space: SpaceId;
  /** The record that asks; it is never in its own way. */
  id: RecordId;
  kind: RecordKind;
  project: string | null;
  key: string | null;
  /** null: others may hold the same content. */
  contentHash: string | null;
  /** Only another that came or changed later than this holds the content; absent: any other. */
  changedAfter?: Sequence;
}

/** Sequences are 0 or more: any other record counts. */
const EVER = -1;

const SELECT_ROWS = `SELECT ${ALL_RECORD_COLUMNS.join(', ')} FROM records WHERE space_id = $1 AND id = ANY ($2::text[])`;
const SELECT_GRAVES = 'SELECT record_id, generation FROM graves WHERE space_id = $1 AND record_id = ANY ($2::text[])';
const WRITE_ROW = `
  INSERT INTO records (${ALL_RECORD_COLUMNS.join(', ')}) VALUES (${ALL_RECORD_COLUMNS.map((_, i) => `$${i + 1}`).join(', ')})
  ON CONFLICT (space_id, id) DO UPDATE SET ${ALL_RECORD_COLUMNS.slice(2)
    .map((column) => `${column} = excluded.${column}`)
    .join(', ')}`;

const FIND_KEY_HOLDER = `SELECT id FROM records
     WHERE space_id = $1 AND kind = $2 AND coalesce(project, '') = $3 AND key = $4 AND deleted_at IS NULL AND id <> $5
     ORDER BY id LIMIT 1`;
const DUPLICATES = `SELECT id FROM records
     WHERE space_id = $1 AND content_hash = $2 AND substr(content_hash, 1, 16) = substr($2, 1, 16) AND kind = $3 AND project IS NOT DISTINCT FROM $4 AND deleted_at IS NULL AND superseded_by IS NULL
       AND id <> $5 AND feed_seq > $6`;
const FIND_DUPLICATE = `${DUPLICATES} LIMIT 1`;
const FIND_OLDEST_DUPLICATE = `${DUPLICATES} ORDER BY created_at, id LIMIT 1`;

/** Of the write whose entry in the feed comes next. */
export function nextDot({ replica, seq }: CommitWork): Dot {
  return `${replica}:${seq + 1}`;
}

/** What the feed will say of a change; returns the entry's number. */
export function appendToFeed(
  work: CommitWork,
  {
    op,
    id,
    kind,
    revision,
    relation = null,
  }: Pick<FeedEntry, 'op' | 'id' | 'kind' | 'revision'> & Partial<Pick<FeedEntry, 'relation'>>,
): Sequence {
  work.seq += 1;
  work.entries.push({ op, id, kind, revision, relation, seq: work.seq, at: work.now, actor: work.actor });
  return work.seq;
}

export function missing(index: number, id: RecordId): CommitConflict {
  return { reason: 'missing', index, id };
}

/** What is there now. What was read ahead counts once: the change that asks for it may write it. */
export function* readStanding({ space, readAhead: ahead }: CommitWork, id: RecordId): Steps<Standing> {
  const known = ahead.get(id) ?? (yield* readStandings(space, [id])).get(id)!;
  ahead.delete(id);
  return known;
}

const FIND_TRACE = `SELECT 1 WHERE EXISTS (SELECT 1 FROM records WHERE space_id = $1 AND id = $2)
     OR EXISTS (SELECT 1 FROM graves WHERE space_id = $1 AND record_id = $2)
     OR EXISTS (SELECT 1 FROM stamps WHERE space_id = $1 AND record_id = $2)`;

/** The same for an id that is thought to be new: mostly nothing is there, which one question tells. */
export function* readNewStanding(work: CommitWork, id: RecordId): Steps<Standing> {
  if (work.readAhead.has(id) || (yield* exists(FIND_TRACE, work.space, id))) return yield* readStanding(work, id);
  return { row: undefined, buried: 0, stamps: null };
}

/** Of all records that a commit will ask for, in one go: a large import need not wait for the server at each of them. */
export function* readAhead(space: SpaceId, ids: readonly RecordId[]): Steps<Map<RecordId, Standing>> {
  return ids.length < 2 ? new Map() : yield* readStandings(space, ids);
}

function* readStandings(space: SpaceId, ids: readonly RecordId[]): Steps<Map<RecordId, Standing>> {
  const values = [space, ids];
  type Read = [
    RecordRowWithSums,
    { record_id: RecordId; generation: number },
    Parameters<typeof toStampRows>[0][number],
  ];
  const [rows, graves, stamped] = yield* selectAll<Read>(
    { sql: SELECT_ROWS, values },
    { sql: SELECT_GRAVES, values },
    { sql: SELECT_STAMPS, values },
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  const buried = new Map(graves.map(({ record_id, generation }) => [record_id, generation]));
  const stamps = toStampRows(stamped);
  return new Map(
    ids.map((id) => [id, { row: found.get(id), buried: buried.get(id) ?? 0, stamps: stamps.get(id) ?? null }]),
  );
}

/** What hangs on a record, read ahead or now; counts once, as the standing does. */
export function* readWeight({ space, weights }: CommitWork, id: RecordId): Steps<Weight> {
  const known = weights.get(id) ?? (yield* readWeights(space, [id])).get(id)!;
  weights.delete(id);
  return known;
}

interface RowWrite {
  row: RecordRow;
  passagesChecksum: Uint8Array;
  /** null: not known. */
  versionsSum: number | null;
  previous: RecordRow | undefined;
}

type RowOp = 'created' | 'updated' | 'deleted' | 'restored';

/** Every write of a row goes through here, so that its checksum is always of what it holds, and the feed and the counts tell of it. */
export function* writeRow(
  work: CommitWork,
  op: RowOp,
  { row, passagesChecksum, versionsSum, previous }: RowWrite,
): Steps<void> {
  const { id, kind, revision } = row;
  const { change } = work.tally;
  if (op === 'created') change.records++;
  if (op !== 'updated') change.live += row.deleted_at === null ? 1 : op === 'deleted' ? -1 : 0;
  tallyRow(work.tally.labels, previous, row);
  const feed_seq = appendToFeed(work, { op, id, kind, revision });
  const sums = {
    feed_seq,
    checksum: checksumRow(row),
    passages_checksum: passagesChecksum,
    quick: quickSum(row),
    versions_sum: versionsSum,
    content_sum: sumContent(row),
  };
  yield* send(WRITE_ROW, ...rowValues(row, sums));
  work.revisions.set(id, revision);
}

/** Who has already what the record wants for itself: its key, or its content in a live record that is not superseded, of which the oldest is named. */
export function* findRival(index: number, claim: Claim): Applying {
  const { space, id, kind, project, key, contentHash, changedAfter = EVER } = claim;
  if (key !== null) {
    const holder = yield* find<{ id: RecordId }>(FIND_KEY_HOLDER, space, kind, project ?? '', key, id);
    if (holder !== undefined) return { reason: 'key_taken', index, id: holder.id };
  }
  if (contentHash === null) return null;
  const asked = [space, contentHash, kind, project, id, changedAfter];
  // Mostly there is none, and nothing to be put in order.
  if (!(yield* exists(FIND_DUPLICATE, ...asked))) return null;
  const duplicate = yield* find<{ id: RecordId }>(FIND_OLDEST_DUPLICATE, ...asked);
  return duplicate === undefined ? null : { reason: 'duplicate', index, id: duplicate.id };
}
