import type { RecordFilter } from '../../model/filter.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { EnginePorts } from '../engine.ts';
import { USUAL_COSINES } from './confidence.ts';
import { encodeText } from './index/string-table.ts';
import { idOf } from './present-hits.ts';
import type { Ranked, RankRequest } from './rank.ts';
import { runRanking } from './run-ranking.ts';
import type { VectorQuery } from './score-vectors.ts';
import { createScratch, type Scratch } from './scratch.ts';
import type { SearchSet } from './search-set.ts';
import { type Candidate, findCandidates } from './similar-candidates.ts';
import type { SpaceIndexes } from './space-indexes.ts';
import { leastShare, lexicalSimilarity, weighWords } from './text/lexical-similarity.ts';
import { parseQuery } from './text/parse-query.ts';

export interface SimilarRequest {
  space: SpaceId;
  text: string;
  /** The vectors of the text's passages by the engine's embedder, where there are any. */
  vectors?: readonly Float32Array[] | null;
  filter?: RecordFilter;
  minSimilarity?: number;
  limit?: number;
  /** Not this one: the text's own record. */
  except?: RecordId;
}

export interface SimilarRecord {
  id: RecordId;
  /** 0 to 1; 1 is the same text. */
  similarity: number;
}

const CANDIDATES = 20;
const DEFAULT_LIMIT = 5;

/** Records that say nearly the same, most similar first: those that can, by their words or by their meaning, each then compared in full. */
export async function findSimilar(
  ports: Pick<EnginePorts, 'store' | 'clock' | 'embedder'>,
  indexes: SpaceIndexes,
  request: SimilarRequest,
): Promise<SimilarRecord[]> {
  const { space, text, minSimilarity = 0, limit = DEFAULT_LIMIT } = request;
  const vector = readVector(ports, request);
  const now = ports.clock.now();
  const terms = weighWords(text).map((word) => ({ ...word, text: word.term, bytes: encodeText(word.term) }));
  const candidates = await indexes.search([space], (set) => {
    const scratch = set.lean ? createScratch() : indexes.scratch;
    if (terms.length === 0 || leastShare(minSimilarity) === 0) return rankCandidates(set, { request, vector, now, scratch });
    const { filter = {}, except } = request;
    return findCandidates(set, { terms, vector, minSimilarity, filter, now, except, limit: CANDIDATES }, scratch);
  });
  const cosines = new Map<RecordId, number>();
  for (const each of candidates) cosines.set(idOf(each), Math.max(cosines.get(idOf(each)) ?? 0, each.cosine));
  if (request.except !== undefined) cosines.delete(request.except);
  const records = cosines.size === 0 ? [] : await ports.store.getRecords(space, [...cosines.keys()]);
  return records
    .filter((record) => record.deletedAt === null)
    .map(({ id, content }): SimilarRecord => ({ id, similarity: Math.max(cosines.get(id) ?? 0, lexicalSimilarity(text, content)) }))
    .filter(({ similarity }) => similarity >= minSimilarity)
    .sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? 1 : -1))
    .slice(0, limit);
}

interface Comparison {
  request: SimilarRequest;
  vector: VectorQuery | null;
  now: number;
  scratch: Scratch;
}

/** Where anything may be similar enough, the best by a search for the text. */
async function rankCandidates(set: SearchSet, { request, vector, now, scratch }: Comparison): Promise<Candidate[]> {
  const byText = runRanking(set, describe(request, now, null), scratch);
  const byMeaning = vector === null ? null : runRanking(set, describe(request, now, vector), scratch);
  return [...(await byText).best, ...((await byMeaning)?.best ?? [])].map((each) => ({ ...each, cosine: wholeCosine(each) }));
}

/** A text of several passages has no single vector to compare by. */
function readVector({ embedder }: Pick<EnginePorts, 'embedder'>, { vectors }: SimilarRequest): VectorQuery | null {
  const [vector, another] = vectors ?? [];
  return embedder === null || vector === undefined || another !== undefined
    ? null
    : { vector, embedder: embedder.id, cosines: embedder.cosines ?? USUAL_COSINES };
}

/** Likewise, one passage of a long record says nothing of the whole. */
function wholeCosine({ part, record, meaning }: Ranked): number {
  const { docStart } = part.part.columns;
  return meaning === null || docStart[record + 1]! - docStart[record]! > 1 ? 0 : meaning;
}

function describe({ text, filter = {} }: SimilarRequest, now: number, vector: VectorQuery | null): RankRequest {
  return {
    terms: parseQuery(text).terms,
    required: [],
    vector,
    speaker: null,
    asksForTime: false,
    without: [],
    weights: { words: 1, meaning: 1 },
    useText: vector === null,
    filter,
    qualityBoost: 0,
    now,
    keep: CANDIDATES,
  };
}
