import type { RecordFilter } from '../../model/filter.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { EnginePorts } from '../engine.ts';
import { idOf } from './present-hits.ts';
import type { Ranked, RankRequest } from './rank.ts';
import { runRanking } from './run-ranking.ts';
import type { VectorQuery } from './score-vectors.ts';
import { createScratch } from './scratch.ts';
import type { SpaceIndexes } from './space-indexes.ts';
import { lexicalSimilarity } from './text/lexical-similarity.ts';
import { parseQuery } from './text/parse-query.ts';

export interface SimilarRequest {
  space: SpaceId;
  text: string;
  /** The vectors of the text's passages by the engine's embedder, where there are any. */
  vectors?: readonly Float32Array[] | null;
  filter?: RecordFilter;
  minSimilarity?: number;
  limit?: number;
}

export interface SimilarRecord {
  id: RecordId;
  /** 0 to 1; 1 is the same text. */
  similarity: number;
}

const CANDIDATES = 20;
const DEFAULT_LIMIT = 5;

/** Records that say nearly the same, most similar first: the best by words and by meaning, each then compared in full. */
export async function findSimilar(
  ports: Pick<EnginePorts, 'store' | 'clock' | 'embedder'>,
  indexes: SpaceIndexes,
  request: SimilarRequest,
): Promise<SimilarRecord[]> {
  const { space, text, minSimilarity = 0, limit = DEFAULT_LIMIT } = request;
  const vector = readVector(ports, request);
  const now = ports.clock.now();
  const candidates = await indexes.search([space], async (set) => {
    const scratch = createScratch();
    const byText = runRanking(set, describe(request, now, null), scratch);
    const byMeaning = vector === null ? null : runRanking(set, describe(request, now, vector), scratch);
    return [...(await byText).best, ...((await byMeaning)?.best ?? [])];
  });
  const cosines = new Map<RecordId, number>();
  for (const each of candidates) cosines.set(idOf(each), Math.max(cosines.get(idOf(each)) ?? 0, wholeCosine(each)));
  const records = await ports.store.getRecords(space, [...cosines.keys()]);
  return records
    .filter((record) => record.deletedAt === null)
    .map(({ id, content }): SimilarRecord => ({ id, similarity: Math.max(cosines.get(id) ?? 0, lexicalSimilarity(text, content)) }))
    .filter(({ similarity }) => similarity >= minSimilarity)
    .sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? 1 : -1))
    .slice(0, limit);
}

/** A text of several passages has no single vector to compare by. */
function readVector({ embedder }: Pick<EnginePorts, 'embedder'>, { vectors }: SimilarRequest): VectorQuery | null {
  const [vector, another] = vectors ?? [];
  return embedder === null || vector === undefined || another !== undefined ? null : { vector, embedder: embedder.id };
}

/** Likewise, one passage of a long record says nothing of the whole. */
function wholeCosine({ part, record, meaning }: Ranked): number {
  const { docStart } = part.part.columns;
  return meaning === null || docStart[record + 1]! - docStart[record]! > 1 ? 0 : meaning;
}

function describe({ text, filter = {} }: SimilarRequest, now: number, vector: VectorQuery | null): RankRequest {
  return { terms: parseQuery(text).terms, required: [], vector, useText: vector === null, filter, qualityBoost: 0, now, keep: CANDIDATES };
}
