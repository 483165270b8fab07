import { createEngine } from '../features/create-engine.ts';
import { lateFunctions } from '../model/late.ts';
import { systemClock } from '../settings/system-clock.ts';
import { openStore } from '../stores/open-store.ts';
import { storeExists } from '../stores/store-exists.ts';
import type { Machine } from '../verbs/machine.ts';
import { openSession } from './local-session.ts';
import { openPreviousEmbedder } from './open-embedder.ts';
import { openEmbedder, openEngine } from './open-engine.ts';

export const THIS_MACHINE: Machine = {
  openStore: (location, options) => openStore(location, { clock: systemClock, ...options }),
  storeExists,
  openEngine,
  createEngine: async (...given) => createEngine(...given),
  openSession,
  openEmbedder,
  openPreviousEmbedder,
  ...lateFunctions(() => import('../stores/sqlite/replace-database.ts'), 'replaceDatabase', 'isAloneWith'),
  ...lateFunctions(() => import('./administer-database.ts'), 'setDatabaseRoles', 'distributeDatabase', 'isolateTenant'),
};
