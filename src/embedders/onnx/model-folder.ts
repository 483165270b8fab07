import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { EngineError } from '../../model/errors.ts';
import { isObject } from '../../model/json-text.ts';

/** How the vectors of a model are made from what it gives. */
export interface ModelSettings {
  /** The mean of all tokens, or the first one. */
  pooling: 'mean' | 'cls';
  queryPrefix: string;
  passagePrefix: string;
  /** Longer texts are cut. */
  maxTokens: number;
}

export interface ModelFolder {
  name: string;
  modelFile: string;
  tokenizerFile: string;
  settings: ModelSettings;
  /** null: only the model itself knows. */
  dimensions: number | null;
  /** Changes with the model, the tokenizer and the settings. */
  fingerprint: string;
}

/** The file of our own that a folder may hold; see docs/embedders.md. */
const SETTINGS_FILE = 'ltm-embedder.json';
const MODEL_FILES = ['model.onnx', 'model_quantized.onnx', 'onnx/model.onnx', 'onnx/model_quantized.onnx'];
const DEFAULTS: ModelSettings = { pooling: 'mean', queryPrefix: '', passagePrefix: '', maxTokens: 512 };
/** A model of gigabytes is not read whole to know it again: so many pieces of it are. */
const SAMPLES = 64;
const SAMPLE_BYTES = 16_384;

export function readModelFolder(folder: string): ModelFolder {
  const modelFile = MODEL_FILES.map((name) => join(folder, name)).find((path) => existsSync(path));
  const tokenizerFile = join(folder, 'tokenizer.json');
  if (modelFile === undefined || !existsSync(tokenizerFile)) {
    throw new EngineError('embedder_failed', `${folder} does not contain an embedding model.`, {
      hint: 'It needs model.onnx and tokenizer.json; the setting embedder_folder names the folder.',
    });
  }
  const settings = readSettings(folder);
  const { hidden_size: size } = readJson(join(folder, 'config.json'));
  const mark = crc32(JSON.stringify(settings), crc32(readFileSync(tokenizerFile), sampleFile(modelFile)));
  return {
    name: basename(folder),
    modelFile,
    tokenizerFile,
    settings,
    dimensions: typeof size === 'number' ? size : null,
    fingerprint: mark.toString(16).padStart(8, '0'),
  };
}

function readSettings(folder: string): ModelSettings {
  const { pooling_mode_cls_token: takesFirst } = readJson(join(folder, '1_Pooling', 'config.json'));
  const path = join(folder, SETTINGS_FILE);
  const given = readJson(path);
  const settings = { ...DEFAULTS, ...(takesFirst === true ? { pooling: 'cls' as const } : {}), ...given };
  const isKnown = Object.keys(given).every((key) => key in DEFAULTS);
  const { pooling, queryPrefix, passagePrefix, maxTokens } = settings;
  const isSound =
    (pooling === 'mean' || pooling === 'cls') && typeof queryPrefix === 'string' && typeof passagePrefix === 'string';
  if (!isKnown || !isSound || !Number.isInteger(maxTokens) || maxTokens < 8) {
    throw new EngineError('embedder_failed', `${path} contains an unknown or invalid setting.`, {
      hint: 'Allowed: "pooling" ("mean" or "cls"), "queryPrefix", "passagePrefix" (texts) and "maxTokens" (8 or more).',
    });
  }
  return { pooling, queryPrefix, passagePrefix, maxTokens };
}

function readJson(path: string): Record<string, unknown> {
  if (!existsSync(path)) return {};
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (isObject(value)) return value;
  } catch (cause) {
    throw new EngineError('embedder_failed', `${path} is not valid JSON.`, { cause });
  }
  throw new EngineError('embedder_failed', `${path} is not a JSON object.`);
}

function sampleFile(path: string): number {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const bytes = Buffer.alloc(SAMPLE_BYTES);
    let mark = crc32(String(size));
    for (let i = 0; i < SAMPLES; i++) {
      const read = readSync(
        file,
        bytes,
        0,
        SAMPLE_BYTES,
        Math.floor((Math.max(0, size - SAMPLE_BYTES) * i) / (SAMPLES - 1)),
      );
      mark = crc32(bytes.subarray(0, read), mark);
    }
    return mark;
  } finally {
    closeSync(file);
  }
}
