import { randomUUID } from 'node:crypto';
import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import type { EngineParts } from '../engine-parts.ts';
import { purgeIds } from '../records/delete-records.ts';
import { readPages } from '../records/find-records.ts';
import { type EmbedWork, embedPending } from './embed-pending.ts';

export interface UpkeepOptions {
  /** Purge even if it is more than a twentieth of a space at once, which could also be a clock that jumped. */
  confirmPurge?: boolean;
  /** Memories that were given vectors so far in this round. */
  onEmbedded?: (done: number) => void;
}

export interface UpkeepReport {
  flushed: number;
  merged: number;
  embedded: number;
  purged: number;
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
  const holder = randomUUID();
  const holds = async () =>
    signal?.aborted !== true &&
    (await parts.store.takeLease(LEASE, holder, parts.clock.now() + LEASE_MS, parts.clock.now()));
  const leads = await holds();
  try {
    for (const visit of await parts.visits.listDue(leads)) {
      const led = leads ? await doLeadersWork(parts, visit.space, { report, options, goOn: holds }) : NOTHING_LED;
      if (signal?.aborted === true) break;
      const { flushed, merged, postponed } = await parts.indexes.upkeep(visit.space);
      report.flushed += flushed;
      report.merged += merged;
      if (led.complete && postponed !== true) parts.visits.foundInOrder(visit, { leads, dueAt: led.dueAt });
    }
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
  goOn: () => Promise<boolean>;
}

async function doLeadersWork(parts: EngineParts, space: SpaceId, { report, options, goOn }: Round): Promise<Led> {
  const { purged, nextAt } = await purgeExpired(parts, { space, confirmed: options.confirmPurge === true });
  report.purged += purged;
  const areForgotten = await forgetReceipts(parts, space);
  const { embedded, complete } = await embedPending(parts, { space, goOn, ...countFrom(report.embedded, options) });
  report.embedded += embedded;
  return { complete: complete && areForgotten, dueAt: nextAt };
}

function countFrom(before: number, { onEmbedded }: UpkeepOptions): Pick<EmbedWork, 'onProgress'> {
  return onEmbedded === undefined ? {} : { onProgress: (done) => onEmbedded(before + done) };
}

const DAY = 86_400_000;
const PAGE = 500;
/** More than this share of a space at once looks like a clock that jumped, not like time that passed. */
const MAX_SHARE = 0.05;
const ALWAYS_ALLOWED = 20;

interface Purged {
  purged: number;
  /** When the next one is past its time; null where nothing is deleted. */
  nextAt: Instant | null;
}

/** Removes for good what was deleted longer ago than the operator keeps it. */
async function purgeExpired(parts: EngineParts, work: { space: SpaceId; confirmed: boolean }): Promise<Purged> {
  const { space, confirmed } = work;
  const problem = `purge:${space}`;
  const keepMs = parts.settings.keepDeletedDays * DAY;
  const { expired, oldestKept } = await listExpired(parts, space, parts.clock.now() - keepMs);
  const nextAt = oldestKept === null ? null : oldestKept + keepMs + 1;
  if (expired.length === 0) {
    parts.tally.problems.delete(problem);
    return { purged: 0, nextAt };
  }
  const { records, deleted } = await parts.store.inspect(space);
  if (!confirmed && expired.length > ALWAYS_ALLOWED && expired.length > MAX_SHARE * (records + deleted)) {
    parts.tally.problems.set(
      problem,
      `${expired.length} deleted memories have expired; that many at once are purged only after a person confirms it.`,
    );
    parts.log.warn('purge_needs_confirmation', { expired: expired.length });
    return { purged: 0, nextAt: parts.clock.now() };
  }
  parts.tally.problems.delete(problem);
  return { purged: (await purgeIds(parts, { space, ids: expired, actor: 'job:purge' })).length, nextAt };
}

async function listExpired(
  { store }: EngineParts,
  space: SpaceId,
  before: Instant,
): Promise<{ expired: RecordId[]; oldestKept: Instant | null }> {
  const expired: RecordId[] = [];
  let oldestKept: Instant | null = null;
  const filter = { deleted: 'only', includeSuperseded: true } as const;
  for await (const { items } of readPages(store, space, { filter, limit: PAGE })) {
    for (const { id, deletedAt } of items) {
      if (deletedAt === null) continue;
      if (deletedAt < before) expired.push(id);
      else oldestKept = Math.min(deletedAt, oldestKept ?? deletedAt);
    }
  }
  return { expired, oldestKept };
}

/** Whoever sends a request again does so within days; after a month the same key is a new request. */
const KEEP_MS = 30 * 86_400_000;
/** A bounded piece a round; what is left is for the next. */
const AT_ONCE = 1_000;

/** False: there are more. */
async function forgetReceipts({ store, clock }: EngineParts, space: SpaceId): Promise<boolean> {
  return (await store.pruneReceipts(space, clock.now() - KEEP_MS, AT_ONCE)) < AT_ONCE;
}
