import { DEFAULT_SETTINGS } from '../../src/engine/default-settings.ts';
import { createEngine, type Engine } from '../../src/engine/engine.ts';
import { type Caller, ownerOf } from '../../src/model/caller.ts';
import type { Hit, SearchQuery, SearchResult } from '../../src/model/search.ts';
import { loadConfig } from '../../src/server/config.ts';
import { createLog } from '../../src/server/log.ts';
import { openEmbedder } from '../../src/server/open-embedder.ts';
import { systemClock } from '../../src/server/system-clock.ts';
import { openStore } from '../../src/stores/open-store.ts';
import type { Drawn } from './draw-store.ts';

export interface Asked {
  set: string;
  size: number;
  kind: 'answerable' | 'neighbour' | 'foreign';
  verdict: SearchResult['verdict'];
  /** Of the first hit; 0 without one. */
  confidence: number;
  isRight: boolean;
  /** What the confidence of the best few hits is made of, and which of them are right. */
  best: { evidence: Record<string, number>; isRight: boolean }[];
}

export interface AskingOptions {
  mode: NonNullable<SearchQuery['mode']>;
  /** As with an embedder that knows no single words. */
  unweighed: boolean;
}

const PLAIN: AskingOptions = { mode: 'hybrid', unweighed: false };

export interface Asking {
  mode: AskingOptions['mode'];
  engine: Engine;
  newCaller(): Caller;
  close(): Promise<void>;
}

/** The bundled embedder and the defaults, whoever runs it. */
export async function openAsking({ mode, unweighed }: AskingOptions = PLAIN): Promise<Asking> {
  const log = createLog('warn');
  const opened = await openEmbedder(loadConfig({ flags: {}, env: {}, file: '/nowhere/config.json' }), log);
  const embedder = opened === null || !unweighed ? opened : { ...opened, weighWords: undefined };
  const store = await openStore(':memory:', { clock: systemClock, log });
  const engine = createEngine({ store, embedder, clock: systemClock, log }, { ...DEFAULT_SETTINGS, redact: 'off' });
  let spaces = 0;
  return {
    engine,
    mode,
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
  { engine, newCaller, mode }: Asking,
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
    const { verdict, hits, debug } = await engine.search(caller, { query, mode, debug: true });
    const isRight = (hit?: Hit) => hit !== undefined && gold.includes(itemOf.get(hit.id) ?? '');
    const best = (debug?.evidence ?? []).map((evidence, i) => ({ evidence, isRight: isRight(hits[i]) }));
    return { set, size, kind, verdict, confidence: hits[0]?.confidence ?? 0, isRight: isRight(hits[0]), best };
  };
  const asked: Asked[] = [];
  for (const { text, gold } of answerable) asked.push(await ask('answerable', text, gold));
  for (const text of neighbouring) asked.push(await ask('neighbour', text, []));
  for (const text of foreign) asked.push(await ask('foreign', text, []));
  return asked;
}
