import type { Log } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';
import type { Config } from './config.ts';
import { type EmbedderConfig, openEmbedder } from './open-embedder.ts';
import { EMBEDDERS, type EmbedderName } from './setting-kinds.ts';

export interface KnownEmbedder {
  name: EmbedderName;
  active: boolean;
  /** null where it cannot be asked. */
  id: string | null;
  dimensions: number | null;
  /** Where its vectors come from. */
  from: string;
  /** Why it cannot be used now; null: it can. */
  problem: string | null;
}

/** Long enough to load a model from the disk. */
const TRY_MS = 15_000;

/** Every kind of embedder with the present settings, each of them tried. */
export async function listEmbedders(config: Config, log: Log): Promise<KnownEmbedder[]> {
  const known = EMBEDDERS.map(async (name): Promise<KnownEmbedder> => {
    const tried = await tryEmbedder({ ...config, embedder: name }, log);
    return { name, active: config.embedder === name, ...tried, from: describeSource(config, name) };
  });
  return Promise.all(known);
}

/** Embeds one word. */
export async function tryEmbedder(
  config: EmbedderConfig,
  log: Log,
): Promise<Pick<KnownEmbedder, 'id' | 'dimensions' | 'problem'>> {
  const embedder = await openEmbedder(config, log);
  if (embedder === null) return { id: null, dimensions: null, problem: null };
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new EngineError('embedder_failed', `It did not answer within ${TRY_MS / 1000} s.`)),
      TRY_MS,
    );
  });
  try {
    await Promise.race([embedder.embed(['test'], 'query'), late]);
    return { id: embedder.id, dimensions: embedder.dimensions, problem: null };
  } catch (error) {
    if (!(error instanceof EngineError && error.code === 'embedder_failed')) throw error;
    return {
      id: null,
      dimensions: null,
      problem: error.hint === undefined ? error.message : `${error.message} ${error.hint}`,
    };
  } finally {
    clearTimeout(timer);
    await embedder.close();
  }
}

function describeSource({ embedderUrl, embedderModel, embedderFolder }: Config, name: EmbedderName): string {
  if (name === 'static') return 'bundled with ltm';
  if (name === 'openai')
    return embedderUrl === null
      ? 'an embeddings service: set embedder_url'
      : `${embedderModel} at ${withoutSecrets(embedderUrl)}`;
  if (name === 'onnx') return embedderFolder ?? 'a model in a folder: set embedder_folder';
  return 'search by words alone';
}

/** An address may carry a password or a key. */
function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
