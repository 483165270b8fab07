import type { RecordFilter } from '../../model/filter.ts';
import type { Instant, RecordId } from '../../model/ids.ts';
import { createRecordTest } from './filter-mask.ts';
import type { Body } from './index/part.ts';
import { comparable, maskVectors, type VectorQuery } from './score-vectors.ts';
import type { Scratch } from './scratch.ts';
import type { SearchPart, SearchSet } from './search-set.ts';
import { findSharing, type WeighedTerm } from './similar-words.ts';
import { leastShare } from './text/lexical-similarity.ts';
import { measureCosines, roundQuery } from './vectors/cosines.ts';
import { makeSignCode } from './vectors/sign-code.ts';

/** A record that may be similar enough. */
export interface Candidate {
  part: SearchPart;
  record: number;
  /** 0 where it was not compared. */
  cosine: number;
}

export interface CandidateRequest {
  terms: readonly WeighedTerm[];
  vector: VectorQuery | null;
  minSimilarity: number;
  filter: RecordFilter;
  now: Instant;
  /** Not this one. */
  except: RecordId | undefined;
  /** So many by words and so many by meaning. */
  limit: number;
}

const NEAREST = 500;
/** Signs differ in angle / π of the components, give or take this share of them. */
const SIGN_TOLERANCE = 0.15;

/** Every record that can reach the similarity, by its words or by its meaning, up to the limit. Does not wait where the words are in memory. */
export async function findCandidates(set: SearchSet, request: CandidateRequest, scratch: Scratch): Promise<Candidate[]> {
  const byWords: (Candidate & { shared: number })[] = [];
  const byMeaning: Candidate[] = [];
  for (const part of set.parts) {
    const body = part.part.body ?? (await set.readBody(part));
    byWords.push(...listSharing(part, body, { request, scratch }));
    if (request.vector !== null) byMeaning.push(...listNear(part, body, { request, vector: request.vector, scratch }));
  }
  byWords.sort((a, b) => b.shared - a.shared);
  byMeaning.sort((a, b) => b.cosine - a.cosine);
  return [...byWords.slice(0, request.limit), ...byMeaning.slice(0, request.limit)];
}

function listSharing(part: SearchPart, body: Body, { request, scratch }: { request: CandidateRequest; scratch: Scratch }) {
  const { terms, minSimilarity, filter, now, except } = request;
  const least = leastShare(minSimilarity) * terms.reduce((sum, { weight }) => sum + weight, 0);
  const sums = scratch.take('text', part.part.columns.recordCount);
  const own = except === undefined ? -1 : part.part.find(except);
  if (own !== -1) sums[own] = -Infinity;
  const passes = createRecordTest(part.part, filter, now);
  const sharing = findSharing(part.part, body, { terms, least, sums, list: scratch.takeList(sums.length) });
  return sharing.filter(({ record }) => passes(record)).map(({ record, shared }) => ({ part, record, shared, cosine: 0 }));
}

/** Records of one passage: a part of a longer one says nothing of the whole. */
function listNear(
  each: SearchPart,
  body: Body,
  { request, vector, scratch }: { request: CandidateRequest; vector: VectorQuery; scratch: Scratch },
): Candidate[] {
  const vectors = comparable(body, vector);
  if (vectors === null) return [];
  const { columns } = each.part;
  const scanner = scratch.scanner(vectors.dimensions);
  const share = Math.acos(Math.min(1, request.minSimilarity)) / Math.PI + SIGN_TOLERANCE;
  const nearest = {
    histogram: new Uint32Array(vectors.dimensions + 1),
    wanted: NEAREST,
    limit: Math.min(vectors.dimensions, Math.ceil(share * vectors.dimensions)),
  };
  const scan = { query: makeSignCode(vector.vector), codes: vectors.codes, count: columns.docCount, mask: maskVectors(vectors, null, columns.docCount) };
  const near = scanner.scan(scan, nearest);
  const docs = Uint32Array.from(near.filter((_, i) => i % 2 === 0));
  const cosines = measureCosines(scanner, vectors, { query: roundQuery(vector.vector), docs });
  const passes = createRecordTest(each.part, request.filter, request.now);
  return Array.from(docs, (doc, i) => ({ part: each, record: columns.docRecord[doc]!, cosine: cosines[i]! })).filter(
    ({ record, cosine }) => cosine >= request.minSimilarity && columns.docStart[record + 1]! - columns.docStart[record]! === 1 && passes(record),
  );
}
