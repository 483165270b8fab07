import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import { invalid } from '../../engine/records/check-text.ts';
import type { Caller } from '../../model/caller.ts';
import { passOver } from '../../model/damage.ts';
import { memoryKind } from '../memories/memory-kind.ts';
import {
  type ConsolidationStatus,
  HORIZONS,
  type Horizon,
  type Recommendation,
  type ScheduledHorizon,
} from './consolidation.ts';
import { periodOf } from './horizons.ts';
import { listRunRecords } from './list-runs.ts';
import { nextAfter, schedulesOf } from './next-after.ts';
import { type RunStateBody, toRun } from './run-kind.ts';
import { changeRunState, readRunState } from './run-state.ts';

const DAY = 86_400_000;
const SHOWN_RUNS = 10;
/** So many are worth a look, so many more one soon. */
const SOME = 50;
const MANY = 500;
const LONG_AGO_DAYS: Readonly<Record<Horizon, number>> = {
  daily: 2,
  weekly: 8,
  monthly: 32,
  quarterly: 95,
  yearly: 370,
};

export async function readConsolidationStatus(parts: EngineParts, caller: Caller): Promise<ConsolidationStatus> {
  authorize(caller, 'read', caller.space);
  const { settings } = parts;
  const state = await readRunState(parts, caller.space);
  const runs = await listRunRecords(parts, caller.space, SHOWN_RUNS);
  return {
    isScheduled: settings.consolidationSchedule.length > 0,
    forget: settings.consolidationForget,
    horizons: HORIZONS.map((horizon) => describeHorizon(parts, horizon, state)),
    runs: runs.map(toRun),
  };
}

function describeHorizon(parts: EngineParts, horizon: Horizon, state: RunStateBody): ScheduledHorizon {
  const schedule = schedulesOf(parts).find((one) => one.horizon === horizon);
  const isPaused = state.paused.includes(horizon);
  const lastAt = state.last[horizon] ?? null;
  const nextAt =
    schedule === undefined || isPaused ? null : nextAfter(schedule, lastAt ?? state.since, parts.settings.timeZone);
  return { horizon, schedule: schedule?.text ?? null, isPaused, lastAt, nextAt };
}

/** Of one horizon or all of them. What somebody asks for themselves runs all the same. */
export async function pauseConsolidation(
  parts: EngineParts,
  caller: Caller,
  { horizon, isPaused }: { horizon?: Horizon; isPaused: boolean },
): Promise<ConsolidationStatus> {
  authorize(caller, 'write', caller.space);
  if (horizon !== undefined && !HORIZONS.includes(horizon))
    throw invalid('horizon', `must be one of ${HORIZONS.join(', ')}`);
  const meant = horizon === undefined ? HORIZONS : [horizon];
  await changeRunState(parts, caller.space, (state) => {
    const others = state.paused.filter((one) => !meant.includes(one));
    return { ...state, paused: isPaused ? [...others, ...meant] : others };
  });
  return readConsolidationStatus(parts, caller);
}

/** By counts alone: nothing is read or compared for it. A dry run says what a run would do. */
export async function recommendConsolidation(
  parts: EngineParts,
  caller: Caller,
  horizon: Horizon,
): Promise<Recommendation> {
  authorize(caller, 'read', caller.space);
  if (!HORIZONS.includes(horizon)) throw invalid('horizon', `must be one of ${HORIZONS.join(', ')}`);
  const now = parts.clock.now();
  const count = async (period: { after?: number; before?: number }) => {
    const filter = { kinds: [memoryKind.name], validAt: now, ...period };
    return (await parts.store.listRecords(caller.space, filter, { limit: 1 }, passOver)).total;
  };
  const memories = await count({});
  const inHorizon = await count(periodOf(horizon, now));
  const olderThanMonth = await count({ before: now - 30 * DAY });
  const lastAt = (await readRunState(parts, caller.space)).last[horizon];
  const sinceLastRunDays = lastAt === undefined ? null : (now - lastAt) / DAY;
  const isDue = sinceLastRunDays === null || sinceLastRunDays >= LONG_AGO_DAYS[horizon];
  const reasons = [
    `${inHorizon} of ${memories} memories are in this horizon, ${olderThanMonth} of all are older than a month.`,
    sinceLastRunDays === null ? 'It has never run.' : `It ran ${Math.round(sinceLastRunDays * 10) / 10} days ago.`,
  ];
  const recommendation = inHorizon < SOME || !isDue ? 'none' : inHorizon < MANY ? 'optional' : 'beneficial';
  if (inHorizon < SOME) reasons.push(`With fewer than ${SOME} memories there is nothing to gain.`);
  return { horizon, recommendation, reasons, memories, inHorizon, olderThanMonth, sinceLastRunDays };
}
