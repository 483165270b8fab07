import { inGroup } from '../../verbs/in-group.ts';
import { ACCOUNT_VERBS } from './verbs/account-verbs.ts';
import { TEAM_VERBS } from './verbs/team-verbs.ts';
import { USER_VERBS } from './verbs/user-verbs.ts';

export const VERBS = inGroup('People', { ...ACCOUNT_VERBS, ...TEAM_VERBS, ...USER_VERBS });
