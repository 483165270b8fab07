import type { SpaceId } from '../model/ids.ts';
import type { EmbedderId } from '../model/passage.ts';
import { learnDimensions } from './embed-within.ts';
import type { Counts, Embedder } from './ports.ts';

/**
 * Whose vectors the index of a space holds and its searches use. After a change of embedder this is the previous one as long as
 * more passages have its vectors; the choice then moves on, once, and never back.
 */
export interface EmbedderChoice {
  /** As it was decided last. */
  of(space: SpaceId): Embedder | null;
  /** Its id; null while there is none or it is not known yet: then the index takes whichever vectors it meets. */
  idOf(space: SpaceId): EmbedderId | null;
  /** Looks at the store again where a change is under way. True: the choice has moved on. */
  decide(space: SpaceId): Promise<boolean>;
}

const FIRST_ANSWER_MS = 2000;

/** A space larger than `budgetBytes` cannot be made anew in memory when the choice moves on: there the new vectors take their place one by one. */
export function createEmbedderChoice(
  {
    store,
    embedder,
    previousEmbedder = null,
  }: { store: Counts; embedder: Embedder | null; previousEmbedder?: Embedder | null },
  budgetBytes: number,
): EmbedderChoice {
  const behind = new Map<SpaceId, boolean>();
  const of = (space: SpaceId) => (behind.get(space) === true ? previousEmbedder : embedder);
  return {
    of,
    idOf(space) {
      const chosen = of(space);
      return chosen === null || chosen.dimensions === 0 ? null : chosen.id;
    },
    async decide(space) {
      if (embedder === null || previousEmbedder === null || behind.get(space) === false) return false;
      if ((await learnDimensions(previousEmbedder, FIRST_ANSWER_MS)) !== null) return false;
      const { vectors, segmentBytes } = await store.inspect(space);
      const count = ({ id }: Embedder) => vectors.find((each) => each.embedder === id)?.passages ?? 0;
      const isBehind = count(embedder) < count(previousEmbedder) && segmentBytes <= budgetBytes;
      const movesOn = behind.get(space) === true && !isBehind;
      behind.set(space, isBehind);
      return movesOn;
    },
  };
}
