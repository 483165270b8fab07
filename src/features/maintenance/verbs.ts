import { scrubRecords } from '../../verbs/exchange/scrub-records.ts';
import { inGroup } from '../../verbs/in-group.ts';
import { checkHealth, memoryHealth, showStats } from '../../verbs/state/check-health.ts';

export const VERBS = {
  ...inGroup('State', { showStats, checkHealth, memoryHealth }),
  ...inGroup('Exchange', { scrubRecords }),
};
