import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RecordId, SpaceId } from '../model/ids.ts';
import type { EmbedderId } from '../model/passage.ts';
import { USUAL_COSINES } from './confidence.ts';
import type { IndexFilter } from './filter-mask.ts';
import type { Vectors } from './index/part.ts';
import type { Clock } from './ports.ts';
import type { VectorQuery } from './score-vectors.ts';
import { createScratch } from './scratch.ts';
import { idOf, type SearchSet } from './search-set.ts';
import { listNear, readForms } from './similar-candidates.ts';
import type { SpaceIndexes } from './space-indexes.ts';

export interface NearWanted {
  space: SpaceId;
  ids: readonly RecordId[];
  minCosine: number;
  filter: IndexFilter;
  /** So many for each, the nearest first. */
  limit: number;
}

export interface NearRecord {
  id: RecordId;
  cosine: number;
}

/** So many are compared in one go: other searches wait meanwhile. */
const AT_ONCE = 10;
/** Of those on the border one in a thousand is missed, and the scan takes a third of the time: who is on the border is a matter of taste. */
const DEVIATIONS = 3;

/**
 * For each of some records those that mean nearly the same, by the vectors that lie in the index: a scan of sign codes for each, never each with each in full.
 * A record of several passages, or without a vector, has no neighbours. Null where there is no embedder.
 */
export async function findNear(
  ports: { clock: Clock },
  indexes: SpaceIndexes,
  { space, ids, minCosine, filter, limit }: NearWanted,
): Promise<Map<RecordId, NearRecord[]> | null> {
  const embedder = await indexes.embedderOf(space);
  if (embedder === null) return null;
  const near = new Map<RecordId, NearRecord[]>();
  const cosines = embedder.cosines ?? USUAL_COSINES;
  const about = { embedder: embedder.id, cosines, familiarity: 1 };
  const now = ports.clock.now();
  for (let i = 0; i < ids.length; i += AT_ONCE) {
    if (i > 0) await nextTurn();
    const some = ids.slice(i, i + AT_ONCE);
    await indexes.search([space], async (set) => {
      const scratch = set.lean ? createScratch() : indexes.scratch;
      const asked: { id: RecordId; vector: VectorQuery }[] = [];
      for (const id of some) {
        const vector = await readVector(set, id, embedder.id);
        if (vector !== null) asked.push({ id, vector: { ...about, vector } });
      }
      const requests = asked.map(({ vector }) => ({
        vector,
        minSimilarity: minCosine,
        filter,
        now,
        deviations: DEVIATIONS,
      }));
      const forms = readForms(requests);
      for (const part of set.parts) {
        const body = part.part.body ?? (await set.readBody(part));
        for (const [k, found] of listNear(part, body, { requests, forms, scratch }).entries()) {
          const { id } = asked[k]!;
          const known = near.get(id) ?? [];
          for (const each of found) if (idOf(each) !== id) known.push({ id: idOf(each), cosine: each.cosine });
          near.set(id, known);
        }
      }
    });
  }
  for (const [id, found] of near) {
    found.sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1));
    near.set(id, found.slice(0, limit));
  }
  return near;
}

/** The vectors of these records as they lie in the index; those of several passages, or without a vector, are left out. Null where there is no embedder. */
export async function readVectors(
  indexes: SpaceIndexes,
  space: SpaceId,
  ids: readonly RecordId[],
): Promise<{ embedder: EmbedderId; vectors: Map<RecordId, Float32Array> } | null> {
  const embedder = await indexes.embedderOf(space);
  if (embedder === null) return null;
  const vectors = new Map<RecordId, Float32Array>();
  await indexes.search([space], async (set) => {
    for (const id of ids) {
      const vector = await readVector(set, id, embedder.id);
      if (vector !== null) vectors.set(id, vector);
    }
  });
  return { embedder: embedder.id, vectors };
}

async function readVector(set: SearchSet, id: RecordId, embedder: EmbedderId): Promise<Float32Array | null> {
  for (const part of set.parts) {
    const record = part.part.find(id);
    if (record === -1 || part.part.deadRecords[record] === 1) continue;
    const { docStart } = part.part.columns;
    if (docStart[record + 1]! - docStart[record]! !== 1) return null;
    const { vectors } = part.part.body ?? (await set.readBody(part));
    return vectors === null || vectors.embedder !== embedder ? null : vectorOf(vectors, docStart[record]!);
  }
  return null;
}

function vectorOf({ rows, scales, dimensions }: Vectors, doc: number): Float32Array | null {
  const scale = scales[doc]!;
  if (scale === 0) return null;
  const vector = new Float32Array(dimensions);
  for (let i = 0; i < dimensions; i++) vector[i] = rows[doc * dimensions + i]! * scale;
  return vector;
}
