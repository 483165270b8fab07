import type { Engine } from '../../engine/engine.ts';
import type { Caller } from '../../model/caller.ts';
import type { RecordId } from '../../model/ids.ts';
import type { Hit, SearchMode, SearchResult } from '../../model/search.ts';

/** The most one search can show, and how deep MRR looks. */
export const DEEPEST = 100;
/** A client that says nothing gets this many hits. */
export const USUAL_LIMIT = 10;

/** What an agent is shown that gives the question, and a limit only where it wants another number of hits than usual. */
export type AskDoor = (
  caller: Caller,
  question: { text: string; limit: number },
) => Promise<{ ids: RecordId[]; verdict: SearchResult['verdict'] }>;

interface Asking {
  caller: Caller;
  text: string;
  /** How many hits a person would get. */
  limit: number;
}

export interface AskingEngine extends Asking {
  engine: Engine;
  /** undefined: as `memory_search` without a mode. */
  mode?: SearchMode;
  /** What counts as found, and under which name. */
  nameOf(hit: Hit): string | null;
  wanted: ReadonlySet<string>;
}

/** Names as the bare ranking has them, best first, none twice; a deeper look only where the first page holds nothing wanted. */
export async function askEngine(asking: AskingEngine): Promise<string[]> {
  const page = await search(asking, asking.limit);
  const names = listNames(page, asking);
  const isFound = asking.wanted.size === 0 || names.some((name) => asking.wanted.has(name));
  const deeper =
    isFound || page.cursor === null || asking.limit >= DEEPEST ? [] : listNames(await search(asking, DEEPEST), asking);
  return [...new Set([...names, ...deeper])];
}

/** The budget of characters is for readers, not for measuring. */
function search({ engine, caller, text, mode }: AskingEngine, limit: number): Promise<SearchResult> {
  return engine.search(caller, { query: text, limit, maxChars: 0, mode });
}

function listNames({ hits }: SearchResult, { nameOf }: AskingEngine): string[] {
  return hits.map(nameOf).filter((name) => name !== null);
}

export interface AskingDoor extends Asking {
  askDoor: AskDoor;
  nameOf(id: RecordId): string | null;
  /** What the bare ranking has: whoever pages on gets to the rest of it. */
  beyond: readonly string[];
}

export interface Shown {
  /** Names, best first, none twice: the page, null where it is shorter than what was asked for, then what lies beyond it. */
  ranking: (string | null)[];
  verdict: SearchResult['verdict'];
  ms: number;
}

export async function askByDoor({ askDoor, caller, text, limit, nameOf, beyond }: AskingDoor): Promise<Shown> {
  const started = performance.now();
  const { ids, verdict } = await askDoor(caller, { text, limit });
  const ms = performance.now() - started;
  const shown = [...new Set(ids.map(nameOf).filter((name) => name !== null))];
  const hidden = Array.from({ length: Math.max(0, limit - ids.length) }, () => null);
  return { ranking: [...shown, ...hidden, ...beyond.filter((name) => !shown.includes(name))], verdict, ms };
}
