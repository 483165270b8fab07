import { EngineError } from '../model/errors.ts';
import type { Embedder } from './ports.ts';

/** Vectors, or embedder_failed when they take longer than whoever waits can wait. */
export async function embedWithin(
  ms: number,
  embedder: Embedder,
  [texts, purpose]: Parameters<Embedder['embed']>,
): Promise<Float32Array[]> {
  return within(ms, embedder.embed(texts, purpose), () => {
    throw new EngineError('embedder_failed', `The embedder took longer than ${ms} ms.`);
  });
}

/** Asks an embedder for its first vector where its dimensions, and so its id, are not known yet. Returns why they still are not; null: they are. */
export async function learnDimensions(embedder: Embedder, waitMs: number): Promise<string | null> {
  if (embedder.dimensions > 0) return null;
  const asked = embedder.embed(['dimensions'], 'query').then(() => null, explain);
  return within(waitMs, asked, () => `It did not answer within ${waitMs} ms.`);
}

const NOT_YET = Symbol('not yet');

/** With a plain timer, and none for what is there at once: this stands in the way of every search and every write. */
async function within<T>(ms: number, work: Promise<T>, onLate: () => T): Promise<T> {
  const early = await Promise.race([work, NOT_YET]);
  if (early !== NOT_YET) return early as T;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([work, late.then(onLate)]);
  } finally {
    clearTimeout(timer);
  }
}

function explain(error: unknown): string {
  if (!(error instanceof EngineError && error.code === 'embedder_failed')) throw error;
  return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
}
