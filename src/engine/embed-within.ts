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
