import { EngineError } from '../../model/errors.ts';
import type { Passage, StoredVector } from '../../model/passage.ts';
import { embedWithin } from '../embed-within.ts';
import type { EnginePorts } from '../engine.ts';
import type { Embedder } from '../ports.ts';
import { quantise } from '../search/vectors/quantise.ts';
import { splitPassages } from './split-passages.ts';

/** How long a write waits for vectors before it is committed without them; background work adds them. */
const WAIT_MS = 5000;
const WAIT_MS_PER_PASSAGE = 50;

/** A text as search wants it. */
export interface SearchableText {
  passages: Passage[];
  vectors: StoredVector[];
  /** The vectors before they were rounded, one for each passage; null without them. */
  exact: Float32Array[] | null;
  /** Why there are no vectors although there is an embedder. */
  warning: string | null;
}

export type PassageMaker = (texts: readonly string[]) => Promise<SearchableText[]>;

/** Splits and embeds texts, all in one go, each text once however often it is asked for. */
export function createPassageMaker({ embedder, log }: EnginePorts): PassageMaker {
  const made = new Map<string, SearchableText>();
  return async (texts) => {
    const fresh = [...new Set(texts)].filter((text) => !made.has(text));
    const split = fresh.map(splitPassages);
    const { vectors, warning } = await embedAll(embedder, split.flat(), log);
    let next = 0;
    fresh.forEach((text, i) => {
      const passages = split[i]!;
      const exact = vectors === null ? null : vectors.slice(next, next + passages.length);
      next += passages.length;
      made.set(text, {
        passages,
        vectors: embedder === null ? [] : storeVectors(embedder, exact ?? []),
        exact,
        warning,
      });
    });
    return texts.map((text) => made.get(text)!);
  };
}

/** The vectors of passages that are cut already; background work adds them where there are none. */
export async function embedPassages(
  { embedder, log }: EnginePorts,
  passages: readonly Passage[],
): Promise<Pick<SearchableText, 'vectors' | 'warning'>> {
  const { vectors, warning } = await embedAll(embedder, passages, log);
  return { vectors: embedder === null || vectors === null ? [] : storeVectors(embedder, vectors), warning };
}

/** Vectors of passages 0, 1, 2 … as the store keeps them. */
function storeVectors(embedder: Embedder, vectors: readonly Float32Array[]): StoredVector[] {
  return vectors.map((vector, ordinal) => ({ embedder: embedder.id, ordinal, ...quantise(vector) }));
}

async function embedAll(embedder: Embedder | null, passages: readonly Passage[], log: EnginePorts['log']) {
  if (embedder === null || passages.length === 0) return { vectors: null, warning: null };
  try {
    const texts = passages.map((passage) => passage.text);
    return {
      vectors: await embedWithin(WAIT_MS + WAIT_MS_PER_PASSAGE * texts.length, embedder, [texts, 'passage']),
      warning: null,
    };
  } catch (error) {
    if (!(error instanceof EngineError && error.code === 'embedder_failed')) throw error;
    log.warn('embedding_postponed', { passages: passages.length, message: error.message });
    return {
      vectors: null,
      warning: `Found by its words only for now: ${error.message} The vectors follow in the background.`,
    };
  }
}
