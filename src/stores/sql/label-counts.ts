import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import type { RecordRow } from './record-row.ts';
import { type Steps, select, selectAll, send, sendRows } from './statements.ts';

/**
 * How many live records have a label, by kind; beside them how many passages and vectors live records have. Every commit keeps them. What was there
 * before they were kept, or is to be counted again, is counted in the order of ids: `feed_heads.counted` says how far, and commits leave to it what
 * comes after.
 */
export type CountedLabel = 'all' | 'superseded' | 'tag' | 'type' | 'project' | 'agent' | 'day' | 'passages' | 'vectors';

/** Greater than every id: nothing is left to count. */
export const ALL_COUNTED = '~';

const DAY = 86_400_000;
/** Days before 1970 sort right too: no instant is further from it than this many. */
const DAYS_BEFORE = 100_000_000;

export interface LabelTally {
  readonly upTo: RecordId;
  readonly changes: Map<string, LabelCount>;
}

export type KeptCount = Readonly<LabelCount>;

interface LabelCount {
  label: CountedLabel;
  value: string;
  kind: string;
  live: number;
  /** Of those the ones that are neither superseded nor valid for a time alone: they pass at any time. */
  plain: number;
}

/** The columns that records are counted by. */
export const LABELLED_COLUMNS = [
  ...(['id', 'kind', 'type', 'project', 'agent', 'tags', 'created_at'] as const),
  ...(['valid_from', 'valid_until', 'superseded_by', 'deleted_at'] as const),
] as const satisfies (keyof RecordRow)[];
export type LabelledRow = Pick<RecordRow, (typeof LABELLED_COLUMNS)[number]>;

/** What of a record is counted besides its labels. */
export interface Weight {
  passages: number;
  /** By embedder. */
  vectors: ReadonlyMap<string, number>;
}

export function dayOf(at: Instant): string {
  return String(Math.floor(at / DAY) + DAYS_BEFORE).padStart(9, '0');
}

export function keyOf({ label, value, kind }: Pick<LabelCount, 'label' | 'value' | 'kind'>): string {
  return `${label}\0${kind}\0${value}`;
}

export function newLabelTally(upTo: RecordId): LabelTally {
  return { upTo, changes: new Map() };
}

function add(
  { changes }: LabelTally,
  { label, value, kind, live, plain }: Omit<LabelCount, 'plain'> & { plain?: number },
): void {
  const key = keyOf({ label, value, kind });
  const known = changes.get(key);
  if (known === undefined) changes.set(key, { label, value, kind, live, plain: plain ?? 0 });
  else {
    known.live += live;
    known.plain += plain ?? 0;
  }
}

/** What a row is before and after a write; deleted ones are not counted. */
export function tallyRow(tally: LabelTally, before: LabelledRow | undefined, after: LabelledRow | undefined): void {
  const { id } = (after ?? before)!;
  if (id > tally.upTo) return;
  if (before !== undefined && before.deleted_at === null) addRow(tally, before, -1);
  if (after !== undefined && after.deleted_at === null) addRow(tally, after, 1);
}

function addRow(tally: LabelTally, row: LabelledRow, live: 1 | -1): void {
  const { kind, type, project, agent, created_at } = row;
  const isPlain = row.superseded_by === null && row.valid_from === null && row.valid_until === null;
  const labels: [CountedLabel, string][] = [
    ['all', ''],
    ['type', type],
    ['day', dayOf(created_at)],
  ];
  if (row.superseded_by !== null) labels.push(['superseded', '']);
  if (project !== null) labels.push(['project', project]);
  if (agent !== null) labels.push(['agent', agent]);
  for (const tag of new Set(readTags(row.tags))) labels.push(['tag', tag]);
  for (const [label, value] of labels) add(tally, { label, value, kind, live, plain: isPlain ? live : 0 });
}

/** A damaged row may hold anything; whoever mends or purges it has everything counted again. */
function readTags(text: string): string[] {
  try {
    const tags: unknown = JSON.parse(text);
    return Array.isArray(tags) ? tags.map(String) : [];
  } catch {
    return [];
  }
}

/** Passages and vectors that a live record gains or, with −1, loses. */
export function tallyWeight(
  tally: LabelTally,
  id: RecordId,
  { passages, vectors }: Weight,
  { times = 1 }: { times?: 1 | -1 } = {},
): void {
  if (id > tally.upTo) return;
  if (passages !== 0) add(tally, { label: 'passages', value: '', kind: '', live: times * passages });
  for (const [value, n] of vectors) if (n !== 0) add(tally, { label: 'vectors', value, kind: '', live: times * n });
}

export function weigh(passages: number, vectors: readonly { embedder: string }[]): Weight {
  const by = new Map<string, number>();
  for (const { embedder } of vectors) by.set(embedder, (by.get(embedder) ?? 0) + 1);
  return { passages, vectors: by };
}

export function* readWeights(space: SpaceId, ids: readonly RecordId[]): Steps<Map<RecordId, Weight>> {
  const values = [space, ids];
  const where = 'WHERE space_id = $1 AND record_id = ANY ($2::text[]) GROUP BY record_id';
  const [passages, vectors] = yield* selectAll<
    [{ record_id: RecordId; n: number }, { record_id: RecordId; embedder: string; n: number }]
  >(
    { sql: `SELECT record_id, count(*) AS n FROM passages ${where}`, values },
    { sql: `SELECT record_id, embedder, count(*) AS n FROM vectors ${where}, embedder`, values },
  );
  const found = new Map(ids.map((id) => [id, { passages: 0, vectors: new Map<string, number>() }]));
  for (const { record_id, n } of passages) found.get(record_id)!.passages = n;
  for (const { record_id, embedder, n } of vectors) found.get(record_id)!.vectors.set(embedder, n);
  return found;
}

const ADD_COUNTS = {
  table: 'label_counts',
  columns: ['label', 'value', 'kind', 'live', 'plain'],
  conflict: `ON CONFLICT (space_id, label, value, kind) DO UPDATE SET
    live = label_counts.live + excluded.live, plain = label_counts.plain + excluded.plain`,
};

/** A label that nothing has any more is not kept: it may be what somebody wanted to be gone. */
export function* writeLabelCounts(space: SpaceId, { changes }: LabelTally): Steps<void> {
  const changed = [...changes.values()].filter(({ live, plain }) => live !== 0 || plain !== 0);
  const rows = changed.map(({ label, value, kind, live, plain }) => [label, value, kind, live, plain]);
  yield* sendRows({ into: ADD_COUNTS, space, rows });
  const fewer = changed.filter(({ live }) => live < 0);
  if (fewer.length === 0) return;
  yield* send(
    'DELETE FROM label_counts WHERE space_id = $1 AND label = ANY ($2::text[]) AND value = ANY ($3::text[]) AND live <= 0',
    space,
    [...new Set(fewer.map(({ label }) => label))],
    [...new Set(fewer.map(({ value }) => value))],
  );
}

export function readLabelCounts(space: SpaceId): Steps<readonly KeptCount[]> {
  return select('SELECT label, value, kind, live, plain FROM label_counts WHERE space_id = $1', space);
}

/** From now on nothing is counted, until somebody begins anew. */
export function* leaveLabelsUncounted(space: SpaceId): Steps<void> {
  yield* send("UPDATE feed_heads SET counted = '' WHERE space_id = $1", space);
}
