import { createHash } from 'node:crypto';
import { copyAgain, copyRecords, FEED_PAGE, SIDE_PAGES, type SpaceCopy } from '../../engine/copy-space.ts';
import type { Movable } from '../../engine/ports.ts';
import type { RecordId, Sequence } from '../../model/ids.ts';
import { type Row, type RowSet, SIDE_PARTS, type SidePart, type TransferCounts } from '../../model/transfer.ts';

/** Where the source could keep no moment, what others change differs for a while; it is looked at again so often. */
const MAX_ROUNDS = 6;

interface SpaceComparison extends TransferCounts {
  /** Records that are not the same in both, after all was tried. */
  different: RecordId[];
  /** False: the feeds are not the same line by line. */
  sameFeed: boolean;
}

/** Every row of every record in both databases against each other, by hash, and the feed line by line. What differs is copied again before it counts. */
export async function compareSpaces(copy: SpaceCopy): Promise<SpaceComparison> {
  const counts: TransferCounts = { records: 0, versions: 0, passages: 0, vectors: 0, relations: 0, changes: 0 };
  let different = await findDifferent(copy, counts);
  for (let round = 1; different.length > 0 && round <= MAX_ROUNDS; round++) {
    await copyRecords(copy);
    if (round > 1) await copyAgain(copy, different);
    different = await compareRecords(copy, different);
  }
  const sameFeed = await compareFeeds(copy, counts);
  return { ...counts, different, sameFeed };
}

async function findDifferent(
  { source, target, space, onProgress }: SpaceCopy,
  counts: TransferCounts,
): Promise<RecordId[]> {
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
  counts?: TransferCounts,
): Promise<RecordId[]> {
  const [here, there] = await Promise.all([source, target].map((store) => readDigests(store, space, ids)));
  if (counts !== undefined) addCounts(counts, here!.rows);
  return ids.filter((id) => here!.digests.get(id) !== there!.digests.get(id));
}

function addCounts(counts: TransferCounts, rows: RowSet): void {
  counts.records += rows.records?.length ?? 0;
  counts.versions += rows.record_versions?.length ?? 0;
  counts.passages += rows.passages?.length ?? 0;
  counts.vectors += rows.vectors?.length ?? 0;
  counts.relations += rows.relations?.length ?? 0;
}

async function readDigests(
  store: Movable,
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

async function compareFeeds({ source, target, space }: SpaceCopy, counts: TransferCounts): Promise<boolean> {
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
