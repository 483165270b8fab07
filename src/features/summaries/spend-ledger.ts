import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import type { Clock, Records } from '../../engine/ports.ts';
import { passagesOf } from '../../engine/records/kind.ts';
import { makeContent } from '../../engine/records/store-record.ts';
import { type Caller, OWNER_USER } from '../../model/caller.ts';
import type { Change } from '../../model/change.ts';
import { EngineError } from '../../model/errors.ts';
import type { SpaceId } from '../../model/ids.ts';
import { dayOf } from '../../model/instant.ts';
import type { DaySpend, SpendReport } from './spend.ts';
import { readSpend, spendId, spendKind, toSpend } from './spend-kind.ts';

const DAY = 86_400_000;
export const LEDGER_ACTOR = 'job:summarize';

/** What is added to a day; may be less than nothing where more was set aside than was used. */
export type SpendChange = Partial<Omit<DaySpend, 'day' | 'model'>>;

/** The change that adds this to the day's account. */
export async function planSpend(
  parts: EngineParts,
  space: SpaceId,
  { day, model, added }: { day: string; model: string; added: SpendChange },
): Promise<Change> {
  const id = spendId(day, model);
  const [known] = await parts.store.getRecords(space, [id]);
  const before = known === undefined ? readSpend({ day, model }) : toSpend(known);
  const sums = Object.fromEntries(
    (['calls', 'inputTokens', 'outputTokens', 'summarized', 'failed'] as const).map((name) => [
      name,
      Math.max(0, before[name] + (added[name] ?? 0)),
    ]),
  );
  const now = parts.clock.now();
  const content = makeContent(spendKind, known?.createdAt ?? now, {
    source: { door: 'job', userId: OWNER_USER },
    trust: 'agent',
    agent: null,
    updatedAt: now,
    body: { day, model, ...sums },
  });
  const put = { op: 'put', id, content, passages: passagesOf(spendKind, content), vectors: [] } as const;
  return { ...put, expect: known?.revision ?? 'new', unlessDuplicate: false, isDerived: true };
}

/** Adds to the day's account. False: somebody else did so at the same time. */
export async function addSpend(
  parts: EngineParts,
  space: SpaceId,
  what: Parameters<typeof planSpend>[2],
): Promise<boolean> {
  const committed = await parts.store.commit(space, [await planSpend(parts, space, what)], LEDGER_ACTOR);
  if (committed.outcome === 'committed') return true;
  if (committed.conflict.reason === 'revision' || committed.conflict.reason === 'exists') return false;
  throw new EngineError('conflict', 'What was spent could not be written down.');
}

/** Of all models: a budget is not doubled by changing the model. */
export async function countCalls({ store, clock }: { store: Records; clock: Clock }, space: SpaceId): Promise<number> {
  const filter = { kinds: [spendKind.name], after: clock.now() - 2 * DAY };
  const { items } = await store.listRecords(space, filter, { limit: 100, total: false }, () => {});
  const today = dayOf(clock.now());
  return items
    .map(toSpend)
    .filter(({ day }) => day === today)
    .reduce((sum, { calls }) => sum + calls, 0);
}

export async function listSpend(parts: EngineParts, caller: Caller, days: number): Promise<SpendReport> {
  authorize(caller, 'read', caller.space);
  const { store, clock, summarizer, settings } = parts;
  const from = dayOf(clock.now() - (days - 1) * DAY);
  const filter = { kinds: [spendKind.name], after: clock.now() - (days + 1) * DAY };
  const { items } = await store.listRecords(caller.space, filter, { limit: 1000, total: false });
  const spent = items.map(toSpend).filter(({ day }) => day >= from);
  return {
    days: spent.sort((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : a.model < b.model ? -1 : 1)),
    model: summarizer?.id ?? null,
    dailyCalls: settings.summarizerDailyCalls,
    callsToday: await countCalls(parts, caller.space),
  };
}
