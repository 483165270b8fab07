import type { RecordFilter } from './filter.ts';
import type { Instant, RecordId, SpaceId } from './ids.ts';
import type { StoredRecord } from './record.ts';

/** hybrid: words and meaning. text: words alone. semantic: meaning alone (words where there is no embedder). exact: a literal substring, newest first. */
export const SEARCH_MODES = ['hybrid', 'text', 'semantic', 'exact'] as const;
export type SearchMode = (typeof SEARCH_MODES)[number];

export interface SearchQuery {
  /** Words, a question, "quoted phrases", prefix*. Absent: filters alone, newest first. */
  query?: string;
  mode?: SearchMode;
  filter?: RecordFilter;
  /** A time phrase in the caller's zone ("last Tuesday afternoon"); narrows the filter, is never ignored. */
  when?: string;
  /** The memory as it was at this time. */
  asOf?: Instant;
  /** Like filter.after/before, but as text: an ISO date or time, or a phrase. */
  after?: string;
  before?: string;
  /** 1 to 100; 10 where nothing is said. */
  limit?: number;
  cursor?: string;
  /** Most characters of content in the answer; cuts between hits, keeps at least one. */
  maxChars?: number;
  /** 0 to 1: how far quality decides instead of relevance. */
  qualityBoost?: number;
  /** Look at the best again, by their sentences: the answer is one page of these. */
  rerank?: boolean;
  /** Order the best by several signals: the answer is one page of these. */
  ranking?: RankingWeights;
  /** Leaves weak hits out of the first page, but for the nearest few where nothing is relevant; the answer counts them. */
  relevantOnly?: boolean;
  /** Gives weak hits as much text as strong ones. */
  weakInFull?: boolean;
  /** When little is found: add literal matches, then memories whose tag is a word of the query. */
  fallback?: boolean;
  /** Adds what was done and how long it took. */
  debug?: boolean;
}

/** What counts beside each other, as shares of their sum; what is not said has its usual weight. */
export interface RankingWeights {
  /** How well it fits the query. */
  semantic?: number;
  /** How lately it was read, or stored where it never was. */
  timeDecay?: number;
  accessFrequency?: number;
  quality?: number;
}

/** Why a hit stands where it stands. */
export interface Why {
  /** 'words', 'meaning', 'phrase', 'exact', 'tag', 'recent' … */
  matched: string[];
  /** The query's words that this passage holds, as they were indexed. */
  words: string[];
  text: number | null;
  meaning: number | null;
  /** Factors applied after fusion, by name (recency, quality …). */
  weights: Record<string, number>;
}

type Labels = 'id' | 'space' | 'kind' | 'type' | 'contentHash' | 'tags' | 'project' | 'agent' | 'quality';
type ShownField = Labels | 'source' | 'trust';

export interface Hit extends Pick<StoredRecord, ShownField | 'createdAt' | 'updatedAt' | 'supersededBy'> {
  title: string;
  /** Text around the match; the whole text where it is short. Of a weak hit the sentence that matches, in one line. */
  snippet: string;
  /** True when `snippet` is all of the content. */
  whole: boolean;
  /** Of a packet: its own id, and the part that was found, such as `decisions[2]`; '' for the packet as a whole. */
  packet?: { id: string; part: string };
  /** Of a document as a whole. */
  document?: { title: string; uri: string; format: string; pages: number | null; sections: number };
  /** Of a section: its document, the headings above it, and where the passage stands. */
  section?: {
    document: string;
    title: string;
    uri: string;
    headings: string[];
    page: number | null;
    line: number | null;
  };
  /** Comparable within one answer. */
  score: number;
  /** 0 to 1: how likely this is what was asked for. */
  confidence: number;
  /** Far behind the best, or one of a page on which nothing is likely to answer. On a ranked page all hits after a weak one are weak. */
  weak: boolean;
  why: Why;
}

export interface SearchResult {
  hits: Hit[];
  /** How many records passed the filter and matched at all. */
  total: number;
  /** There may be more than `total`: nobody has counted further. */
  atLeast?: true;
  /** Advice, by which nothing is left out. 'nothing': probably none of the hits answers the query, or there is none. */
  verdict: 'found' | 'nothing';
  /** What searched: 'text' says that meaning took no part. */
  searchedBy: 'text' | 'meaning' | 'text+meaning' | 'filter' | 'exact';
  cursor: string | null;
  /** How many hits of the page are weak. Those that are not among `hits` were left out (relevantOnly, or a query of unknown words); the cursor leads to them. */
  weaker: number;
  /** Set when maxChars left hits out. */
  truncated: { shown: number; omitted: number; chars: number; totalChars: number } | null;
  /** What the answer could not do (embedder down, passages without vectors …). */
  notices: string[];
  /** Records that would have been found, and were left out because they are damaged. */
  damaged?: RecordId[];
  timeRange: { after: Instant | null; before: Instant | null } | null;
  debug?: {
    candidates: number;
    filtered: number;
    passages: number;
    head: Record<SpaceId, number>;
    ms: Record<string, number>;
    /** What the verdict was judged by; absent where it was the best hit alone. */
    evidence?: Record<string, number>;
  };
}
