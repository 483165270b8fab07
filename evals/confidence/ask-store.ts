import type { Engine } from '../../src/engine/engine.ts';
import { loadConfig } from '../../src/features/config.ts';
import { createEngine } from '../../src/features/create-engine.ts';
import { DEFAULT_SETTINGS } from '../../src/features/default-settings.ts';
import { type Caller, ownerOf } from '../../src/model/caller.ts';
import type { SearchResult } from '../../src/model/search.ts';
import { type QueryKind, readQueryKind } from '../../src/search/text/query-kind.ts';
import { openEmbedder } from '../../src/server/open-embedder.ts';
import { createLog } from '../../src/settings/log.ts';
import { systemClock } from '../../src/settings/system-clock.ts';
import { openStore } from '../../src/stores/open-store.ts';
import type { Drawn } from './draw-store.ts';

export interface Asked {
  set: string;
  size: number;
  kind: 'answerable' | 'neighbour' | 'foreign';
  asks: QueryKind;
  verdict: SearchResult['verdict'];
  /** Of the first hit; 0 without one. */
  confidence: number;
  isRight: boolean;
  /** The other hits of the page. */
  others: readonly Pick<Asked, 'confidence' | 'isRight'>[];
  /** What the verdict was judged by; null where it was the best hit alone. */
  evidence: Record<string, number> | null;
}

export interface Asking {
  engine: Engine;
  newCaller(): Caller;
  close(): Promise<void>;
}

/** The bundled embedder and the defaults, whoever runs it. */
export async function openAsking(): Promise<Asking> {
  const log = createLog('warn');
  const embedder = await openEmbedder(loadConfig({ flags: {}, env: {}, file: '/nowhere/config.json' }), log);
  const store = await openStore(':memory:', { clock: systemClock, log });
  const engine = createEngine({ store, embedder, clock: systemClock, log }, { ...DEFAULT_SETTINGS, redact: 'off' });
  let spaces = 0;
  return {
    engine,
    newCaller() {
      const space = `confidence-${++spaces}`;
      const scopes = new Set(['read', 'write'] as const);
      return { userId: 'evaluation', space, spaces: [space], roles: ownerOf([space]), scopes, door: 'mcp' };
    },
    close: () => engine.close(),
  };
}

const BATCH = 200;

export async function askStore(
  { engine, newCaller }: Asking,
  drawn: Drawn & Pick<Asked, 'set' | 'size'>,
): Promise<Asked[]> {
  const { set, size, items, answerable, neighbouring, foreign } = drawn;
  const caller = newCaller();
  const itemOf = new Map<string, string>();
  const stored = items.filter(({ text }) => text.trim() !== '');
  for (let i = 0; i < stored.length; i += BATCH) {
    const batch = stored.slice(i, i + BATCH);
    const inputs = batch.map(({ text, conversation, session }) => ({
      content: text,
      conversation,
      session,
      onDuplicate: 'store' as const,
    }));
    const outcomes = await engine.storeMemories(caller, inputs);
    outcomes.forEach((outcome, at) => {
      if ('memory' in outcome) itemOf.set(outcome.memory.id, batch[at]!.id);
    });
  }
  const ask = async (kind: Asked['kind'], query: string, gold: readonly string[]): Promise<Asked> => {
    const { verdict, hits, debug } = await engine.search(caller, { query, debug: true });
    const judged = hits.map(({ id, confidence }) => ({ confidence, isRight: gold.includes(itemOf.get(id) ?? '') }));
    const [first = { confidence: 0, isRight: false }, ...others] = judged;
    return {
      set,
      size,
      kind,
      asks: readQueryKind(query),
      verdict,
      ...first,
      others,
      evidence: debug?.evidence ?? null,
    };
  };
  const asked: Asked[] = [];
  for (const { text, gold } of answerable) asked.push(await ask('answerable', text, gold));
  for (const text of neighbouring) asked.push(await ask('neighbour', text, []));
  for (const text of foreign) asked.push(await ask('foreign', text, []));
  return asked;
}
