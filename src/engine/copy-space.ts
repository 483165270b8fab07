import { EngineError } from '../model/errors.ts';
import type { Instant, RecordId, Sequence, SpaceId } from '../model/ids.ts';
import type { JsonObject } from '../model/json.ts';
import { SIDE_PARTS, type SidePart, type TransferStep } from '../model/transfer.ts';
import type { Movable, Store } from './ports.ts';

/** Records of one step: a transaction of some ten milliseconds in the target. */
const PAGE = 200;
export const FEED_PAGE = 500;
/** Of what is large: a step of some megabytes. */
export const SIDE_PAGES: Partial<Record<SidePart, number>> = { chunks: 50, sealed: 50 };

export type MovableStore = Store & Movable;

export interface SpaceCopy {
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
export async function copyAgain({ source, target, space }: SpaceCopy, ids: readonly RecordId[]): Promise<void> {
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
export async function readCopiedHead(target: Movable, space: SpaceId): Promise<Sequence | null> {
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
