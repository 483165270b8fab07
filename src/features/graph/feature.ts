import type { ApiOf } from '../../engine/engine.ts';
import type { ClientOf } from '../../verbs/client.ts';
import { defineFeature } from '../feature.ts';
import { late } from '../late.ts';
import { entityKind } from './entity-kind.ts';
import type { VERBS } from './verbs.ts';

const relating = () => import('../../engine/records/relate-records.ts');
const listing = () => import('./list-relations.ts');
const exploring = () => import('./explore-graph.ts');
const inferring = () => import('./infer-relations.ts');
const telling = () => import('./tell-about.ts');
const entities = () => import('./list-entities.ts');

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

declare module '../../verbs/client.ts' {
  interface Client extends ClientOf<typeof VERBS> {}
}

export const graph = defineFeature({
  name: 'graph',
  about: 'Relations between memories, the entities they mention, and what is known about each.',
  needs: ['memories', 'truth'],
  kinds: [entityKind],
  filters: { entity: async () => (await import('./resolve-entity.ts')).resolveEntity },
  api,
  verbs: async () => (await import('./verbs.ts')).VERBS,
  answers: async () => (await import('./answers.ts')).ANSWERS,
  commands: async () => (await import('./commands.ts')).COMMANDS,
});
