import type { Instant, RecordId } from '../model/ids.ts';
import { createRecordTest, type IndexFilter } from './filter-mask.ts';
import type { Body, Vectors } from './index/part.ts';
import { comparable, type VectorQuery } from './score-vectors.ts';
import type { Scratch } from './scratch.ts';
import type { SearchPart, SearchSet } from './search-set.ts';
import { cheapFirst, findSharing } from './similar-words.ts';
import { leastShare, type WeighedWord } from './text/lexical-similarity.ts';
import { measureCosines, roundQuery } from './vectors/cosines.ts';
import { FIRST_BITS, makeSignCode } from './vectors/sign-code.ts';
import type { VectorScanner } from './vectors/vector-scanner.ts';

/** A record that may be similar enough. */
export interface Candidate {
  part: SearchPart;
  record: number;
  /** 0 where it was not compared. */
  cosine: number;
}

export interface CandidateRequest {
  terms: readonly WeighedWord[];
  vector: VectorQuery | null;
  minSimilarity: number;
  filter: IndexFilter;
  now: Instant;
  /** Not this one. */
  except: RecordId | undefined;
  /** So many by words and so many by meaning. */
  limit: number;
}

/** What matters of a request where vectors alone are compared. */
export interface NearRequest extends Pick<CandidateRequest, 'vector' | 'minSimilarity' | 'filter' | 'now'> {
  /** How far signs may differ from what the angle lets expect, in standard deviations; absent: so that nothing is missed. */
  deviations?: number;
}

/** The newest of so many near ones are compared. */
const MOST_NEAR = 5000;
/** Signs differ in angle / π of the components, give or take: of those whose true angle is on the border one in a million differs in more. */
const DEVIATIONS = 5;

/**
 * For each request every record that can reach the similarity, by its words or by its meaning, up to the limit. The codes are walked through once for all
 * requests. Does not wait where the words are in memory.
 */
export async function findCandidates(
  set: SearchSet,
  requests: readonly CandidateRequest[],
  scratch: Scratch,
): Promise<Candidate[][]> {
  const byWords: (Candidate & { shared: number })[][] = requests.map(() => []);
  const byMeaning: Candidate[][] = requests.map(() => []);
  // By the largest part, whose lists are the longest; what is cheap there is cheap enough in the others.
  const [largest] = set.parts.toSorted((a, b) => b.part.columns.docCount - a.part.columns.docCount);
  if (largest === undefined) return requests.map(() => []);
  const { words } = largest.part.body ?? (await set.readBody(largest));
  const ordered = requests.map((request) => ({ ...request, terms: cheapFirst(request.terms, words) }));
  const forms = readForms(requests);
  for (const part of set.parts) {
    const body = part.part.body ?? (await set.readBody(part));
    for (const [i, request] of ordered.entries()) byWords[i]!.push(...listSharing(part, body, { request, scratch }));
    for (const [i, near] of listNear(part, body, { requests, forms, scratch }).entries()) byMeaning[i]!.push(...near);
  }
  return requests.map(({ limit }, i) => {
    const sharing = byWords[i]!.sort((a, b) => b.shared - a.shared);
    const near = byMeaning[i]!.sort((a, b) => b.cosine - a.cosine);
    return [...sharing.slice(0, limit), ...near.slice(0, limit)];
  });
}

function listSharing(
  part: SearchPart,
  body: Body,
  { request, scratch }: { request: CandidateRequest; scratch: Scratch },
) {
  const { terms, minSimilarity, filter, now, except } = request;
  const least = leastShare(minSimilarity) * terms.reduce((sum, { weight }) => sum + weight, 0);
  const own = except === undefined ? -1 : part.part.find(except);
  const sharing = findSharing(part.part, body, { terms, least, except: own, scratch });
  if (sharing.length === 0) return [];
  const passes = createRecordTest(part.part, filter, now);
  return sharing
    .filter(({ record }) => passes(record))
    .map(({ record, shared }) => ({ part, record, shared, cosine: 0 }));
}

/** A request's vector as it is compared: by signs first, then rounded. */
interface VectorForms {
  code: Uint32Array;
  query: Int16Array;
}

/** Made once for all parts. */
export function readForms(requests: readonly NearRequest[]): (VectorForms | null)[] {
  return requests.map(({ vector }) =>
    vector === null ? null : { code: makeSignCode(vector.vector), query: roundQuery(vector.vector) },
  );
}

/** Records of one passage: a part of a longer one says nothing of the whole. */
export function listNear(
  part: SearchPart,
  body: Body,
  {
    requests,
    forms,
    scratch,
  }: { requests: readonly NearRequest[]; forms: ReturnType<typeof readForms>; scratch: Scratch },
): Candidate[][] {
  const wanted = requests.map(({ vector }) => (vector === null ? null : comparable(body, vector)));
  const vectors = wanted.find((each) => each !== null);
  if (vectors === undefined || vectors === null) return requests.map(() => []);
  const scanner = scratch.scanner(vectors.dimensions);
  const asking = requests.flatMap(({ vector, minSimilarity, deviations }, i) =>
    wanted[i] === null || vector === null
      ? []
      : [{ i, ...forms[i]!, ...limitsOf(minSimilarity, vectors.dimensions, deviations) }],
  );
  const near = scanner.near({ codes: vectors.codes, count: part.part.columns.docCount }, asking);
  const found: Candidate[][] = requests.map(() => []);
  for (const [k, { i, query }] of asking.entries()) {
    if (near[k]!.length === 0) continue;
    const docs = Uint32Array.from(near[k]!.filter((doc) => vectors.scales[doc] !== 0).slice(-MOST_NEAR));
    if (docs.length > 0) found[i] = compareNear(part, { request: requests[i]!, query, vectors, scanner, docs });
  }
  return found;
}

interface Comparing {
  request: NearRequest;
  query: Int16Array;
  vectors: Vectors;
  scanner: VectorScanner;
  docs: Uint32Array;
}

function compareNear(part: SearchPart, { request, query, vectors, scanner, docs }: Comparing): Candidate[] {
  const { columns } = part.part;
  const cosines = measureCosines(scanner, vectors, { query, docs });
  const passes = createRecordTest(part.part, request.filter, request.now);
  const found: Candidate[] = [];
  for (let i = 0; i < docs.length; i++) {
    const cosine = cosines[i]!;
    if (cosine < request.minSimilarity) continue;
    const record = columns.singlePassages ? docs[i]! : columns.docRecord[docs[i]!]!;
    const isWhole = columns.singlePassages || columns.docStart[record + 1]! - columns.docStart[record]! === 1;
    if (isWhole && passes(record)) found.push({ part, record, cosine });
  }
  return found;
}

function limitsOf(cosine: number, dimensions: number, deviations?: number): { first: number; all: number } {
  return {
    first: mostDiffering(cosine, Math.min(dimensions, FIRST_BITS), deviations),
    all: mostDiffering(cosine, dimensions, deviations),
  };
}

/** In so many of these bits the signs of two vectors differ at most. */
function mostDiffering(cosine: number, bits: number, deviations = DEVIATIONS): number {
  const share = Math.acos(Math.max(-1, Math.min(1, cosine))) / Math.PI;
  return Math.min(bits, Math.ceil(bits * share + deviations * Math.sqrt(bits * share * (1 - share))));
}
