import { inGroup } from '../../verbs/in-group.ts';
import { MEMORY_VERBS, SEARCH_VERBS } from '../../verbs/memories/memory-verbs.ts';
import { listAgents, listProjects, listTags, listTypes } from '../../verbs/state/count-labels.ts';

export const VERBS = {
  ...MEMORY_VERBS,
  ...SEARCH_VERBS,
  ...inGroup('Labels', { listTags, listTypes, listProjects, listAgents }),
};
