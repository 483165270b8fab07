import { HORIZONS } from '../../../features/consolidation/consolidation.ts';
import { toIso } from '../../../model/instant.ts';
import { choice } from '../../../verbs/field.ts';
import { cleanUpDuplicates, countRuns, RECOMMENDATIONS } from '../consolidation-tools.ts';
import { type CallWith, defineRoute, problem, type ServiceCall, type ServiceRoute } from './service-route.ts';

export const TRIGGERED = { time_horizon: choice(HORIZONS) };

export async function trigger({ engine, caller, body }: CallWith<{ body: typeof TRIGGERED }>): Promise<object> {
  const { time_horizon: horizon = 'weekly' } = body;
  const report = await engine.consolidate(caller, { horizon });
  return {
    status: 'completed',
    horizon,
    processed: report.examined,
    associations: report.associations.proposed,
    compressed: report.summaries.made.length,
    forgotten: report.forgetting.archived,
    duration: (report.finishedAt - report.startedAt) / 1000,
    run: report.run,
  };
}

async function status({ engine, caller }: ServiceCall): Promise<object> {
  const found = await engine.readConsolidationStatus(caller);
  const { done, failed } = countRuns(found);
  const next = found.horizons.map(({ horizon, nextAt, isPaused }) => [
    `next_${horizon}`,
    nextAt === null || isPaused ? null : toIso(nextAt),
  ]);
  return { running: found.isScheduled, ...Object.fromEntries(next), jobs_executed: done, jobs_failed: failed };
}

async function recommend({ engine, caller, params }: ServiceCall): Promise<object> {
  const horizon = HORIZONS.find((one) => one === params.horizon);
  if (horizon === undefined) throw problem(400, `There are ${HORIZONS.join(', ')}.`);
  const said = await engine.recommendConsolidation(caller, horizon);
  const old = said.memories === 0 ? 0 : (said.olderThanMonth / said.memories) * 100;
  return {
    recommendation: RECOMMENDATIONS[said.recommendation],
    reasons: said.reasons,
    memory_count: said.memories,
    in_horizon: said.inHorizon,
    old_memory_percentage: Number(old.toFixed(2)),
    time_horizon: horizon,
  };
}

async function cleanUp(call: ServiceCall): Promise<object> {
  const { merged, run } = await cleanUpDuplicates(call);
  const message = merged === 0 ? 'No duplicate memories found' : `Successfully removed ${merged} duplicate memories`;
  return { success: true, message, affected_count: merged, operation: 'cleanup_duplicates', run };
}

export const CONSOLIDATION_ROUTES: readonly ServiceRoute[] = [
  defineRoute({
    at: 'POST /consolidation/trigger',
    needs: 'write',
    body: TRIGGERED,
    handle: trigger,
  }),
  defineRoute({ at: 'GET /consolidation/status', needs: 'read', handle: status }),
  defineRoute({ at: 'GET /consolidation/recommendations/{horizon}', needs: 'read', handle: recommend }),
  defineRoute({ at: 'POST /manage/cleanup-duplicates', needs: 'write', handle: cleanUp }),
  defineRoute({ at: 'POST /manage/system/cleanup_duplicates', needs: 'write', handle: cleanUp }),
];
