import { inGroup } from '../../verbs/in-group.ts';
import { listAgents, listProjects, listTags, listTypes } from './verbs/count-labels.ts';
import { MEMORY_VERBS, SEARCH_VERBS } from './verbs/memory-verbs.ts';

export const VERBS = {
  ...MEMORY_VERBS,
  ...SEARCH_VERBS,
  ...inGroup('Labels', { listTags, listTypes, listProjects, listAgents }),
};
