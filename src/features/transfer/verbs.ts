import { inGroup } from '../../verbs/in-group.ts';
import { exportRecords, importRecords } from './verbs/exchange-records.ts';

export const VERBS = inGroup('Exchange', { exportRecords, importRecords });
