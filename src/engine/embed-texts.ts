import type { Caller } from '../model/caller.ts';
import { EngineError } from '../model/errors.ts';
import { authorize } from './authorize.ts';
import type { Embedder } from './ports.ts';

export interface EmbeddedTexts {
  model: string;
  dimensions: number;
  vectors: Float32Array[];
}

/** What searches compare: the vectors of texts as the embedder in use makes them. Nothing is stored. */
export async function embedTexts(
  { embedder }: { embedder: Embedder | null },
  caller: Caller,
  texts: readonly string[],
): Promise<EmbeddedTexts> {
  authorize(caller, 'read', caller.space);
  if (embedder === null)
    throw new EngineError('embedder_failed', 'There is no embedder: searches go by words.', {
      hint: 'Set embedder, or leave the vectors out.',
    });
  const vectors = await embedder.embed(texts, 'passage');
  return { model: embedder.id, dimensions: embedder.dimensions, vectors };
}
