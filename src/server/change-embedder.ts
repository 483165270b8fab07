import type { Log } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';
import { type Config, type ConfigSources, loadConfig } from './config.ts';
import { setConfigValue, unsetConfigValue } from './config-file.ts';
import { tryEmbedder } from './known-embedders.ts';
import { openPreviousEmbedder } from './open-embedder.ts';
import { openEngine } from './open-engine.ts';
import { ownerCaller } from './owner-caller.ts';
import type { EmbedderName, PreviousEmbedder } from './setting-kinds.ts';

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

const WRITTEN = {
  embedderUrl: 'embedder_url',
  embedderModel: 'embedder_model',
  embedderDimensions: 'embedder_dimensions',
  embedderFolder: 'embedder_folder',
  embedderKey: 'embedder_key',
} as const;

/** Tries the embedder, then writes the settings, the one that switches last. What is stored is not touched: background work embeds it anew. */
export async function changeEmbedder(sources: ConfigSources, name: EmbedderName, log: Log): Promise<ChangedEmbedder> {
  const { db } = sources.flags ?? {};
  const stored = { ...sources, flags: { db } };
  const old = loadConfig(stored);
  const next = loadConfig({ ...sources, flags: { ...sources.flags, embedder: name } });
  const { id, dimensions, problem } = await tryEmbedder(next, log);
  if (problem !== null)
    throw new EngineError('embedder_failed', `${name} cannot be used now, so nothing was changed: ${problem}`);
  const { facts, searching, oldId } = await readState(old, log);
  const previous = id === null ? null : id === oldId ? old.previousEmbedder : await choosePrevious(old, searching, log);
  const file = old.configFile;
  for (const [key, setting] of Object.entries(WRITTEN)) {
    const { source } = next.origin[key as keyof typeof WRITTEN];
    if (source === 'flag') setConfigValue(file, setting, String(next[key as keyof typeof WRITTEN]));
  }
  if (previous === null) unsetConfigValue(file, 'previous_embedder');
  else setConfigValue(file, 'previous_embedder', JSON.stringify(previous));
  setConfigValue(file, 'embedder', name);
  const now = loadConfig(stored);
  const embedded = facts.vectors.find(({ embedder }) => embedder === id)?.passages ?? 0;
  const toEmbed = id === null ? 0 : facts.passages - embedded;
  return {
    embedder: name,
    id,
    dimensions,
    previous,
    passages: facts.passages,
    toEmbed,
    file,
    overruledBy: now.embedder === name ? null : now.origin.embedder.name,
  };
}

/** Ends a change that is complete: searches no longer ask which embedder is ahead. */
export function endChange({ configFile }: Pick<Config, 'configFile'>): boolean {
  return unsetConfigValue(configFile, 'previous_embedder');
}

async function readState(config: Config, log: Log) {
  const engine = await openEngine(config, log);
  try {
    const { facts, embedder } = await engine.checkHealth(ownerCaller('cli'));
    return { facts, searching: embedder?.searching ?? null, oldId: embedder?.id ?? null };
  } finally {
    await engine.close();
  }
}

/** The present one; but the one before it as long as searches still use that. */
async function choosePrevious(config: Config, searching: string | null, log: Log): Promise<PreviousEmbedder | null> {
  const earlier = await openPreviousEmbedder(config, log);
  const isEarlier = earlier !== null && earlier.id === searching;
  await earlier?.close();
  if (isEarlier) return config.previousEmbedder;
  return config.embedder === 'none' ? null : describeEmbedder(config);
}

function describeEmbedder({
  embedder,
  embedderUrl,
  embedderModel,
  embedderDimensions,
  embedderFolder,
}: Config): PreviousEmbedder {
  if (embedder === 'onnx' && embedderFolder !== null) return { embedder, embedder_folder: embedderFolder };
  if (embedder !== 'openai' || embedderUrl === null) return { embedder };
  const service = { embedder, embedder_url: embedderUrl, embedder_model: embedderModel };
  return embedderDimensions === null ? service : { ...service, embedder_dimensions: embedderDimensions };
}
