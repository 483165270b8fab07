import type { Clock, Embedder } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';
import { type AttemptOptions, type Attempts, createAttempts } from './attempts.ts';
import { readVectors } from './read-vectors.ts';

export interface OpenAiCompatibleOptions extends AttemptOptions {
  /** With or without `/v1`; `…/embeddings` itself is understood too. */
  url: string;
  model: string;
  apiKey?: string | null;
  /** Asked of the service and checked in its answers; null: whatever the model gives, known from its first answer on. */
  dimensions?: number | null;
  /** Most texts sent in a day (UTC); 0: any number. */
  dailyTexts?: number;
}

const MAX_BATCH_TEXTS = 64;
const MAX_BATCH_CHARS = 100_000;
/** Longer texts are cut; models cut them anyway, often with an error. 8,191 tokens are the usual limit; code and CJK have as few as two characters a token. */
const MAX_TEXT_CHARS = 16_000;

/** A search waits for its query, so a service that is down is given up soon; texts to be stored can wait. */
const QUERY_ATTEMPTS = 2;

/**
 * Any service that answers POST /v1/embeddings (OpenAI, Ollama, vLLM, …). Neither texts nor the key are ever logged.
 * Nothing is asked before there is a text: a service that is down keeps nobody from starting.
 */
export function createOpenAiCompatibleEmbedder(options: OpenAiCompatibleOptions): Embedder {
  const url = embeddingsUrl(options.url);
  const spend = createDailyBudget(options.dailyTexts ?? 0, options.clock);
  const attempts = createAttempts(options);
  let dimensions = options.dimensions ?? null;
  let ask = dimensions;
  const request = async (texts: readonly string[], maxAttempts: number | undefined): Promise<Float32Array[]> => {
    try {
      return await requestVectors(attempts, texts, { ...options, url, ask, dimensions, maxAttempts });
    } catch (error) {
      // Models of one fixed size refuse to be asked for it; what they send is checked all the same.
      if (ask === null || !(error instanceof EngineError && error.details.status === 400)) throw error;
      ask = null;
      return requestVectors(attempts, texts, { ...options, url, ask, dimensions, maxAttempts });
    }
  };
  return {
    get id() {
      return `openai:${options.model}:${dimensions ?? 'unknown'}@v1`;
    },
    get dimensions() {
      return dimensions ?? 0;
    },
    async embed(texts, purpose) {
      spend(texts.length);
      const [first, ...others] = makeBatches(texts.map((text) => cut(text)));
      if (first === undefined) return [];
      const maxAttempts = purpose === 'query' ? QUERY_ATTEMPTS : undefined;
      const beginning = dimensions === null ? await request(first, maxAttempts) : null;
      dimensions ??= beginning?.[0]?.length ?? null;
      const rest = await Promise.all(
        (beginning === null ? [first, ...others] : others).map((batch) => request(batch, maxAttempts)),
      );
      return [...(beginning ?? []), ...rest.flat()];
    },
    async close() {
      attempts.close();
    },
  };
}

interface RequestOptions extends Pick<OpenAiCompatibleOptions, 'url' | 'model' | 'apiKey'> {
  ask: number | null;
  dimensions: number | null;
  maxAttempts: number | undefined;
}

async function requestVectors(
  attempts: Attempts,
  texts: readonly string[],
  options: RequestOptions,
): Promise<Float32Array[]> {
  const headers: Record<string, string> = { 'content-type': 'application/json', accept: 'application/json' };
  if (options.apiKey) headers.authorization = `Bearer ${options.apiKey}`;
  const body = JSON.stringify({
    model: options.model,
    input: texts,
    encoding_format: 'float',
    dimensions: options.ask ?? undefined,
  });
  return attempts.run(async (signal) => {
    // Redirects are not followed: they would carry the texts to a place nobody chose.
    const response = await fetch(options.url, { method: 'POST', headers, body, signal, redirect: 'error' });
    return {
      response,
      read: async () => readVectors(await response.text(), { count: texts.length, dimensions: options.dimensions }),
    };
  }, options.maxAttempts);
}

export function embeddingsUrl(base: string): string {
  const url = URL.parse(base);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new EngineError('invalid_input', 'embedder_url is not an http(s) URL.');
  const path = url.pathname.replace(/\/+$/, '');
  if (path.endsWith('/embeddings')) url.pathname = path;
  else url.pathname = /\/v\d+$/.test(path) ? `${path}/embeddings` : `${path}/v1/embeddings`;
  return url.href;
}

function makeBatches(texts: readonly string[]): string[][] {
  const batches: string[][] = [];
  let chars = 0;
  for (const text of texts) {
    const last = batches.at(-1);
    if (last === undefined || last.length >= MAX_BATCH_TEXTS || chars + text.length > MAX_BATCH_CHARS) {
      batches.push([text]);
      chars = text.length;
    } else {
      last.push(text);
      chars += text.length;
    }
  }
  return batches;
}

/** Services refuse an empty text. */
function cut(text: string): string {
  return text.slice(0, MAX_TEXT_CHARS).toWellFormed() || ' ';
}

const DAY = 86_400_000;

/**
 * Counts what one process sends in a UTC day, so that a runaway agent cannot run up a bill. 0: no limit. What it gives throws, and spends nothing, when the
 * day's budget does not reach.
 */
function createDailyBudget(limit: number, clock: Clock): (texts: number) => void {
  let day = 0;
  let spent = 0;
  return (texts) => {
    const today = Math.floor(clock.now() / DAY);
    if (today !== day) [day, spent] = [today, 0];
    if (limit > 0 && spent + texts > limit) {
      const message = `The daily budget of ${limit} texts for the embeddings service is used up.`;
      throw new EngineError('embedder_failed', message, {
        hint: 'It resets at midnight UTC. Raise it with the setting embedder_daily_texts.',
      });
    }
    spent += texts;
  };
}
