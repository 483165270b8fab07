import type { Instant } from '../../model/ids.ts';
import type { ConsolidationStep, Horizon } from './consolidation.ts';

const DAY = 86_400_000;

interface HorizonPlan {
  /** Created within so many days, or longer ago; everything where neither is said. */
  withinDays?: number;
  olderDays?: number;
  steps: readonly ConsolidationStep[];
}

export const HORIZON_PLANS: Readonly<Record<Horizon, HorizonPlan>> = {
  daily: { withinDays: 2, steps: ['decay'] },
  weekly: { steps: ['decay', 'duplicates', 'summaries', 'associations'] },
  monthly: { steps: ['decay', 'duplicates', 'summaries', 'associations', 'forgetting'] },
  quarterly: { olderDays: 90, steps: ['decay', 'duplicates', 'summaries', 'forgetting'] },
  yearly: { olderDays: 365, steps: ['decay', 'forgetting'] },
};

/** The times of creation that a horizon covers. */
export function periodOf(horizon: Horizon, now: Instant): { after?: Instant; before?: Instant } {
  const { withinDays, olderDays } = HORIZON_PLANS[horizon];
  return {
    ...(withinDays !== undefined && { after: now - withinDays * DAY }),
    ...(olderDays !== undefined && { before: now - olderDays * DAY }),
  };
}
