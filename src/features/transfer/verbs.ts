import { exportRecords, importRecords } from '../../verbs/exchange/exchange-records.ts';
import { inGroup } from '../../verbs/in-group.ts';

export const VERBS = inGroup('Exchange', { exportRecords, importRecords });
