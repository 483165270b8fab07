import type { Engine } from '../engine/engine.ts';
import type { Caller } from '../model/caller.ts';
import type { Hit, SearchMode, SearchResult } from '../model/search.ts';

/** The most one search can show, and how deep MRR looks. */
export const DEEPEST = 100;

export interface Asking {
  engine: Engine;
  caller: Caller;
  text: string;
  /** How many hits a person would get. */
  limit: number;
  /** undefined: as `memory_search` without a mode. */
  mode?: SearchMode;
  /** What counts as found, and under which name. */
  nameOf(hit: Hit): string | null;
  wanted: ReadonlySet<string>;
}

export interface Answer {
  /** Names, best first, none twice. */
  ranking: string[];
  verdict: SearchResult['verdict'];
  /** Of the first page alone. */
  ms: number;
}

/** The first page, exactly as a client gets it; a deeper look only where it holds nothing wanted. */
export async function ask(asking: Asking): Promise<Answer> {
  const started = performance.now();
  const page = await search(asking, asking.limit);
  const ms = performance.now() - started;
  const names = listNames(page, asking);
  const isFound = asking.wanted.size === 0 || names.some((name) => asking.wanted.has(name));
  const deeper =
    isFound || page.cursor === null || asking.limit >= DEEPEST ? [] : listNames(await search(asking, DEEPEST), asking);
  return { ranking: [...new Set([...names, ...deeper])], verdict: page.verdict, ms };
}

/** The budget of characters is for readers, not for measuring. */
function search({ engine, caller, text, mode }: Asking, limit: number): Promise<SearchResult> {
  return engine.search(caller, { query: text, limit, maxChars: 0, mode });
}

function listNames({ hits }: SearchResult, { nameOf }: Asking): string[] {
  return hits.map(nameOf).filter((name) => name !== null);
}
