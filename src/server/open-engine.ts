import type { TokenStore } from '../auth/ports.ts';
import type { Engine } from '../engine/engine.ts';
import type { Log, Store } from '../engine/ports.ts';
import { type Config, engineSettings } from './config.ts';
import { openEmbedder, openPreviousEmbedder } from './open-embedder.ts';
import { systemClock } from './system-clock.ts';

export { openEmbedder } from './open-embedder.ts';
export { systemClock } from './system-clock.ts';

export async function openEngine(config: Config, log: Log): Promise<Engine> {
  return (await openEngineAndStore(config, log)).engine;
}

/** For the server, which keeps its tokens in the same store. Closing the engine closes the store. */
export async function openEngineAndStore(config: Config, log: Log): Promise<{ engine: Engine; store: Store & TokenStore }> {
  const [{ openStore }, { createEngine }] = await Promise.all([import('../stores/open-store.ts'), import('../engine/engine.ts')]);
  const embedder = await openEmbedder(config, log);
  const previousEmbedder = await openPreviousEmbedder(config, log);
  const store = await openStore(config.db, { clock: systemClock, log });
  return { engine: createEngine({ store, embedder, previousEmbedder, clock: systemClock, log }, engineSettings(config)), store };
}
