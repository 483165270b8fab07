import { EngineError } from '../model/errors.ts';
import { USUAL_COSINES } from './confidence.ts';
import { embedWithin } from './embed-within.ts';
import type { Embedder, Log } from './ports.ts';
import type { VectorQuery } from './score-vectors.ts';

/** A search does not wait longer than this for the meaning of its query. */
const DEADLINE_MS = 4000;

export interface EmbeddedQuery {
  vector: VectorQuery | null;
  /** Why there is none although there is an embedder. */
  notice: string | null;
}

/** Without its vector a query is searched by its words, and the answer says so. */
export async function embedQuery(
  { embedder, log }: { embedder: Embedder | null; log: Log },
  query: string,
): Promise<EmbeddedQuery> {
  if (embedder === null) return { vector: null, notice: null };
  try {
    const [vector] =
      embedder.isImmediate === true
        ? await embedder.embed([query], 'query')
        : await embedWithin(DEADLINE_MS, embedder, [[query], 'query']);
    if (vector === undefined) return { vector: null, notice: null };
    const { id, cosines = USUAL_COSINES, familiarityOf, weighWords } = embedder;
    const familiarity = familiarityOf?.(query) ?? 1;
    return { vector: { vector, embedder: id, cosines, familiarity, familiarityOf, weighWords }, notice: null };
  } catch (error) {
    if (!(error instanceof EngineError && error.code === 'embedder_failed')) throw error;
    log.warn('query_not_embedded', { message: error.message });
    return { vector: null, notice: `Searched by words alone: ${error.message}` };
  }
}
