import type { Log } from '../../engine/ports.ts';
import { ownerCaller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import { type Config, type ConfigSources, loadConfig } from '../../settings/config.ts';
import { setConfigValue, unsetConfigValue } from '../../settings/config-file.ts';
import { EMBEDDERS, type EmbedderName, type PreviousEmbedder } from '../../settings/setting-kinds.ts';
import type { EmbedderConfig, Engines } from '../../verbs/machine.ts';

export interface ChangedEmbedder {
  embedder: EmbedderName;
  id: string | null;
  dimensions: number | null;
  /** Whose vectors searches use until the new ones are there. */
  previous: PreviousEmbedder | null;
  passages: number;
  /** Passages that have no vector of the new one yet. */
  toEmbed: number;
  file: string;
  /** A variable that wins over the file and names another embedder. */
  overruledBy: string | null;
}

const WRITTEN = ['embedder_url', 'embedder_model', 'embedder_dimensions', 'embedder_folder', 'embedder_key'];

/** Tries the embedder, then writes the settings, the one that switches last. What is stored is not touched: background work embeds it anew. */
export async function changeEmbedder(
  machine: Engines,
  sources: ConfigSources,
  { name, log }: { name: EmbedderName; log: Log },
): Promise<ChangedEmbedder> {
  const { db } = sources.flags ?? {};
  const stored = { ...sources, flags: { db } };
  const old = loadConfig(stored);
  const next = loadConfig({ ...sources, flags: { ...sources.flags, embedder: name } });
  const { id, dimensions, problem } = await tryEmbedder(machine, next, log);
  if (problem !== null)
    throw new EngineError('embedder_failed', `${name} cannot be used now, so nothing was changed: ${problem}`);
  const { facts, searching, oldId } = await readState(machine, old, log);
  const previous =
    id === null ? null : id === oldId ? old.previousEmbedder : await choosePrevious(machine, old, { searching, log });
  const file = old.configFile;
  for (const { key, name: setting } of old.declared.settings)
    if (WRITTEN.includes(setting) && next.origin[key].source === 'flag')
      setConfigValue(old, setting, String(next[key]));
  if (previous === null) unsetConfigValue(old, 'previous_embedder');
  else setConfigValue(old, 'previous_embedder', JSON.stringify(previous));
  setConfigValue(old, 'embedder', name);
  const now = loadConfig(stored);
  const embedded = facts.vectors.find(({ embedder }) => embedder === id)?.passages ?? 0;
  const toEmbed = id === null ? 0 : facts.passages - embedded;
  const overruledBy = now.embedder === name ? null : now.origin.embedder.name;
  return { embedder: name, id, dimensions, previous, passages: facts.passages, toEmbed, file, overruledBy };
}

/** Ends a change that is complete: searches no longer ask which embedder is ahead. */
export function endChange(config: Pick<Config, 'configFile' | 'declared'>): boolean {
  return unsetConfigValue(config, 'previous_embedder');
}

async function readState(machine: Engines, config: Config, log: Log) {
  const engine = await machine.openEngine(config, log);
  try {
    const { facts, embedder } = await engine.checkHealth(ownerCaller('cli'));
    return { facts, searching: embedder?.searching ?? null, oldId: embedder?.id ?? null };
  } finally {
    await engine.close();
  }
}

/** The present one; but the one before it as long as searches still use that. */
async function choosePrevious(
  machine: Engines,
  config: Config,
  { searching, log }: { searching: string | null; log: Log },
): Promise<PreviousEmbedder | null> {
  const earlier = await machine.openPreviousEmbedder(config, log);
  const isEarlier = earlier !== null && earlier.id === searching;
  await earlier?.close();
  if (isEarlier) return config.previousEmbedder;
  return config.embedder === 'none' ? null : describeEmbedder(config);
}

function describeEmbedder(config: Config): PreviousEmbedder {
  const { embedder, embedderUrl, embedderModel, embedderDimensions, embedderFolder } = config;
  if (embedder === 'onnx' && embedderFolder !== null) return { embedder, embedder_folder: embedderFolder };
  if (embedder !== 'openai' || embedderUrl === null) return { embedder };
  const service = { embedder, embedder_url: embedderUrl, embedder_model: embedderModel };
  return embedderDimensions === null ? service : { ...service, embedder_dimensions: embedderDimensions };
}

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
export async function listEmbedders(machine: Engines, config: Config, log: Log): Promise<KnownEmbedder[]> {
  const known = EMBEDDERS.map(async (name): Promise<KnownEmbedder> => {
    const tried = await tryEmbedder(machine, { ...config, embedder: name }, log);
    return { name, active: config.embedder === name, ...tried, from: describeSource(config, name) };
  });
  return Promise.all(known);
}

/** Embeds one word. */
async function tryEmbedder(
  machine: Engines,
  config: EmbedderConfig,
  log: Log,
): Promise<Pick<KnownEmbedder, 'id' | 'dimensions' | 'problem'>> {
  const embedder = await machine.openEmbedder(config, log);
  if (embedder === null) return { id: null, dimensions: null, problem: null };
  const late = Promise.withResolvers<never>();
  const tooLate = new EngineError('embedder_failed', `It did not answer within ${TRY_MS / 1000} s.`);
  const timer = setTimeout(() => late.reject(tooLate), TRY_MS);
  try {
    await Promise.race([embedder.embed(['test'], 'query'), late.promise]);
    return { id: embedder.id, dimensions: embedder.dimensions, problem: null };
  } catch (error) {
    if (!(error instanceof EngineError && error.code === 'embedder_failed')) throw error;
    const problem = error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
    return { id: null, dimensions: null, problem };
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
