import type { SpaceId } from '../model/ids.ts';
import type { SearchMode } from '../model/search.ts';
import type { Engine } from './engine.ts';

/** A search that has been answered. */
export interface SearchDone {
  userId: string;
  /** Where it looked. */
  spaces: readonly SpaceId[];
  query: string;
  mode: SearchMode;
  results: number;
  ms: number;
}

export interface ObservedSearches {
  /** The same engine; those who listen hear of its searches. */
  engine: Engine;
  /** Of this process, whoever searches: to be passed on to the person alone who did. The answer ends it. */
  listen(onSearch: (done: SearchDone) => void): () => void;
}

export function observeSearches(engine: Engine): ObservedSearches {
  const listeners = new Set<(done: SearchDone) => void>();
  return {
    engine: {
      ...engine,
      async search(caller, query) {
        const startedAt = performance.now();
        const result = await engine.search(caller, query);
        const ms = Math.round((performance.now() - startedAt) * 10) / 10;
        for (const tell of listeners)
          tell({
            userId: caller.userId,
            spaces: caller.spaces,
            query: query.query ?? '',
            mode: query.mode ?? 'hybrid',
            results: result.hits.length,
            ms,
          });
        return result;
      },
    },
    listen(onSearch) {
      listeners.add(onSearch);
      return () => void listeners.delete(onSearch);
    },
  };
}
