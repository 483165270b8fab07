import { EngineError } from '../../model/errors.ts';
import type { Passage, StoredVector } from '../../model/passage.ts';
import type { RecordContent } from '../../model/record.ts';
import { embedWithin } from '../../search/embed-within.ts';
import { createPacer } from '../../search/index/pacer.ts';
import { quantise } from '../../search/vectors/quantise.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { Embedder, Log } from '../ports.ts';
import { passagesOf } from './kind.ts';

/** How long a write waits for vectors before it is committed without them; background work adds them. */
const WAIT_MS = 5000;
const WAIT_MS_PER_PASSAGE = 50;
/** Passages that are embedded together. */
const AT_ONCE = 64;
/** By an embedder that works here and now: between two looks at the clock. */
const IMMEDIATE_AT_ONCE = 8;

/** What search needs of a record. */
export interface Searchable {
  passages: readonly Passage[];
  vectors: readonly StoredVector[];
}

export interface MadeSearchable extends Searchable {
  /** The vectors before they were rounded, one for each passage; null without them. */
  exact: Float32Array[] | null;
  /** Why there are no vectors although there is an embedder. */
  warnings: string[];
}

export type SearchableMaker = (contents: readonly RecordContent[]) => Promise<MadeSearchable[]>;

/** Cuts records into passages and embeds these, all in one go, the same passages once however often they are asked for. */
export function createSearchableMaker(parts: EngineParts): SearchableMaker {
  const made = new Map<string, MadeSearchable>();
  const keys = new WeakMap<RecordContent, string>();
  return async (contents) => {
    const fresh = new Map<string, Passage[]>();
    const pace = createPacer();
    for (const content of contents) {
      await pace();
      if (made.has(keys.get(content) ?? '')) continue;
      const passages = passagesOf(parts.kinds.need(content.kind), content);
      await pace();
      const key = JSON.stringify(passages);
      keys.set(content, key);
      if (!made.has(key)) fresh.set(key, passages);
    }
    const { vectors, warnings } = await embedAll(parts, [...fresh.values()].flat());
    let next = 0;
    for (const [key, passages] of fresh) {
      const exact = vectors?.slice(next, next + passages.length) ?? null;
      next += passages.length;
      made.set(key, { passages, vectors: storeVectors(parts, exact ?? []), exact, warnings });
    }
    return contents.map((content) => made.get(keys.get(content)!)!);
  };
}

export async function makeSearchable(parts: EngineParts, content: RecordContent): Promise<MadeSearchable> {
  return (await createSearchableMaker(parts)([content]))[0]!;
}

/** Embedders that are part of the program hold it up while they work: a few milliseconds at a time. */
async function embedInTurns(
  embedder: Embedder,
  { texts, wait }: { texts: readonly string[]; wait: number },
): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  const until = performance.now() + wait;
  const pace = createPacer();
  const atOnce = embedder.isImmediate === true ? IMMEDIATE_AT_ONCE : AT_ONCE;
  for (let at = 0; at < texts.length; at += atOnce) {
    await pace();
    const some = texts.slice(at, at + atOnce);
    // One that is part of the program does not keep anybody waiting for longer than it works.
    if (embedder.isImmediate === true) vectors.push(...(await embedder.embed(some, 'passage')));
    else vectors.push(...(await embedWithin(Math.max(1, until - performance.now()), embedder, [some, 'passage'])));
  }
  return vectors;
}

/** Vectors of passages 0, 1, 2 … as the store keeps them. */
function storeVectors({ embedder }: { embedder: Embedder | null }, vectors: readonly Float32Array[]): StoredVector[] {
  if (embedder === null) return [];
  return vectors.map((vector, ordinal) => ({ embedder: embedder.id, ordinal, ...quantise(vector) }));
}

async function embedAll({ embedder, log }: { embedder: Embedder | null; log: Log }, passages: readonly Passage[]) {
  if (embedder === null || passages.length === 0) return { vectors: null, warnings: [] };
  try {
    const texts = passages.map((passage) => passage.text);
    const wait = WAIT_MS + WAIT_MS_PER_PASSAGE * texts.length;
    const vectors = await embedInTurns(embedder, { texts, wait });
    return { vectors, warnings: [] };
  } catch (error) {
    if (!(error instanceof EngineError && error.code === 'embedder_failed')) throw error;
    log.warn('embedding_postponed', { passages: passages.length, message: error.message });
    return {
      vectors: null,
      warnings: [`For now, found by its words only: ${error.message} It will be embedded in the background.`],
    };
  }
}
