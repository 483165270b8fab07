import { EngineError } from '../model/errors.ts';
import type { Embedder } from './ports.ts';

/** Vectors, or embedder_failed when they take longer than whoever waits can wait. */
export async function embedWithin(
  ms: number,
  embedder: Embedder,
  [texts, purpose]: Parameters<Embedder['embed']>,
): Promise<Float32Array[]> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new EngineError('embedder_failed', `The embedder took longer than ${ms} ms.`)), ms);
  });
  try {
    return await Promise.race([embedder.embed(texts, purpose), deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** Asks an embedder for its first vector where its dimensions, and so its id, are not known yet. Returns why they still are not; null: they are. */
export async function learnDimensions(embedder: Embedder, waitMs: number): Promise<string | null> {
  if (embedder.dimensions > 0) return null;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`It did not answer within ${waitMs} ms.`), waitMs);
  });
  try {
    return await Promise.race([embedder.embed(['dimensions'], 'query').then(() => null, explain), late]);
  } finally {
    clearTimeout(timer);
  }
}

function explain(error: unknown): string {
  if (!(error instanceof EngineError && error.code === 'embedder_failed')) throw error;
  return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
}
