import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { Clock, Records } from '../../engine/ports.ts';
import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { Instant } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import { listEntities } from '../graph/list-entities.ts';
import { memoryKind } from '../memories/memory-kind.ts';
import { analyzeQuality } from '../quality/analyze-quality.ts';
import { protectionOf } from '../quality/gather-facts.ts';
import { findProtection } from '../quality/measure-relevance.ts';
import { findConflicts } from '../truth/find-conflicts.ts';
import { cleanUp } from './clean-up.ts';
import type { Duplicates } from './find-duplicates.ts';
import type { MaintenanceReport, MaintenanceStep } from './insight.ts';
import { keepInsights, listInsights } from './keep-insights.ts';
import { planMerge } from './plan-changes.ts';
import { openRun } from './run-journal.ts';
import { changeRunState, readRunState } from './run-state.ts';

const DAY = 86_400_000;
const STALE_DAYS = 30;

type Found = Pick<MaintenanceStep, 'counts'> & Partial<Pick<MaintenanceStep, 'run' | 'notice'>>;

/** One look at everything; with `dryRun`, the default, nothing is changed. A step that fails is named and does not keep the others from being done. */
export async function maintain(
  parts: EngineParts,
  caller: Caller,
  { dryRun = true }: { dryRun?: boolean },
): Promise<MaintenanceReport> {
  authorize(caller, dryRun ? 'read' : 'write', caller.space);
  const startedAt = parts.clock.now();
  const report: MaintenanceReport = { dryRun, startedAt, finishedAt: startedAt, steps: [], errors: [] };
  const steps: Readonly<Record<string, () => Promise<Found>>> = {
    duplicates: () => lookForDuplicates(parts, caller, dryRun),
    conflicts: () => lookForConflicts(parts, caller, dryRun),
    stale: () => countStale(parts, caller),
    quality: () => weighQuality(parts, caller),
    entities: () => countEntities(parts, caller),
    insights: () => lookForInsights(parts, caller, dryRun),
  };
  for (const [step, look] of Object.entries(steps)) {
    try {
      const { counts, run = null, notice = null } = await look();
      report.steps.push({ step: step as MaintenanceStep['step'], counts, run, notice });
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      report.errors.push(`${step}: ${error.message}`);
    }
  }
  report.finishedAt = parts.clock.now();
  if (!dryRun)
    await changeRunState(parts, caller.space, (state) => ({ ...state, maintained: report as unknown as JsonObject }));
  return report;
}

/** What the last one that was no dry run has found; null: there was none. */
export async function readMaintenance(parts: EngineParts, caller: Caller): Promise<MaintenanceReport | null> {
  authorize(caller, 'read', caller.space);
  return (await readRunState(parts, caller.space)).maintained as unknown as MaintenanceReport | null;
}

async function lookForDuplicates(parts: EngineParts, caller: Caller, dryRun: boolean): Promise<Found> {
  const { examined, groups, merged, run } = await cleanUp(parts, caller, { dryRun });
  return { counts: { examined, groups, merged }, run };
}

const MOST_CONFLICTS = 100;
/** Sure enough, and so far apart, that the newer one is taken to have replaced the older. */
const SURE = 0.9;
const APART_DAYS = 7;

async function lookForConflicts(parts: EngineParts, caller: Caller, dryRun: boolean): Promise<Found> {
  const { conflicts, total } = await findConflicts(parts, caller, { limit: MOST_CONFLICTS });
  const protection = protectionOf(parts);
  const pairs: Duplicates[] = [];
  for (const { newer, older, confidence } of conflicts) {
    if (confidence < SURE) continue;
    const records = await parts.store.getRecords(caller.space, [newer.id, older.id]);
    const [keep, loser] = [records.find(({ id }) => id === newer.id), records.find(({ id }) => id === older.id)];
    if (keep === undefined || loser === undefined || keep.type !== loser.type || keep.project !== loser.project)
      continue;
    if (keep.createdAt - loser.createdAt < APART_DAYS * DAY || findProtection(loser, protection) !== null) continue;
    pairs.push({ keep, others: [{ record: loser, similarity: confidence }] });
  }
  const counts = { found: total, clear: pairs.length, resolved: 0 };
  if (!parts.settings.maintainAutoResolve)
    return { counts, notice: total > 0 ? '`ltm conflicts` lists them; maintain_auto_resolve is off.' : null };
  if (dryRun || pairs.length === 0) return { counts };
  const journal = await openRun(parts, { space: caller.space, caller, purpose: 'cleanup' });
  const done = await journal.write(
    pairs.map((pair) => planMerge(parts, pair, { at: parts.clock.now(), joinsTags: false })),
    'merged',
  );
  await journal.finish('done', { examined: total, notices: [] });
  return { counts: { ...counts, resolved: done.length }, run: journal.id };
}

async function countStale({ store, clock }: { store: Records; clock: Clock }, caller: Caller): Promise<Found> {
  const now: Instant = clock.now();
  const filter = { kinds: [memoryKind.name], validAt: now, idleSince: now - STALE_DAYS * DAY };
  return { counts: { stale: (await store.listRecords(caller.space, filter, { limit: 1 })).total, days: STALE_DAYS } };
}

async function weighQuality(parts: EngineParts, caller: Caller): Promise<Found> {
  const { total, bands } = await analyzeQuality(parts, caller, {});
  return { counts: { total, ...bands } };
}

/** They follow from the texts by themselves. */
async function countEntities(parts: EngineParts, caller: Caller): Promise<Found> {
  const { total } = await listEntities(parts, caller, { limit: 1 });
  return { counts: { entities: total } };
}

async function lookForInsights(parts: EngineParts, caller: Caller, dryRun: boolean): Promise<Found> {
  const insights = (await listInsights(parts, caller)).filter(({ isAcknowledged }) => !isAcknowledged);
  const counts = { found: insights.length, kept: 0 };
  if (!parts.settings.insightCards) return { counts, notice: 'insight_cards is off: they are listed, and not stored.' };
  if (dryRun) return { counts };
  const { run, kept } = await keepInsights(parts, caller, insights);
  return { counts: { ...counts, kept }, run };
}
