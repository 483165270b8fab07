import type { ApiOf } from '../../engine/engine.ts';
import { entityKind } from '../../engine/entities/entity-kind.ts';
import { defineFeature } from '../feature.ts';
import { late } from '../late.ts';

const relating = () => import('../../engine/graph/relate-records.ts');
const listing = () => import('../../engine/graph/list-relations.ts');
const exploring = () => import('../../engine/graph/explore-graph.ts');
const inferring = () => import('../../engine/graph/infer-relations.ts');
const telling = () => import('../../engine/entities/tell-about.ts');
const entities = () => import('../../engine/entities/list-entities.ts');

const api = {
  relate: late(relating, 'relate'),
  unrelate: late(relating, 'unrelate'),
  listRelations: late(listing, 'listRelations'),
  exploreGraph: late(exploring, 'exploreGraph'),
  inferRelations: late(inferring, 'inferRelations'),
  tellAbout: late(telling, 'tellAbout'),
  listEntities: late(entities, 'listEntities'),
  mergeEntities: late(entities, 'mergeEntities'),
};

declare module '../../engine/engine.ts' {
  interface Engine extends ApiOf<typeof api> {}
}

export const graph = defineFeature({
  name: 'graph',
  about: 'Relations between memories, the entities they mention, and what is known about each.',
  needs: ['memories', 'truth'],
  kinds: [entityKind],
  filters: { entity: async () => (await import('../../engine/entities/resolve-entity.ts')).resolveEntity },
  api,
  verbs: async () => (await import('./verbs.ts')).VERBS,
  commands: async () => (await import('./commands.ts')).COMMANDS,
});
