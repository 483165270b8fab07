import { exploreGraph, listRelations } from '../../verbs/graph/explore-graph.ts';
import { inferRelations } from '../../verbs/graph/infer-relations.ts';
import { relateMemories, unrelateMemories } from '../../verbs/graph/relate-memories.ts';
import { listEntities, mergeEntities, tellAbout } from '../../verbs/graph/tell-about.ts';
import { inGroup } from '../../verbs/in-group.ts';

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
