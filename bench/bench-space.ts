import type { EnginePorts } from '../src/engine/engine.ts';
import type { Embedder } from '../src/engine/ports.ts';
import { DEFAULT_SETTINGS } from '../src/features/default-settings.ts';
import { type Caller, ownerOf } from '../src/model/caller.ts';
import type { Change } from '../src/model/change.ts';
import { newRecordId } from '../src/model/ids.ts';
import { createSpaceIndexes } from '../src/search/space-indexes.ts';
import { quantise } from '../src/search/vectors/quantise.ts';
import { openStore } from '../src/stores/open-store.ts';
import { KIND_TABLE } from '../test/all-kinds.ts';
import { sampleContent } from '../test/stores/contract/sample-records.ts';
import { seeded } from './corpus.ts';

export const SPACE = 'owner';
export const CALLER: Caller = {
  userId: 'owner',
  space: SPACE,
  spaces: [SPACE],
  roles: ownerOf([SPACE]),
  scopes: new Set(['read', 'write', 'admin']),
  door: 'job',
};
export const CLOCK = { now: () => Date.now() };
export const LOG = { info: () => {}, warn: console.warn, error: console.error };
/** The largest size must fit. */
export const SETTINGS = { ...DEFAULT_SETTINGS, indexBudgetBytes: 4 * 2 ** 30 };
const DIMENSIONS = 256;
const BATCH = 500;

/** Unit vectors from a seeded generator, one for each text: what a search costs does not depend on what they mean. */
export const RANDOM_EMBEDDER: Embedder = {
  id: `random-${DIMENSIONS}`,
  dimensions: DIMENSIONS,
  embed: async (texts) => texts.map(randomVector),
  close: async () => {},
};

function randomVector(text: string): Float32Array {
  let seed = text.length;
  for (let i = 0; i < text.length; i += 7) seed = (Math.imul(seed, 31) + text.charCodeAt(i)) >>> 0;
  const random = seeded(seed);
  const vector = Float32Array.from({ length: DIMENSIONS }, () => random() + random() + random() - 1.5);
  const norm = Math.hypot(...vector);
  return vector.map((component) => component / norm);
}

export async function openPorts(path: string, embedder: Embedder | null): Promise<EnginePorts> {
  return { store: await openStore(path, { clock: CLOCK, log: LOG }), clock: CLOCK, log: LOG, embedder };
}

/** A store with these passages, one record each, and its index in one segment. */
export async function fillStore(path: string, passages: readonly string[], embedder: Embedder | null): Promise<void> {
  const ports = await openPorts(path, embedder);
  for (let i = 0; i < passages.length; i += BATCH) {
    const texts = passages.slice(i, i + BATCH);
    const vectors = (await embedder?.embed(texts, 'passage')) ?? [];
    await ports.store.commit(
      SPACE,
      texts.map((text, k) => toChange(text, vectors[k], embedder)),
      'bench',
    );
  }
  const indexes = createSpaceIndexes({ ...ports, kinds: KIND_TABLE }, SETTINGS);
  await indexes.rebuild(SPACE);
  await indexes.close();
  await ports.store.close();
}

export function toChange(text: string, vector: Float32Array | undefined, embedder: Embedder | null): Change {
  const now = CLOCK.now();
  const content = sampleContent({ content: text, createdAt: now, updatedAt: now });
  const vectors =
    vector === undefined || embedder === null ? [] : [{ embedder: embedder.id, ordinal: 0, ...quantise(vector) }];
  return {
    op: 'put',
    id: newRecordId(now),
    content,
    passages: [{ ordinal: 0, text }],
    vectors,
    expect: 'new',
    unlessDuplicate: false,
  };
}
