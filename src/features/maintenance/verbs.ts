import { inGroup } from '../../verbs/in-group.ts';
import { checkHealth, memoryHealth, showStats } from './verbs/check-health.ts';
import { scrubRecords } from './verbs/scrub-records.ts';

export const VERBS = {
  ...inGroup('State', { showStats, checkHealth, memoryHealth }),
  ...inGroup('Exchange', { scrubRecords }),
};
