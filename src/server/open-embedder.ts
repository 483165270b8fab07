import { resolve } from 'node:path';
import { createLateEmbedder } from '../embedders/late-embedder.ts';
import type { Embedder, Log } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';
import { lateFunctions } from '../model/late.ts';
import type { Config } from '../settings/config.ts';
import { findModelFile } from '../settings/model-file.ts';
import { systemClock } from '../settings/system-clock.ts';
import type { EmbedderConfig } from '../verbs/machine.ts';

const { createStaticEmbedder } = lateFunctions(() => import('../embedders/static-embedder.ts'), 'createStaticEmbedder');
const { createOnnxEmbedder } = lateFunctions(() => import('../embedders/onnx-embedder.ts'), 'createOnnxEmbedder');
const { createOpenAiCompatibleEmbedder } = lateFunctions(
  () => import('../embedders/openai-compatible-embedder.ts'),
  'createOpenAiCompatibleEmbedder',
);

/** Nothing that is down or absent keeps anybody from their memories: words are searched meanwhile, and the health says why. */
export async function openEmbedder(config: EmbedderConfig, log: Log): Promise<Embedder | null> {
  const { embedder } = config;
  if (embedder === 'none') return null;
  const open = () =>
    embedder === 'static' ? openStatic() : embedder === 'onnx' ? openOnnx(config) : openService(config, log);
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof EngineError && error.code === 'embedder_failed')) throw error;
    log.warn('embedder_unavailable', { embedder, message: error.message });
    return createLateEmbedder(embedder, open);
  }
}

/** The embedder that the memories were embedded with before it was changed; searches use it until the new one has caught up. */
export async function openPreviousEmbedder(config: Config, log: Log): Promise<Embedder | null> {
  const previous = config.previousEmbedder;
  if (previous === null) return null;
  const settings: EmbedderConfig = {
    ...config,
    embedder: previous.embedder,
    embedderUrl: previous.embedder_url ?? null,
    embedderModel: previous.embedder_model ?? config.embedderModel,
    embedderDimensions: previous.embedder_dimensions ?? null,
    embedderFolder: previous.embedder_folder ?? null,
  };
  return openEmbedder(settings, log);
}

async function openStatic(): Promise<Embedder> {
  const path = findModelFile();
  if (path === null)
    throw new EngineError('embedder_failed', 'The file of the bundled embedder is missing.', {
      hint: 'Install ltm again.',
    });
  return createStaticEmbedder(path);
}

async function openOnnx({ embedderFolder }: EmbedderConfig): Promise<Embedder> {
  if (embedderFolder === null)
    throw new EngineError('embedder_failed', 'No folder with an ONNX model is set.', { hint: 'Set embedder_folder.' });
  return createOnnxEmbedder(resolve(embedderFolder));
}

async function openService(config: EmbedderConfig, log: Log): Promise<Embedder> {
  if (config.embedderUrl === null)
    throw new EngineError('embedder_failed', 'No URL of an embeddings service is set.', {
      hint: 'Set embedder_url.',
    });
  return createOpenAiCompatibleEmbedder({
    url: config.embedderUrl,
    model: config.embedderModel,
    apiKey: config.embedderKey,
    dimensions: config.embedderDimensions,
    dailyTexts: config.embedderDailyTexts,
    clock: systemClock,
    log,
  });
}
