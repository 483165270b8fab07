import { createHash } from 'node:crypto';
import { EngineError } from '../../model/errors.ts';
import type { Instant, RecordId, Sequence, SpaceId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import { type Row, type RowSet, SIDE_PARTS, type SidePart, type TransferStep } from '../../model/transfer.ts';
import type { Movable, Store } from '../ports.ts';

/** Records of one step: a transaction of some ten milliseconds in the target. */
const PAGE = 200;
const FEED_PAGE = 500;
/** Of what is large: a step of some megabytes. */
const SIDE_PAGES: Partial<Record<SidePart, number>> = { chunks: 50, sealed: 50 };

export type MovableStore = Store & Movable;

interface SpaceCopy {
  source: MovableStore;
  target: MovableStore;
  space: SpaceId;
  /** Records and entries copied so far. */
  onProgress?: (copied: number) => void;
}

/** Kept in the target with every step. */
interface Progress {
  phase: 'records' | 'relations' | 'feed';
  /** The feed's head when the copy began: what was written later is copied again by the feed. */
  base: Sequence;
  after: RecordId | null;
  /** The last entry that the target has. */
  seq: Sequence;
}

/**
 * Copies a space as it is, with its feed and the feed's numbers: first all records, then what has changed since, by the feed, up to where the source is
 * when it is asked. Goes on where an earlier run stopped. Returns the number up to which the target has everything.
 */
export async function copySpace(copy: SpaceCopy): Promise<Sequence> {
  const progress = await copyRecords(copy);
  const { source, target, space } = copy;
  const { createdAt: spaceCreatedAt, lastNumber } = await source.transfer.readState(space);
  await target.transfer.takeIn(space, { spaceCreatedAt, progress: toJson(progress), lastNumber });
  for (const part of SIDE_PARTS) await copySide(copy, part, { spaceCreatedAt, progress: toJson(progress) });
  return progress.seq;
}

/** What takes longest of it: the records and the feed, while the source goes on being written to, however fast. */
export async function copyRecords(copy: SpaceCopy): Promise<Progress> {
  const { source, target, space } = copy;
  const { createdAt: spaceCreatedAt } = await source.transfer.readState(space);
  let head: Sequence | null = null;
  let progress = readProgress((await target.transfer.readState(space)).progress) ?? {
    phase: 'records',
    base: await source.head(space),
    after: null,
    seq: 0,
  };
  let copied = 0;
  for (;;) {
    if (progress.phase === 'feed') {
      head ??= await source.head(space);
      if (progress.seq >= head) break;
    }
    const step = await nextStep(copy, progress);
    if (step === null) break;
    await target.transfer.takeIn(space, { ...step.taken, spaceCreatedAt, progress: toJson(step.progress) });
    progress = step.progress;
    copied += step.size;
    copy.onProgress?.(copied);
  }
  return progress;
}

interface NextStep {
  taken: Omit<TransferStep, 'progress' | 'spaceCreatedAt'>;
  progress: Progress;
  size: number;
}

async function nextStep(copy: SpaceCopy, progress: Progress): Promise<NextStep | null> {
  if (progress.phase === 'feed') return followFeed(copy, progress);
  const { source, space } = copy;
  const what = progress.phase;
  const ids = await source.listIds(space, { after: progress.after, limit: PAGE, of: 'all' });
  if (ids.length === 0)
    return {
      taken: {},
      progress: { ...progress, phase: what === 'records' ? 'relations' : 'feed', after: null },
      size: 0,
    };
  const rows = await source.transfer.readRecordRows(space, ids, what);
  return {
    taken: { [what]: { ids, rows } },
    progress: { ...progress, after: ids.at(-1)! },
    size: what === 'records' ? ids.length : 0,
  };
}

/** Entries from before the copy began tell nothing new about the records: those came later or are copied by a later entry. */
async function followFeed({ source, space }: SpaceCopy, progress: Progress): Promise<NextStep | null> {
  const feed = await source.changesAfter(space, progress.seq, FEED_PAGE);
  const [first, last] = [feed[0], feed.at(-1)];
  if (first === undefined || last === undefined) return null;
  if (first.seq > Math.max(progress.seq, progress.base) + 1)
    throw new EngineError('conflict', 'The source no longer keeps the changes since the copy was begun.', {
      hint: 'Copy into an empty database.',
      details: { space, from: progress.seq, kept: first.seq },
    });
  const ids = [...new Set(feed.filter(({ seq }) => seq > progress.base).map(({ id }) => id))];
  const next = { ...progress, seq: last.seq };
  if (ids.length === 0) return { taken: { feed }, progress: next, size: 0 };
  const records = { ids, rows: await source.transfer.readRecordRows(space, ids, 'records') };
  const relations = { ids, rows: await source.transfer.readRecordRows(space, ids, 'relations') };
  return { taken: { records, relations, feed }, progress: next, size: ids.length };
}

/** Follows no feed, so all of it is written anew, page by page; what the source no longer has goes. */
async function copySide(
  { source, target, space }: SpaceCopy,
  part: SidePart,
  step: { spaceCreatedAt: Instant; progress: JsonObject },
): Promise<void> {
  for (let after: string | null = null; ; ) {
    const { rows, last } = await source.transfer.readSideRows(space, part, {
      after,
      limit: SIDE_PAGES[part] ?? FEED_PAGE,
    });
    await target.transfer.takeIn(space, { ...step, side: { part, after, to: last, rows } });
    if (last === null) return;
    after = last;
  }
}

/** Once more, whatever the feed says of them. */
async function copyAgain({ source, target, space }: SpaceCopy, ids: readonly RecordId[]): Promise<void> {
  const { progress } = await target.transfer.readState(space);
  const { createdAt: spaceCreatedAt } = await source.transfer.readState(space);
  const records = { ids, rows: await source.transfer.readRecordRows(space, ids, 'records') };
  const relations = { ids, rows: await source.transfer.readRecordRows(space, ids, 'relations') };
  await target.transfer.takeIn(space, { spaceCreatedAt, progress: progress ?? {}, records, relations });
}

/** The index need not be made anew where the source's fits: same records, same feed. One that reaches past the copied feed does not. */
export async function copySegments({ source, target, space }: SpaceCopy): Promise<void> {
  if ((await target.listSegments(space)).length > 0) return;
  const head = await target.head(space);
  let covered = 0;
  for (const id of await source.listSegments(space)) {
    const [segment] = await source.readSegments(space, [id]);
    if (segment === undefined || segment.from !== covered || segment.to > head) return;
    if (!(await target.replaceSegments(space, [], [segment]))) return;
    covered = segment.to;
  }
}

/** The last entry that a copy has brought into this space; null where none was ever begun. */
export async function readCopiedHead(target: MovableStore, space: SpaceId): Promise<Sequence | null> {
  return readProgress((await target.transfer.readState(space)).progress)?.seq ?? null;
}

function readProgress(state: JsonObject | null): Progress | null {
  if (state === null) return null;
  const { phase, base, after, seq } = state;
  if (
    (phase !== 'records' && phase !== 'relations' && phase !== 'feed') ||
    typeof base !== 'number' ||
    typeof seq !== 'number'
  )
    return null;
  return { phase, base, seq, after: typeof after === 'string' ? after : null };
}

function toJson({ phase, base, after, seq }: Progress): JsonObject {
  return { phase, base, after, seq };
}

/** Where the source could keep no moment, what others change differs for a while; it is looked at again so often. */
const MAX_ROUNDS = 6;

export interface SpaceComparison {
  records: number;
  versions: number;
  passages: number;
  vectors: number;
  relations: number;
  changes: number;
  /** Records that are not the same in both, after all was tried. */
  different: RecordId[];
  /** False: the feeds are not the same line by line. */
  sameFeed: boolean;
}

type Counts = Omit<SpaceComparison, 'different' | 'sameFeed'>;

/** Every row of every record in both databases against each other, by hash, and the feed line by line. What differs is copied again before it counts. */
export async function compareSpaces(copy: SpaceCopy): Promise<SpaceComparison> {
  const counts: Counts = { records: 0, versions: 0, passages: 0, vectors: 0, relations: 0, changes: 0 };
  let different = await findDifferent(copy, counts);
  for (let round = 1; different.length > 0 && round <= MAX_ROUNDS; round++) {
    await copyRecords(copy);
    if (round > 1) await copyAgain(copy, different);
    different = await compareRecords(copy, different);
  }
  const sameFeed = await compareFeeds(copy, counts);
  return { ...counts, different, sameFeed };
}

async function findDifferent({ source, target, space, onProgress }: SpaceCopy, counts: Counts): Promise<RecordId[]> {
  const different: RecordId[] = [];
  for (let after: RecordId | null = null; ; ) {
    const [here, there]: RecordId[][] = await Promise.all([
      source.listIds(space, { after, limit: FEED_PAGE, of: 'all' }),
      target.listIds(space, { after, limit: FEED_PAGE, of: 'all' }),
    ]);
    const end: RecordId | undefined = here!.length === FEED_PAGE ? here!.at(-1) : undefined;
    const ids: RecordId[] = [...new Set([...here!, ...there!.filter((id) => end === undefined || id <= end)])];
    if (ids.length === 0) return different;
    different.push(...(await compareRecords({ source, target, space }, ids, counts)));
    onProgress?.(counts.records);
    after = end ?? ids.sort().at(-1)!;
  }
}

async function compareRecords(
  { source, target, space }: SpaceCopy,
  ids: readonly RecordId[],
  counts?: Counts,
): Promise<RecordId[]> {
  const [here, there] = await Promise.all([source, target].map((store) => readDigests(store, space, ids)));
  if (counts !== undefined) addCounts(counts, here!.rows);
  return ids.filter((id) => here!.digests.get(id) !== there!.digests.get(id));
}

function addCounts(counts: Counts, rows: RowSet): void {
  counts.records += rows.records?.length ?? 0;
  counts.versions += rows.record_versions?.length ?? 0;
  counts.passages += rows.passages?.length ?? 0;
  counts.vectors += rows.vectors?.length ?? 0;
  counts.relations += rows.relations?.length ?? 0;
}

async function readDigests(
  store: MovableStore,
  space: string,
  ids: readonly RecordId[],
): Promise<{ digests: Map<RecordId, string>; rows: RowSet }> {
  const rows: RowSet = {
    ...(await store.transfer.readRecordRows(space, ids, 'records')),
    ...(await store.transfer.readRecordRows(space, ids, 'relations')),
  };
  const lines = new Map<RecordId, string[]>();
  for (const [table, all] of Object.entries(rows)) {
    for (const row of all) {
      const id = String(table === 'records' ? row.id : (row.record_id ?? row.from_id));
      lines.set(id, [...(lines.get(id) ?? []), `${table} ${canonicalRow(row)}`]);
    }
  }
  return {
    digests: new Map(
      [...lines].map(([id, list]) => [id, createHash('sha256').update(list.sort().join('\n')).digest('base64')]),
    ),
    rows,
  };
}

/** The same text for the same row, whichever database gave it. */
function canonicalRow(row: Row): string {
  const columns = Object.keys(row).sort();
  return JSON.stringify(
    columns.map((column) => [
      column,
      row[column] instanceof Uint8Array ? Buffer.from(row[column]).toString('base64') : row[column],
    ]),
  );
}

/** What follows no feed, row by row; only a source that stands still can be compared so. */
export async function compareSides(copy: SpaceCopy): Promise<boolean> {
  for (const part of SIDE_PARTS) {
    let page: SidePage = { same: true, last: null };
    do page = await compareSidePage(copy, part, page.last);
    while (page.same && page.last !== null);
    if (!page.same) return false;
  }
  return true;
}

interface SidePage {
  same: boolean;
  last: string | null;
}

async function compareSidePage({ source, target, space }: SpaceCopy, part: SidePart, after: string | null) {
  const page = { after, limit: SIDE_PAGES[part] ?? FEED_PAGE };
  const [here, there] = await Promise.all([
    source.transfer.readSideRows(space, part, page),
    target.transfer.readSideRows(space, part, page),
  ]);
  return { same: canonicalRows(here.rows) === canonicalRows(there.rows), last: here.last };
}

/** The same text for the same rows, in whichever order they came. */
export function canonicalRows(rows: RowSet): string {
  return JSON.stringify(
    Object.entries(rows)
      .map(([table, all]) => [table, all.map(canonicalRow).sort()])
      .sort(),
  );
}

async function compareFeeds({ source, target, space }: SpaceCopy, counts: Counts): Promise<boolean> {
  const head = await target.head(space);
  const pruned = await Promise.all([source, target].map((store) => store.prunedTo(space)));
  for (let seq: Sequence = Math.max(...pruned); seq < head; ) {
    const [here, there] = await Promise.all([source, target].map((store) => store.changesAfter(space, seq, FEED_PAGE)));
    const upTo = here!.filter((entry) => entry.seq <= head);
    if (there!.length === 0 || JSON.stringify(upTo) !== JSON.stringify(there)) return false;
    counts.changes += there!.length;
    seq = there!.at(-1)!.seq;
  }
  return true;
}
