import type { ApiOf } from '../../engine/engine.ts';
import type { ClientOf } from '../../verbs/client.ts';
import { defineFeature } from '../feature.ts';
import { bound, late } from '../late.ts';
import { memoryKind } from './memory-kind.ts';
import {
  deleteMemories,
  getMemories,
  listMemories,
  listVersions,
  purge,
  purgeMemories,
  rejectMemories,
  restoreMemories,
} from './name-as-memories.ts';
import { storeMemories, storeMemory } from './store-memories.ts';
import { updateMemory } from './update-memory.ts';
import type { VERBS } from './verbs.ts';

const rejecting = () => import('../../engine/rejections/reject-records.ts');
const tombstones = () => import('../../engine/rejections/take-tombstones.ts');

const api = {
  storeMemory: bound(storeMemory),
  storeMemories: bound(storeMemories),
  getMemories: bound(getMemories),
  listMemories: bound(listMemories),
  updateMemory: bound(updateMemory),
  deleteMemories: bound(deleteMemories),
  restoreMemories: bound(restoreMemories),
  rejectMemories: bound(rejectMemories),
  listRejections: late(rejecting, 'listRejections'),
  liftRejections: late(rejecting, 'liftRejections'),
  takeTombstones: late(tombstones, 'takeTombstones'),
  listVersions: bound(listVersions),
  purgeMemories: bound(purgeMemories),
  purge: bound(purge),
};

declare module '../../engine/engine.ts' {
  interface Engine extends ApiOf<typeof api> {}
}

declare module '../../verbs/client.ts' {
  interface Client extends ClientOf<typeof VERBS> {}
}

export const memories = defineFeature({
  name: 'memories',
  about: 'Storing, finding, listing, editing and deleting memories.',
  kinds: [memoryKind],
  api,
  verbs: async () => (await import('./verbs.ts')).VERBS,
  answers: async () => (await import('./answers.ts')).ANSWERS,
  commands: async () => (await import('./commands.ts')).COMMANDS,
  tools: async () => (await import('./tools.ts')).listTools,
});
