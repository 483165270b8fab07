import { randomUUID } from 'node:crypto';
import type { Instant, SpaceId } from '../../model/ids.ts';
import type { EngineParts } from '../engine-parts.ts';
import { type EmbedWork, embedPending } from './embed-pending.ts';
import { forgetReceipts } from './forget-receipts.ts';
import { purgeExpired } from './purge-expired.ts';

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
