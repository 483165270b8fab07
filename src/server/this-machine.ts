import type { Machine } from '../verbs/machine.ts';

const stores = () => import('../stores/open-store.ts');
const replacing = () => import('../stores/sqlite/replace-database.ts');
const engines = () => import('./open-engine.ts');
const embedders = () => import('./open-embedder.ts');
const administering = () => import('./administer-database.ts');

export const THIS_MACHINE: Machine = {
  openStore: async (location, options) => {
    const [{ openStore }, { systemClock }] = await Promise.all([stores(), import('../settings/system-clock.ts')]);
    return openStore(location, { clock: systemClock, ...options });
  },
  storeExists: async (location) => (await import('../stores/store-exists.ts')).storeExists(location),
  replaceDatabase: async (...given) => (await replacing()).replaceDatabase(...given),
  isAloneWith: async (path) => (await replacing()).isAloneWith(path),
  openEngine: async (...given) => (await engines()).openEngine(...given),
  createEngine: async (...given) => (await import('../features/create-engine.ts')).createEngine(...given),
  openSession: async (...given) => (await import('./local-session.ts')).openSession(...given),
  openEmbedder: async (...given) => (await embedders()).openEmbedder(...given),
  openPreviousEmbedder: async (...given) => (await embedders()).openPreviousEmbedder(...given),
  setDatabaseRoles: async (...given) => (await administering()).setDatabaseRoles(...given),
  distributeDatabase: async (...given) => (await administering()).distributeDatabase(...given),
  isolateTenant: async (...given) => (await administering()).isolateTenant(...given),
};
