import { readFileSync } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import type { Embedder } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';
import { type BertTokenizer, readBertTokenizer } from './onnx/bert-tokenizer.ts';
import { loadRuntime, type OnnxRuntime, type OnnxSession } from './onnx/load-runtime.ts';
import { readModelFolder } from './onnx/model-folder.ts';

/** One text at a time: quantised models scale numbers by the whole batch, so that company would change a vector. In WebAssembly more at once is no faster. */
const BATCH = 1;

interface LoadedModel {
  runtime: OnnxRuntime;
  session: OnnxSession;
  tokenizer: BertTokenizer;
}

/**
 * A transformer from a folder with model.onnx and tokenizer.json. Opening looks at the files; runtime and model are loaded at the first text,
 * and only then the dimensions are known where config.json does not tell them. Nothing is downloaded.
 */
export function createOnnxEmbedder(folder: string): Embedder {
  const { name, modelFile, tokenizerFile, settings, fingerprint, dimensions: told } = readModelFolder(folder);
  let dimensions = told ?? 0;
  let loading: Promise<LoadedModel> | null = null;
  let closed = false;
  let turn: Promise<unknown> = Promise.resolve();

  const load = async (): Promise<LoadedModel> => {
    const tokenizer = readBertTokenizer(readFileSync(tokenizerFile, 'utf8'), tokenizerFile);
    const runtime = await loadRuntime(folder);
    return { runtime, tokenizer, session: await runtime.InferenceSession.create(readFileSync(modelFile)) };
  };

  const embedAll = async (texts: readonly string[], prefix: string): Promise<Float32Array[]> => {
    if (closed) throw new EngineError('embedder_failed', 'The embedder is closed.');
    loading ??= load();
    const model = await loading.catch((error: unknown) => {
      loading = null;
      throw error;
    });
    const encoded = texts.map((text, at) => ({
      at,
      tokens: model.tokenizer.encode(prefix + text.toWellFormed(), settings.maxTokens),
    }));
    encoded.sort((a, b) => a.tokens.length - b.tokens.length);
    const vectors: Float32Array[] = [];
    for (let start = 0; start < encoded.length; start += BATCH) {
      const batch = encoded.slice(start, start + BATCH);
      const made = await runModel(
        model,
        batch.map(({ tokens }) => tokens),
        settings.pooling,
      );
      batch.forEach(({ at }, i) => {
        vectors[at] = made[i]!;
      });
      await breathe();
    }
    dimensions = vectors[0]?.length ?? dimensions;
    return vectors;
  };

  return {
    id: `onnx:${name}@${fingerprint}`,
    get dimensions() {
      return dimensions;
    },
    embed(texts, purpose) {
      const prefix = purpose === 'query' ? settings.queryPrefix : settings.passagePrefix;
      const work = turn.then(() => embedAll(texts, prefix)).catch(explainFailure);
      turn = work.catch(() => undefined);
      return work;
    },
    async close() {
      closed = true;
      await turn;
      await (await loading)?.session.release();
    },
  };
}

async function runModel(
  { runtime, session, tokenizer }: LoadedModel,
  texts: readonly number[][],
  pooling: 'mean' | 'cls',
): Promise<Float32Array[]> {
  const width = Math.max(...texts.map((tokens) => tokens.length));
  const shape = [texts.length, width];
  const ids = new BigInt64Array(texts.length * width).fill(BigInt(tokenizer.padding));
  const mask = new BigInt64Array(texts.length * width);
  texts.forEach((tokens, row) => {
    tokens.forEach((token, at) => {
      ids[row * width + at] = BigInt(token);
      mask[row * width + at] = 1n;
    });
  });
  const inputs: Record<string, BigInt64Array> = {
    input_ids: ids,
    attention_mask: mask,
    token_type_ids: new BigInt64Array(ids.length),
  };
  const feeds = session.inputNames.map(
    (name) => [name, new runtime.Tensor('int64', inputs[name] ?? new BigInt64Array(ids.length), shape)] as const,
  );
  const answer = await session.run(Object.fromEntries(feeds));
  return poolVectors(answer[session.outputNames[0]!]!, { lengths: texts.map((tokens) => tokens.length), pooling });
}

function explainFailure(error: unknown): never {
  if (error instanceof EngineError) throw error;
  throw new EngineError(
    'embedder_failed',
    `The ONNX model could not be used: ${error instanceof Error ? error.message : String(error)}`,
    { cause: error },
  );
}

/** One unit vector for each text from a model's answer: texts × tokens × dimensions, or texts × dimensions where it pools by itself. */
export function poolVectors(
  { dims, data }: { dims: readonly number[]; data: unknown },
  { lengths, pooling }: { lengths: readonly number[]; pooling: 'mean' | 'cls' },
): Float32Array[] {
  const [texts, width, dimensions] = dims.length === 2 ? [dims[0], 1, dims[1]] : dims;
  if (!(data instanceof Float32Array) || texts !== lengths.length || !width || !dimensions) {
    throw new EngineError('embedder_failed', 'The model does not return 32-bit float vectors.');
  }
  return lengths.map((length, text) => {
    const vector = new Float32Array(dimensions);
    const tokens = width === 1 || pooling === 'cls' ? 1 : length;
    for (let token = 0; token < tokens; token++) {
      const start = (text * width + token) * dimensions;
      for (let i = 0; i < dimensions; i++) vector[i]! += data[start + i]!;
    }
    const size = Math.hypot(...vector);
    if (!(size > 0 && Number.isFinite(size)))
      throw new EngineError('embedder_failed', 'The model answered with a vector of length 0.');
    return vector.map((component) => component / size);
  });
}
