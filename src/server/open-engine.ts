import type { TokenStore } from '../auth/ports.ts';
import type { Engine } from '../engine/engine.ts';
import type { Clock, Embedder, Log, Store } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';
import { type Config, engineSettings } from './config.ts';

export const systemClock: Clock = { now: () => Date.now() };

export async function openEngine(config: Config, log: Log): Promise<Engine> {
  return (await openEngineAndStore(config, log)).engine;
}

/** For the server, which keeps its tokens in the same store. Closing the engine closes the store. */
export async function openEngineAndStore(config: Config, log: Log): Promise<{ engine: Engine; store: Store & TokenStore }> {
  const [{ openStore }, { createEngine }] = await Promise.all([import('../stores/open-store.ts'), import('../engine/engine.ts')]);
  const embedder = await openEmbedder(config, log);
  const store = await openStore(config.db, { clock: systemClock, log });
  return { engine: createEngine({ store, embedder, clock: systemClock, log }, engineSettings(config)), store };
}

/** A service that is down at the start must not keep anybody from their memories: words are searched, and the health says that meaning is not. */
export async function openEmbedder(config: Config, log: Log): Promise<Embedder | null> {
  if (config.embedder === 'none' || config.embedderUrl === null) return null;
  const { createOpenAiCompatibleEmbedder } = await import('../embedders/openai-compatible-embedder.ts');
  try {
    return await createOpenAiCompatibleEmbedder({
      url: config.embedderUrl,
      model: config.embedderModel,
      apiKey: config.embedderKey,
      dimensions: config.embedderDimensions,
      dailyTexts: config.embedderDailyTexts,
      clock: systemClock,
      log,
    });
  } catch (error) {
    if (!(error instanceof EngineError && error.code === 'embedder_failed')) throw error;
    log.warn('embedder_unavailable', {
      message: error.message,
      effect: 'text search only until the next start; set embedder_dimensions to start without asking the service',
    });
    return null;
  }
}
