import type { EngineParts, JobDone, JobWork } from '../../engine/engine-parts.ts';
import type { Instant, SpaceId } from '../../model/ids.ts';
import { runConsolidation } from './consolidate.ts';
import type { Horizon } from './consolidation.ts';
import { nextAfter, schedulesOf } from './next-after.ts';
import type { Schedule } from './read-schedule.ts';
import { stateId } from './run-kind.ts';
import { changeRunState, readRunState } from './run-state.ts';

/** Runs what has come due in this space since it last ran, each horizon once however often it was missed. */
export async function consolidateDue(parts: EngineParts, { space, goOn }: JobWork): Promise<JobDone> {
  const { settings, clock, store } = parts;
  const [known] = await store.getRecords(space, [stateId()]);
  let state =
    known === undefined ? await changeRunState(parts, space, (fresh) => fresh) : await readRunState(parts, space);
  const dueOf = (schedule: Schedule): Instant =>
    nextAfter(schedule, state.last[schedule.horizon] ?? state.since, settings.timeZone);
  const active = schedulesOf(parts).filter(({ horizon }) => !state.paused.includes(horizon));
  let runs = 0;
  for (const schedule of active) {
    if (dueOf(schedule) > clock.now() || !(await goOn())) continue;
    await runOne(parts, { space, horizon: schedule.horizon, goOn });
    runs++;
    state = await readRunState(parts, space);
  }
  const due = active.map(dueOf);
  return { count: runs, complete: true, dueAt: due.length === 0 ? null : Math.min(...due) };
}

async function runOne(
  parts: EngineParts,
  { space, horizon, goOn }: { space: SpaceId; horizon: Horizon; goOn: () => Promise<boolean> },
): Promise<void> {
  const { run, examined, decay, summaries, forgetting } = await runConsolidation(parts, {
    space,
    horizon,
    goOn,
    caller: null,
  });
  const made = { changed: decay.changed, summaries: summaries.clusters, archived: forgetting.archived };
  parts.log.info('consolidated', { space, horizon, run: run ?? '', examined, ...made });
}
