import { randomUUID } from 'node:crypto';
import type { UpkeepOptions, UpkeepReport } from '../engine.ts';
import type { EngineParts } from '../engine-parts.ts';
import { type EmbedWork, embedPending } from './embed-pending.ts';
import { forgetReceipts } from './forget-receipts.ts';
import { purgeExpired } from './purge-expired.ts';

const LEASE = 'upkeep';
/** Longer than one batch of embeddings takes; another process takes over after a crash. */
const LEASE_MS = 120_000;

/**
 * One round of background work over all spaces. Of several processes on one store, one at a time embeds and purges;
 * the index guards its own segments, so that every process may look after its own copy.
 */
export async function runUpkeep(parts: EngineParts, signal: AbortSignal | undefined, options: UpkeepOptions): Promise<UpkeepReport> {
  const report: UpkeepReport = { flushed: 0, merged: 0, embedded: 0, purged: 0 };
  const holder = randomUUID();
  const holds = async () => signal?.aborted !== true && (await parts.store.takeLease(LEASE, holder, parts.clock.now() + LEASE_MS, parts.clock.now()));
  const spaces = await parts.store.listSpaces();
  const leads = await holds();
  try {
    for (const space of spaces) {
      if (leads) report.purged += await purgeExpired(parts, { space, confirmed: options.confirmPurge === true });
      if (leads) await forgetReceipts(parts, space);
      if (leads) report.embedded += await embedPending(parts, { space, goOn: holds, ...countFrom(report.embedded, options) });
      if (signal?.aborted === true) break;
      const { flushed, merged } = await parts.indexes.upkeep(space);
      report.flushed += flushed;
      report.merged += merged;
    }
  } finally {
    if (leads) await parts.store.releaseLease(LEASE, holder);
  }
  return report;
}

function countFrom(before: number, { onEmbedded }: UpkeepOptions): Pick<EmbedWork, 'onProgress'> {
  return onEmbedded === undefined ? {} : { onProgress: (done) => onEmbedded(before + done) };
}
