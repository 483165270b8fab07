import { RECORD_ID_LENGTH, type RecordId } from '../../model/ids.ts';
import { idAt } from './columns.ts';
import { createPacer, filterInTurns } from './pacer.ts';
import type { Part } from './part.ts';
import { replaceParts } from './replace-parts.ts';
import type { IndexContext, SpaceIndex } from './space-index.ts';
import { createTail, type Tail } from './tail.ts';

/** 'stale': another process was faster; load the index again. */
export type Tended = 'done' | 'nothing' | 'stale';

/** Feed entries, in multiples of the passages that make a flush due, that a start may have to replay. */
const MAX_REPLAY = 4;
/** What a flush is worth where the space is small: whoever starts next reads the rest from the records, at a third of a millisecond each. */
const SMALL_FLUSH = 256;
/** In a larger space: this share of what is in segments, so that each passage is written to few of them. */
const FLUSH_SHARE = 0.1;
/**
 * A process that ends stores less, because what it leaves is read again by every process that follows, at two thirds of a millisecond each where that is a single
 * command. With fewer, commands that store would spend more on segments and on joining them than that.
 */
const CLOSING_FLUSH = 12;
/** Segments of one size class that are joined, and how much each class is larger than the one before. */
const FAN_IN = 4;
const MAX_SEGMENTS = 16;
const MAX_DEAD_SHARE = 0.3;

/** How many passages in memory alone make a flush due, where so many are in segments. */
export function flushSize({ flushPassages }: Pick<IndexContext, 'flushPassages'>, inSegments: number): number {
  return Math.min(flushPassages, Math.max(SMALL_FLUSH, Math.ceil(FLUSH_SHARE * inSegments)));
}

/** Upkeep also takes the place of damaged segments; 'searched' and 'closing' store what is waiting in memory, where the process goes on and where it ends. */
export type Occasion = 'upkeep' | 'searched' | 'closing';

export function isFlushDue(context: IndexContext, index: SpaceIndex, occasion: Occasion): boolean {
  const size = flushSize(context, countDocs(index.parts.filter((part) => part.segment !== null)));
  const least = occasion === 'closing' ? Math.min(size, CLOSING_FLUSH) : size;
  const waiting = tails(index).reduce((sum, tail) => sum + tail.columns.docCount, 0);
  if (occasion === 'upkeep' && index.discarded.length > 0) return true;
  return waiting >= least || index.head - index.covered >= MAX_REPLAY * least;
}

/** Cuts everything that is in memory only into a segment. */
export async function flush(context: IndexContext, index: SpaceIndex): Promise<Tended> {
  const { covered: from, head: to } = index;
  const parts = tails(index);
  if (from === to && index.discarded.length === 0) return 'nothing';
  index.tail = createTail(index.embedder, context.kinds.codeOf);
  index.parts.push(index.tail);
  const deletedIds = from === 0 ? [] : await listGone(parts);
  const leaving = index.discarded;
  if (!(await replaceParts(context, index, { parts, from, to, deletedIds, leaving }))) return 'stale';
  index.covered = to;
  index.discarded = index.discarded.filter((id) => !leaving.includes(id));
  return 'done';
}

/** Joins segments of similar size, or drops the dead of one that has many. */
export async function mergeSegments(context: IndexContext, index: SpaceIndex): Promise<Tended> {
  const parts = chooseMerge(
    index.parts.filter((part) => part.segment !== null),
    context,
  );
  if (parts.length === 0) return 'nothing';
  return (await replaceParts(context, index, { parts, ...describeRun(parts) })) ? 'done' : 'stale';
}

/** Rewrites one segment that holds what is left of any of these records; call it until it says 'nothing'. One that has come back since stays. */
export async function forgetRecords(
  context: IndexContext,
  index: SpaceIndex,
  ids: readonly RecordId[],
): Promise<Tended> {
  const part = await findHoldingDead(index, ids);
  if (part === null) return 'nothing';
  const run = describeRun([part]);
  const gone = await filterInTurns(ids, (id) => !isAlive(part, id));
  const deletedIds = run.from === 0 ? [] : [...new Set([...run.deletedIds, ...gone])];
  return (await replaceParts(context, index, { parts: [part], ...run, deletedIds, without: new Set(gone) }))
    ? 'done'
    : 'stale';
}

/** The first segment that has words of one of these records that is no longer alive in it. */
export async function findHoldingDead(index: SpaceIndex, ids: readonly RecordId[]): Promise<Part | null> {
  const pace = createPacer();
  for (const part of [...index.parts]) {
    if (part.segment === null) continue;
    for (const [i, id] of ids.entries()) {
      if (part.find(id) !== -1 && !isAlive(part, id)) return part;
      if (i % 500 === 0) await pace();
    }
  }
  return null;
}

function tails(index: SpaceIndex): Tail[] {
  return index.parts.filter((part): part is Tail => part.segment === null);
}

/** Records that changed in the tails' time and are not alive in them. One that changes while they are looked at is named by the changes that follow. */
function listGone(parts: readonly Tail[]): Promise<RecordId[]> {
  const touched = new Set(parts.flatMap((tail) => [...tail.touched]));
  return filterInTurns([...touched], (id) => !parts.some((tail) => isAlive(tail, id)));
}

function isAlive(part: Part, id: RecordId): boolean {
  const record = part.find(id);
  return record !== -1 && part.deadRecords[record] !== 1;
}

function describeRun(parts: readonly Part[]) {
  const from = Math.min(...parts.map((part) => part.segment!.from));
  const to = Math.max(...parts.map((part) => part.segment!.to));
  const deletedIds =
    from === 0
      ? []
      : parts
          .flatMap((part) => listIds(part.segment!.deletedIds))
          .filter((id) => !parts.some((part) => isAlive(part, id)));
  return { from, to, deletedIds: [...new Set(deletedIds)], leaving: parts.map((part) => part.segment!.id) };
}

function listIds(ids: Uint8Array): RecordId[] {
  return Array.from({ length: ids.length / RECORD_ID_LENGTH }, (_, i) => idAt({ ids }, i));
}

function chooseMerge(segments: readonly Part[], context: IndexContext): readonly Part[] {
  const { budgetBytes } = context;
  const smallest = flushSize(context, 0);
  const ordered = segments.toSorted((a, b) => a.segment!.to - b.segment!.to);
  const sizeClass = (part: Part) =>
    Math.max(0, Math.floor(Math.log(Math.max(1, part.liveDocs) / smallest) / Math.log(FAN_IN)));
  const fits = (run: readonly Part[]) => run.reduce((sum, part) => sum + part.segment!.bytes, 0) <= budgetBytes / 2;
  const runs = ordered.map((_, i) => ordered.slice(i, i + FAN_IN)).filter((run) => run.length === FAN_IN && fits(run));
  const alike = runs.findLast((run) => run.every((part) => sizeClass(part) === sizeClass(run[0]!)));
  if (alike !== undefined) return alike;
  if (segments.length > MAX_SEGMENTS) return runs.toSorted((a, b) => countDocs(a) - countDocs(b))[0] ?? [];
  const worn = ordered.find(
    (part) => part.columns.docCount - part.liveDocs > MAX_DEAD_SHARE * part.columns.docCount && fits([part]),
  );
  return worn === undefined ? [] : [worn];
}

function countDocs(parts: readonly Part[]): number {
  return parts.reduce((sum, part) => sum + part.liveDocs, 0);
}
