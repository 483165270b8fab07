import { inGroup } from '../../verbs/in-group.ts';
import { listSpend } from './verbs/list-spend.ts';

export const VERBS = inGroup('Sessions', { listSpend });
