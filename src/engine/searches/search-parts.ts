import type { Caller } from '../../model/caller.ts';
import type { MemoryTypes } from '../../model/memory-types.ts';
import type { SearchQuery, SearchResult } from '../../model/search.ts';
import type { Replication } from '../../model/travel-port.ts';
import type { IndexSettings, RankingSettings } from '../../search/ports.ts';
import type { SpaceIndexes } from '../../search/space-indexes.ts';
import type { Clock, Condition, Embedder, Feed, Log, Passages, Reads, Records } from '../ports.ts';
import type { KindTable } from '../records/kind.ts';

export type Search = (caller: Caller, query: SearchQuery) => Promise<SearchResult>;

/** What answering a search takes. */
export interface SearchParts {
  store: Records & Passages & Feed & Condition & Reads & Replication;
  indexes: SpaceIndexes;
  /** null: sentences are compared by their words alone. */
  embedder: Embedder | null;
  kinds: KindTable;
  clock: Clock;
  log: Log;
}

/** What the operator decides about searches and the index. */
export interface SearchSettings extends IndexSettings, RankingSettings {
  memoryTypes: MemoryTypes;
  /** Default of SearchQuery.maxChars; 0: unlimited. */
  maxResponseChars: number;
  timeZone: string;
  /** Days without a read after which what is left of its freshness is 1/e, where age is weighed; 0: it is not. */
  decayWindowDays: number;
}
