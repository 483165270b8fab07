import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Label } from '../../model/filter.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { RecordKind } from '../../model/record.ts';
import { lockHead, readHeadRow } from './feed.ts';
import {
  ALL_COUNTED,
  type KeptCount,
  keyOf,
  LABELLED_COLUMNS,
  type LabelledRow,
  type LabelTally,
  newLabelTally,
  readLabelCounts,
  readWeights,
  tallyRow,
  tallyWeight,
  writeLabelCounts,
} from './label-counts.ts';
import { parseColumn } from './record-row.ts';
import { exists, type SqlDatabase, type Steps, select, selectAll, send } from './statements.ts';

/** Records of one transaction: it must not hold up others. */
const AT_ONCE = 300;

export function* isAllCounted(space: SpaceId): Steps<boolean> {
  return yield* exists(`SELECT 1 FROM feed_heads WHERE space_id = $1 AND counted = '${ALL_COUNTED}'`, space);
}

/** True where nothing is left to count. */
export async function countNext(database: SqlDatabase, space: SpaceId): Promise<boolean> {
  if (await database.read({ space }, () => isAllCounted(space))) return true;
  return database.write({ space }, () => countSome(space), { weight: AT_ONCE });
}

function* countSome(space: SpaceId): Steps<boolean> {
  const head = yield* lockHead(space);
  if (head === null || head.counted === ALL_COUNTED) return true;
  if (head.counted === '') yield* send('DELETE FROM label_counts WHERE space_id = $1', space);
  const tally = newLabelTally(ALL_COUNTED);
  const upTo = yield* tallyNext(space, head.counted, tally);
  yield* writeLabelCounts(space, tally);
  yield* send('UPDATE feed_heads SET counted = $2 WHERE space_id = $1', space, upTo);
  return upTo === ALL_COUNTED;
}

/** Returns up to where. */
function* tallyNext(space: SpaceId, after: RecordId, tally: LabelTally): Steps<RecordId> {
  const rows = yield* select<LabelledRow>(
    `SELECT ${LABELLED_COLUMNS.join(', ')} FROM records WHERE space_id = $1 AND id > $2 ORDER BY id LIMIT ${AT_ONCE}`,
    space,
    after,
  );
  const live = rows.filter((row) => row.deleted_at === null);
  for (const row of live) tallyRow(tally, undefined, row);
  for (const [id, weight] of yield* readWeights(
    space,
    live.map(({ id }) => id),
  ))
    tallyWeight(tally, id, weight);
  return rows.length < AT_ONCE ? ALL_COUNTED : rows.at(-1)!.id;
}

/** What commits have counted against what is there; for people. Nothing where somebody writes meanwhile. */
export async function findMiscounts(database: SqlDatabase, space: SpaceId): Promise<string[]> {
  const before = await database.read({ space }, () => readHeadRow(space));
  if (before?.counted !== ALL_COUNTED) return [];
  const tally = newLabelTally(ALL_COUNTED);
  for (let after: RecordId = ''; after !== ALL_COUNTED; await nextTurn()) {
    const from = after;
    after = await database.read({ space }, () => tallyNext(space, from, tally));
  }
  return database.read({ space }, function* () {
    const now = yield* readHeadRow(space);
    if (now?.seq !== before.seq || now.counted !== ALL_COUNTED) return [];
    return describeMiscounts(space, tally, yield* readLabelCounts(space));
  });
}

function describeMiscounts(space: SpaceId, { changes }: LabelTally, kept: readonly KeptCount[]): string[] {
  const there = new Map(changes);
  let wrong = 0;
  for (const { label, value, kind, live, plain } of kept) {
    const key = keyOf({ label, value, kind });
    const found = there.get(key);
    if (live !== (found?.live ?? 0) || plain !== (found?.plain ?? 0)) wrong++;
    there.delete(key);
  }
  wrong += there.size;
  return wrong === 0 ? [] : [`Of the counts that space ${space} keeps of its labels, ${wrong} are wrong.`];
}

type LabelCount = { value: string; count: number };

/** The most frequent first. */
export function* countLabels(space: SpaceId, label: Label, except: readonly RecordKind[] = []): Steps<LabelCount[]> {
  if (!(yield* isAllCounted(space))) return yield* countAnew(space, label, except);
  const value = label === 'kind' ? 'kind' : 'value';
  const sql = `SELECT ${value} AS value, CAST(sum(live) AS bigint) AS count FROM label_counts
    WHERE space_id = $1 AND label = $2${withoutKinds('kind', except, 3)} GROUP BY ${value} HAVING sum(live) > 0 ORDER BY count DESC, value`;
  return [...(yield* select<LabelCount>(sql, space, label === 'kind' ? 'all' : label, ...except))];
}

function withoutKinds(column: string, except: readonly RecordKind[], first: number): string {
  return except.map((_, i) => ` AND ${column} <> $${first + i}`).join('');
}

function* countAnew(space: SpaceId, label: Label, except: readonly RecordKind[]): Steps<LabelCount[]> {
  if (label === 'tag') return yield* countTags(space, except);
  const sql = `SELECT r.${label} AS value, count(*) AS count FROM records AS r
    WHERE r.space_id = $1 AND r.deleted_at IS NULL AND r.${label} IS NOT NULL${withoutKinds('r.kind', except, 2)} GROUP BY r.${label} ORDER BY count DESC, value`;
  return [...(yield* select<LabelCount>(sql, space, ...except))];
}

/** All tags, less those of the few records that do not count. */
function* countTags(space: SpaceId, except: readonly RecordKind[]): Steps<LabelCount[]> {
  const [all, deleted, others] = yield* selectAll<[LabelCount, { tags: string }, { tags: string }]>(
    {
      sql: 'SELECT tag AS value, count(*) AS count FROM record_tags WHERE space_id = $1 GROUP BY tag',
      values: [space],
    },
    { sql: 'SELECT tags FROM records WHERE space_id = $1 AND deleted_at IS NOT NULL', values: [space] },
    {
      sql: 'SELECT tags FROM records WHERE space_id = $1 AND deleted_at IS NULL AND kind = ANY ($2::text[])',
      values: [space, except],
    },
  );
  const counts = new Map(all.map(({ value, count }) => [value, count]));
  for (const { tags } of [...deleted, ...others])
    for (const tag of new Set(parseColumn<string[]>(tags, space))) counts.set(tag, (counts.get(tag) ?? 0) - 1);
  return Array.from(counts, ([value, count]) => ({ value, count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}
