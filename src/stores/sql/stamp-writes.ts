import { canonicalJson } from '../../model/canonical-json.ts';
import type { NoteDamage } from '../../model/damage.ts';
import { packState } from '../../model/held-record.ts';
import type { Dot, Instant, RecordId, SpaceId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import { dropBuried } from '../../model/merge-states.ts';
import type { RecordKind, StoredRecord } from '../../model/record.ts';
import { listTags, type Parts, type SharedState } from '../../model/shared-state.ts';
import { diffContents, formatStamps, labelsOf, parseStamps, stampFirst, stampWrite } from '../../model/stamps.ts';
import { type StateWrite, writeState } from '../../model/write-state.ts';
import type { CommitWork } from './commit-work.ts';
import { type Steps, select, selectAll, send, sendRows } from './statements.ts';
import { matchesSum, STAMPS, summedColumns, withSum } from './sums.ts';

/** Which writes the parts of a record come from; without a record: what is left of one that was let go. */
export interface StampRow {
  generation: number;
  state: string;
}

type StoredStampRow = { record_id: RecordId; generation: number; state: string; crc: number | null };

export const SELECT_STAMPS = `SELECT ${summedColumns(STAMPS).join(', ')} FROM stamps WHERE space_id = $1 AND record_id = ANY ($2::text[])`;

/** Damaged ones count as not there: the record's own dot then stands for all of it, and `ltm doctor` tells of them. */
export function toStampRows(rows: readonly StoredStampRow[], note?: NoteDamage): Map<RecordId, StampRow> {
  for (const row of note === undefined ? [] : rows)
    if (!matchesSum(row, STAMPS)) note?.({ what: 'stamps', id: row.record_id });
  return new Map(
    rows
      .filter((row) => matchesSum(row, STAMPS))
      .map(({ record_id, generation, state }) => [record_id, { generation, state }]),
  );
}

const WRITE_STAMPS = {
  table: STAMPS.table,
  columns: summedColumns(STAMPS),
  conflict:
    'ON CONFLICT (space_id, record_id) DO UPDATE SET generation = excluded.generation, state = excluded.state, crc = excluded.crc',
};

export function* writeStamps(space: SpaceId, id: RecordId, { generation, state }: StampRow): Steps<void> {
  yield* sendRows({ into: WRITE_STAMPS, space, rows: [withSum([id, generation, state])] });
}

/** `had`: what was there before. */
export function* replaceStamps(
  space: SpaceId,
  id: RecordId,
  { had, generation, state }: { had: StampRow | null; generation: number; state: string | null },
): Steps<void> {
  if (state !== null) yield* writeStamps(space, id, { generation, state });
  else if (had !== null) yield* deleteStamps(space, id);
}

export function* deleteStamps(space: SpaceId, id: RecordId): Steps<void> {
  yield* send('DELETE FROM stamps WHERE space_id = $1 AND record_id = $2', space, id);
}

interface PutStamping {
  previous: StoredRecord | null;
  had: StampRow | null;
  record: StoredRecord;
  isDerived: boolean;
}

/** Of a record that somebody writes here. */
export function stampPut(work: CommitWork, { previous, had, record, isDerived }: PutStamping): string | null {
  const { now } = work;
  const { dot, generation } = record;
  if (previous === null) {
    if (had === null || had.generation !== generation) return stampNew(work, record);
    // It was deleted and let go: writing it anew undoes that.
    const left = JSON.parse(had.state) as SharedState;
    const known = listTags(left);
    const write: StateWrite = {
      text: {},
      life: 'restore',
      addTags: record.tags.filter((tag) => !known.includes(tag)),
      removeTags: known.filter((tag) => !record.tags.includes(tag)),
      fields: labelsOf(record),
    };
    return formatStamps(packState(writeState(left, write, { dot, now, generation }), record), record);
  }
  if (isDerived && had === null) return null;
  const before = parseStamps(had?.state ?? null, previous);
  return formatStamps(stampWrite(before, diffContents(previous, record), { dot, now }), record);
}

/** Of a record that nobody has stamped yet. */
export function stampNew({ now }: CommitWork, record: Pick<StoredRecord, 'dot' | 'updatedAt'>): string | null {
  // It says all of it itself, unless it claims a time to come.
  if (record.updatedAt <= now) return null;
  return formatStamps(stampFirst(record.dot, { updatedAt: record.updatedAt, now }), record);
}

/** What relations need to know of the records at their ends. */
export interface End {
  kind: RecordKind;
  dot: Dot;
  updatedAt: Instant;
  generation: number;
}

type EndRow = { id: RecordId; kind: RecordKind; dot: Dot; updated_at: Instant; generation: number };

export function* readEnds(space: SpaceId, ids: readonly RecordId[]): Steps<Map<RecordId, End>> {
  const rows = yield* select<EndRow>(
    'SELECT id, kind, dot, updated_at, generation FROM records WHERE space_id = $1 AND id = ANY ($2::text[])',
    space,
    ids,
  );
  return new Map(
    rows.map(({ id, kind, dot, updated_at, generation }) => [id, { kind, dot, updatedAt: updated_at, generation }]),
  );
}

export function* readStamps(
  space: SpaceId,
  ids: readonly RecordId[],
  note?: NoteDamage,
): Steps<Map<RecordId, StampRow>> {
  return toStampRows(yield* select<StoredStampRow>(SELECT_STAMPS, space, ids), note);
}

/** A write of a relation is one of the record where it begins, though its row stays as it is. What was said already is no new write. */
export function* stampRelation(
  { space, now }: CommitWork,
  { id, end, dot }: { id: RecordId; end: End; dot: Dot },
  parts: StateWrite['parts'],
): Steps<void> {
  const had = (yield* readStamps(space, [id])).get(id) ?? null;
  const before = parseStamps(had?.state ?? null, end);
  if (Object.entries(parts ?? {}).every(([name, value]) => isSaid(before.parts[name], value))) return;
  const stamps = stampWrite(before, { parts }, { dot, now });
  const state = formatStamps(stamps, end);
  yield* replaceStamps(space, id, { had, generation: end.generation, state });
}

function isSaid(known: Parts | undefined, value: JsonObject | null): boolean {
  const [first, ...others] = Object.values(known ?? {});
  if (first === undefined || value === null || others.length > 0) return false;
  return canonicalJson({ ...first, time: 0 }) === canonicalJson({ ...value, time: 0 });
}

/** What others say of their relations to a record that is purged goes with it. */
export function* dropRelationsTo(
  space: SpaceId,
  { id, generation }: { id: RecordId; generation: number },
  from: readonly RecordId[],
): Steps<void> {
  const waiting = yield* select<{ record_id: RecordId }>(
    'SELECT record_id FROM waiting WHERE space_id = $1 AND name = $2',
    space,
    id,
  );
  const ids = [...new Set([...from, ...waiting.map(({ record_id }) => record_id)])];
  if (ids.length === 0) return;
  for (const [other, row] of yield* readStamps(space, ids)) {
    const before = JSON.parse(row.state) as SharedState;
    const after = dropBuried(before, (to, of) => to === id && of <= generation);
    if (after !== before) yield* writeStamps(space, other, { ...row, state: JSON.stringify(after) });
  }
  if (waiting.length > 0) yield* send('DELETE FROM waiting WHERE space_id = $1 AND name = $2', space, id);
}

/** Whose there are. `isGuarded`: the database checks its own pages. */
export function* checkStamps(
  space: SpaceId,
  { note, isGuarded }: { note: NoteDamage; isGuarded: boolean },
): Steps<RecordId[]> {
  const rows = yield* select<StoredStampRow>(
    `SELECT ${summedColumns(STAMPS).join(', ')} FROM stamps WHERE space_id = $1`,
    space,
  );
  toStampRows(rows, note);
  if (!isGuarded && !(yield* areInOrder(space, rows.length))) note({ what: 'stamps', id: space });
  return rows.map(({ record_id }) => record_id);
}

/** Whether all lie where they are looked for: a row that names another space than it should hides those before it. */
function* areInOrder(space: SpaceId, found: number): Steps<boolean> {
  const [lying, heads] = yield* selectAll<[{ space_id: SpaceId; n: number }, { space_id: SpaceId }]>(
    { sql: 'SELECT space_id, count(*) AS n FROM stamps GROUP BY space_id', values: [] },
    { sql: 'SELECT space_id FROM feed_heads', values: [] },
  );
  const names = new Set(lying.map((each) => each.space_id));
  const known = new Set(heads.map((each) => each.space_id));
  const own = lying.find((each) => each.space_id === space)?.n ?? 0;
  return names.size === lying.length && own === found && [...names].every((name) => known.has(name));
}
