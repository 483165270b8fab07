import { inGroup } from '../../verbs/in-group.ts';
import { listSpend } from '../../verbs/sessions/list-spend.ts';

export const VERBS = inGroup('Sessions', { listSpend });
