import type { ApiOf } from '../../engine/engine.ts';
import type { ClientOf } from '../../verbs/client.ts';
import { defineFeature } from '../feature.ts';
import { late } from '../late.ts';
import type { VERBS } from './verbs.ts';

const examining = () => import('./examine.ts');
const scrubbing = () => import('../../engine/maintenance/scrub-records.ts');

const api = {
  examine: late(examining, 'examine'),
  scrubRecords: late(scrubbing, 'scrubRecords'),
};

declare module '../../engine/engine.ts' {
  interface Engine extends ApiOf<typeof api> {}
}

declare module '../../verbs/client.ts' {
  interface Client extends ClientOf<typeof VERBS> {}
}

export const maintenance = defineFeature({
  name: 'maintenance',
  about: 'Status, doctor, health, scrub, migration and logs.',
  api,
  verbs: async () => (await import('./verbs.ts')).VERBS,
  answers: async () => (await import('./answers.ts')).ANSWERS,
  commands: async () => (await import('./commands.ts')).COMMANDS,
});
