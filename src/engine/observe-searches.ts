import type { SpaceId } from '../model/ids.ts';
import type { SearchMode } from '../model/search.ts';
import type { Engine } from './engine.ts';
import { inTurns } from './in-turns.ts';

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

/** Searches of which not all have been told yet; beyond them some are not told at all. */
const MOST_UNTOLD = 100;

export function observeSearches(engine: Engine): ObservedSearches {
  const listeners = new Set<(done: SearchDone) => void>();
  const untold: SearchDone[] = [];
  let isTelling = false;

  async function tellInTurns(): Promise<void> {
    isTelling = true;
    for (let done = untold.shift(); done !== undefined; done = untold.shift()) {
      const told = done;
      await inTurns([...listeners], (tell) => tell(told));
    }
    isTelling = false;
  }

  return {
    engine: {
      ...engine,
      async search(caller, query) {
        const startedAt = performance.now();
        const result = await engine.search(caller, query);
        const ms = Math.round((performance.now() - startedAt) * 10) / 10;
        if (listeners.size === 0 || untold.length >= MOST_UNTOLD) return result;
        untold.push({
          userId: caller.userId,
          spaces: caller.spaces,
          query: query.query ?? '',
          mode: query.mode ?? 'hybrid',
          results: result.hits.length,
          ms,
        });
        if (!isTelling) void tellInTurns();
        return result;
      },
    },
    listen(onSearch) {
      listeners.add(onSearch);
      return () => void listeners.delete(onSearch);
    },
  };
}
