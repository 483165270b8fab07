import type { ApiOf } from '../../engine/engine.ts';
import type { ClientOf } from '../../verbs/client.ts';
import { defineFeature } from '../feature.ts';
import { late, lateStream } from '../late.ts';
import type { VERBS } from './verbs.ts';

const greeting = () => import('./greet-replica.ts');
const listing = () => import('./list-travelling.ts');
const taking = () => import('./take-travelling.ts');
const digests = () => import('./digest-space.ts');
const links = () => import('./replica-links.ts');
const forks = () => import('./list-forks.ts');
const sealed = () => import('./sealed/sealed-space.ts');

const api = {
  greetReplica: late(greeting, 'greetReplica'),
  listTravelling: late(listing, 'listTravelling'),
  takeTravelling: late(taking, 'takeTravelling'),
  digestSpace: late(digests, 'digestOwnSpace'),
  describeRecords: lateStream(digests, 'describeOwnSpace'),
  tellRecords: late(listing, 'tellRecords'),
  listForks: late(forks, 'listForks'),
  listLinks: late(links, 'listLinks'),
  keepLink: late(links, 'keepLink'),
  renewReplica: late(greeting, 'renewOwnReplica'),
  readKeyrings: late(sealed, 'readKeyrings'),
  keepKeyring: late(sealed, 'keepKeyring'),
  listUploads: late(sealed, 'listUploads'),
  takeUploads: late(sealed, 'takeUploads'),
  dropUploads: late(sealed, 'dropUploads'),
  digestSealed: late(sealed, 'digestSealed'),
  listSlots: late(sealed, 'listSlots'),
};

declare module '../../engine/engine.ts' {
  interface Engine extends ApiOf<typeof api> {}
}

declare module '../../verbs/client.ts' {
  interface Client extends ClientOf<typeof VERBS> {}
}

export const sync = defineFeature({
  name: 'sync',
  about: 'Exchange between replicas, and spaces that the server cannot read.',
  needs: ['transfer'],
  api,
  verbs: async () => (await import('./verbs.ts')).VERBS,
  answers: async () => (await import('./answers.ts')).ANSWERS,
  commands: async () => (await import('./commands.ts')).COMMANDS,
});
