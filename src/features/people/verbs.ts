import { inGroup } from '../../verbs/in-group.ts';
import { ACCOUNT_VERBS } from '../../verbs/people/account-verbs.ts';
import { TEAM_VERBS } from '../../verbs/people/team-verbs.ts';
import { USER_VERBS } from '../../verbs/people/user-verbs.ts';

export const VERBS = inGroup('People', { ...ACCOUNT_VERBS, ...TEAM_VERBS, ...USER_VERBS });
