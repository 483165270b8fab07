import { inGroup } from '../../verbs/in-group.ts';
import { exploreGraph, listRelations } from './verbs/explore-graph.ts';
import { inferRelations } from './verbs/infer-relations.ts';
import { relateMemories, unrelateMemories } from './verbs/relate-memories.ts';
import { listEntities, mergeEntities, tellAbout } from './verbs/tell-about.ts';

export const VERBS = inGroup('Graph', {
  relateMemories,
  unrelateMemories,
  listRelations,
  exploreGraph,
  inferRelations,
  tellAbout,
  listEntities,
  mergeEntities,
});
