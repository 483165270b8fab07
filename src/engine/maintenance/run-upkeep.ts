import { randomUUID } from 'node:crypto';
import type { Instant, SpaceId } from '../../model/ids.ts';
import type { EngineParts, JobWork } from '../engine-parts.ts';
import type { Condition, Receipts, Repair } from '../ports.ts';
import type { BelievedTime } from './believed-time.ts';
import { type EmbedWork, embedPending } from './embed-pending.ts';
import { tryToFinishRemovals } from './finish-removals.ts';
import { pruneFeed } from './prune-feed.ts';
import { purgeAged } from './purge-aged.ts';
import { purgeExpired } from './purge-expired.ts';
import { sweepChunks } from './sweep-chunks.ts';

export interface UpkeepOptions {
  /** Memories that were given vectors so far in this round. */
  onEmbedded?: (done: number) => void;
  /** Before the index of a space is looked after. */
  onIndexing?: () => void;
}

export interface UpkeepReport {
  flushed: number;
  merged: number;
  embedded: number;
  purged: number;
  /** What each job of a feature has done, by its name. */
  [job: string]: number;
}

const LEASE = 'upkeep';
/** Longer than one batch of embeddings takes; another process takes over after a crash. */
const LEASE_MS = 120_000;

/**
 * One round of background work over the spaces that have something to do. Of several processes on one store, one at a time embeds and purges;
 * the index guards its own segments, so that every process may look after its own copy.
 */
export async function runUpkeep(
  parts: EngineParts,
  signal: AbortSignal | undefined,
  options: UpkeepOptions,
): Promise<UpkeepReport> {
  const report: UpkeepReport = { flushed: 0, merged: 0, embedded: 0, purged: 0 };
  for (const { name } of parts.jobs) report[name] = 0;
  const holder = randomUUID();
  const holds = async () =>
    signal?.aborted !== true &&
    (await parts.store.takeLease(LEASE, holder, parts.clock.now() + LEASE_MS, parts.clock.now()));
  const leads = await holds();
  try {
    const time = leads ? await parts.time.look() : null;
    const due = await parts.visits.listDue(leads);
    if (time) {
      const changed = new Set(due.map(({ space }) => space));
      report.purged += await tryToFinishRemovals(parts, { dueBy: time.dueBy, changed });
    }
    for (const visit of due) {
      const led = time ? await doLeadersWork(parts, visit.space, { report, options, time, goOn: holds }) : NOTHING_LED;
      if (signal?.aborted === true) break;
      options.onIndexing?.();
      const { flushed, merged, postponed } = await parts.indexes.upkeep(visit.space);
      report.flushed += flushed;
      report.merged += merged;
      if (time) await pruneFeed(parts, visit.space);
      if (led.complete && postponed !== true) parts.visits.foundInOrder(visit, { leads, dueAt: led.dueAt });
    }
    // While segments come and go, the next one takes the room.
    const isAtRest = leads && signal?.aborted !== true && report.flushed + report.merged === 0;
    if (isAtRest) await parts.store.giveBackRoom?.();
  } finally {
    if (leads) await parts.store.releaseLease(LEASE, holder);
  }
  return report;
}

interface Led {
  complete: boolean;
  /** When there will be something to do although nobody writes. */
  dueAt: Instant | null;
}

const NOTHING_LED: Led = { complete: true, dueAt: null };

interface Round {
  report: UpkeepReport;
  options: UpkeepOptions;
  time: BelievedTime;
  goOn: () => Promise<boolean>;
}

async function doLeadersWork(parts: EngineParts, space: SpaceId, { report, options, time, goOn }: Round): Promise<Led> {
  const areCounted = await count(parts, space, goOn);
  const { purged, nextAt } = await purgeExpired(parts, space, time);
  const aged = await purgeAged(parts, space, time);
  report.purged += purged + aged.purged;
  await sweep(parts, space, time);
  const areForgotten = time.dueBy === null || (await forgetReceipts(parts, space, time.dueBy));
  const { embedded, complete } = await embedPending(parts, { space, goOn, ...countFrom(report.embedded, options) });
  report.embedded += embedded;
  const jobs = await runJobs(parts, report, { space, goOn });
  const dueAt = [aged.nextAt, jobs.dueAt].reduce(earliest, nextAt);
  return { complete: complete && areForgotten && areCounted && aged.complete && jobs.complete, dueAt };
}

/** Nothing is loaded for a job that has nothing to do. */
async function runJobs(parts: EngineParts, report: UpkeepReport, work: JobWork): Promise<Led> {
  const led: Led = { complete: true, dueAt: null };
  for (const { name, isDue, run } of parts.jobs) {
    if (!isDue(parts)) continue;
    const { count, complete, dueAt } = await (await run())(parts, work);
    report[name] = (report[name] ?? 0) + count;
    led.complete &&= complete;
    led.dueAt = earliest(led.dueAt, dueAt);
  }
  return led;
}

const SWEEP_EVERY_MS = 3_600_000;
const sweptAt = new WeakMap<EngineParts['store'], Map<SpaceId, Instant>>();

/** Looks through the names of all pieces, so not in every round. */
async function sweep(parts: EngineParts, space: SpaceId, { dueBy }: BelievedTime): Promise<void> {
  const swept = sweptAt.get(parts.store) ?? new Map<SpaceId, Instant>();
  sweptAt.set(parts.store, swept);
  if (dueBy === null || dueBy - (swept.get(space) ?? 0) < SWEEP_EVERY_MS) return;
  swept.set(space, dueBy);
  await sweepChunks(parts, space, dueBy);
}

function earliest(a: Instant | null, b: Instant | null): Instant | null {
  return a === null || b === null ? (a ?? b) : Math.min(a, b);
}

/** What is counted nowhere, or has no checksum, since no commit of this release wrote it. False: there is more. */
async function count(
  { store }: { store: Condition & Repair },
  space: SpaceId,
  goOn: () => Promise<boolean>,
): Promise<boolean> {
  if ((await store.expectedRows(space)) === null) await store.recount(space);
  while (!(await store.catchUp(space))) if (!(await goOn())) return false;
  return true;
}

function countFrom(before: number, { onEmbedded }: UpkeepOptions): Pick<EmbedWork, 'onProgress'> {
  return onEmbedded === undefined ? {} : { onProgress: (done) => onEmbedded(before + done) };
}

/** Whoever sends a request again does so within days; after a month the same key is a new request. */
const KEEP_MS = 30 * 86_400_000;
/** A bounded piece a round; what is left is for the next. */
const AT_ONCE = 1_000;

/** False: there are more. */
async function forgetReceipts({ store }: { store: Receipts }, space: SpaceId, dueBy: Instant): Promise<boolean> {
  return (await store.pruneReceipts(space, dueBy - KEEP_MS, AT_ONCE)) < AT_ONCE;
}
