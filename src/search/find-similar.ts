import { passOver } from '../model/damage.ts';
import type { RecordId, SpaceId } from '../model/ids.ts';
import { USUAL_COSINES } from './confidence.ts';
import type { IndexFilter } from './filter-mask.ts';
import { createPacer } from './index/pacer.ts';
import type { Clock, Contents, Embedder } from './ports.ts';
import type { Ranked, RankRequest } from './rank.ts';
import { runRanking } from './run-ranking.ts';
import type { VectorQuery } from './score-vectors.ts';
import { createScratch, type Scratch } from './scratch.ts';
import { idOf, type SearchSet } from './search-set.ts';
import { type Candidate, findCandidates } from './similar-candidates.ts';
import type { SpaceIndexes } from './space-indexes.ts';
import { compareRead, LONGEST_COMPARED, leastShare, readText, weighWords } from './text/lexical-similarity.ts';
import { parseQuery } from './text/parse-query.ts';

export interface SimilarRequest {
  space: SpaceId;
  text: string;
  /** The vectors of the text's passages by the engine's embedder, where there are any. */
  vectors?: readonly Float32Array[] | null;
  filter?: IndexFilter;
  minSimilarity?: number;
  limit?: number;
  /** Not this one: the text's own record. */
  except?: RecordId;
}

export interface SimilarRecord {
  id: RecordId;
  /** 0 to 1, where 1 means the same text. */
  similarity: number;
}

const CANDIDATES = 20;
const DEFAULT_LIMIT = 5;

/** So many texts are compared in one go: other searches wait meanwhile. */
const MAX_AT_ONCE = 50;

interface SimilarPorts {
  store: Contents;
  clock: Clock;
  embedder: Embedder | null;
}

/**
 * For each text of one space the records that say nearly the same, most similar first: those that can, by their words or by their meaning, each then
 * compared in full.
 */
export async function findSimilar(
  ports: SimilarPorts,
  indexes: SpaceIndexes,
  requests: readonly SimilarRequest[],
): Promise<SimilarRecord[][]> {
  const found: SimilarRecord[][] = requests.map(() => []);
  const comparable = [...requests.entries()].filter(([, { text }]) => text.length <= LONGEST_COMPARED);
  for (let i = 0; i < comparable.length; i += MAX_AT_ONCE) {
    const places = comparable.slice(i, i + MAX_AT_ONCE);
    const some = places.map(([, request]) => request);
    const candidates = await listCandidates(ports, indexes, some);
    const records = await readCandidates(ports, some[0]!.space, candidates);
    for (const [k, [place, request]] of places.entries())
      found[place] = await compareTexts(request, candidates[k]!, records);
  }
  return found;
}

async function listCandidates(
  ports: SimilarPorts,
  indexes: SpaceIndexes,
  requests: readonly SimilarRequest[],
): Promise<Map<RecordId, number>[]> {
  const now = ports.clock.now();
  const prepared = requests.map((request) => {
    const { text, minSimilarity = 0, filter = {}, except } = request;
    const terms = weighWords(text);
    return {
      request,
      wanted: { terms, vector: readVector(ports, request), minSimilarity, filter, now, except, limit: CANDIDATES },
    };
  });
  const found = await indexes.search([requests[0]!.space], async (set) => {
    const scratch = set.lean ? createScratch() : indexes.scratch;
    if (prepared.every(({ wanted }) => wanted.terms.length > 0 && leastShare(wanted.minSimilarity) > 0)) {
      return findCandidates(
        set,
        prepared.map(({ wanted }) => wanted),
        scratch,
      );
    }
    const ranked: Candidate[][] = [];
    for (const { request, wanted } of prepared)
      ranked.push(await rankCandidates(set, { request, vector: wanted.vector, now, scratch }));
    return ranked;
  });
  return found.map((candidates, i) => greatestCosines(candidates, requests[i]!.except));
}

function greatestCosines(candidates: readonly Candidate[], except: RecordId | undefined): Map<RecordId, number> {
  const cosines = new Map<RecordId, number>();
  for (const each of candidates) cosines.set(idOf(each), Math.max(cosines.get(idOf(each)) ?? 0, each.cosine));
  if (except !== undefined) cosines.delete(except);
  return cosines;
}

async function readCandidates(
  { store }: SimilarPorts,
  space: SpaceId,
  candidates: readonly ReadonlyMap<RecordId, number>[],
): Promise<Map<RecordId, string>> {
  const ids = [...new Set(candidates.flatMap((cosines) => [...cosines.keys()]))];
  const records = ids.length === 0 ? [] : await store.getRecords(space, ids, passOver);
  return new Map(records.filter((record) => record.deletedAt === null).map(({ id, content }) => [id, content]));
}

async function compareTexts(
  { text, minSimilarity = 0, limit = DEFAULT_LIMIT }: SimilarRequest,
  cosines: ReadonlyMap<RecordId, number>,
  contents: ReadonlyMap<RecordId, string>,
): Promise<SimilarRecord[]> {
  if (cosines.size === 0) return [];
  const pace = createPacer();
  const own = readText(text);
  const similar: SimilarRecord[] = [];
  for (const [id, cosine] of cosines) {
    const content = contents.get(id);
    if (content === undefined) continue;
    const similarity = Math.max(cosine, compareRead(own, readText(content)));
    if (similarity >= minSimilarity) similar.push({ id, similarity });
    await pace();
  }
  return similar.sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? 1 : -1)).slice(0, limit);
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
  return [...(await byText).best, ...((await byMeaning)?.best ?? [])].map((each) => ({
    ...each,
    cosine: wholeCosine(each),
  }));
}

/** A text of several passages has no single vector to compare by. */
function readVector({ embedder }: { embedder: Embedder | null }, { vectors }: SimilarRequest): VectorQuery | null {
  const [vector, another] = vectors ?? [];
  return embedder === null || vector === undefined || another !== undefined
    ? null
    : { vector, embedder: embedder.id, cosines: embedder.cosines ?? USUAL_COSINES, familiarity: 1 };
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
    project: null,
    asksForTime: false,
    without: ['variety'],
    weights: { words: 1, meaning: 1 },
    useText: vector === null,
    filter,
    qualityBoost: 0,
    now,
    keep: CANDIDATES,
  };
}
