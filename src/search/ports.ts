import type { Clock, Embedder, Log, Store } from '../engine/ports.ts';
import type { KindTable } from '../engine/records/kind.ts';
import type { Caller } from '../model/caller.ts';
import type { SpaceId } from '../model/ids.ts';
import type { MemoryTypes } from '../model/memory-types.ts';
import type { SearchQuery, SearchResult } from '../model/search.ts';
import type { RankingStep } from './ranking-steps.ts';

export type Search = (caller: Caller, query: SearchQuery) => Promise<SearchResult>;

/** What searching is given. */
export interface SearchPorts {
  store: Store;
  /** null: text search alone. */
  embedder: Embedder | null;
  /** The one before it was changed: searches use it while more passages have its vectors. */
  previousEmbedder?: Embedder | null;
  clock: Clock;
  log: Log;
  kinds: KindTable;
  /** Called when what was written lies in segments. */
  afterFlush?(space: SpaceId): Promise<void>;
}

/** What the operator decides about searches and the index. */
export interface SearchSettings {
  memoryTypes: MemoryTypes;
  /** Default of SearchQuery.maxChars; 0: unlimited. */
  maxResponseChars: number;
  /** Bytes that all loaded indexes together may take. */
  indexBudgetBytes: number;
  /** Cut the tail of the index into a segment past this many passages. */
  flushPassages: number;
  /** Opened for one command: nothing is read of the index but what it uses. */
  isBrief?: boolean;
  timeZone: string;
  /** How much words and meaning count in hybrid search; 1 is as measured. */
  wordsWeight: number;
  meaningWeight: number;
  /** Days without a read after which what is left of its freshness is 1/e, where age is weighed; 0: it is not. */
  decayWindowDays: number;
  /** Parts of the ranking to leave out, for measuring what each is worth; none otherwise. */
  rankWithout: readonly RankingStep[];
}
