import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { EngineSettings } from '../src/engine/engine.ts';
import type { Embedder, Log, Store } from '../src/engine/ports.ts';
import { type Kind, makeKindTable } from '../src/engine/records/kind.ts';
import { withWholeEntries } from '../src/engine/searches/derive-passages.ts';
import { createSearch } from '../src/engine/searches/search.ts';
import type { Search, SearchParts } from '../src/engine/searches/search-parts.ts';
import { DEFAULT_SETTINGS } from '../src/features/default-settings.ts';
import { type Caller, ownerOf } from '../src/model/caller.ts';
import { newRecordId, type RecordId, type SpaceId } from '../src/model/ids.ts';
import type { RecordContent } from '../src/model/record.ts';
import { createSpaceIndexes, type SpaceIndexes } from '../src/search/space-indexes.ts';
import { quantise } from '../src/search/vectors/quantise.ts';
import { openStore } from '../src/stores/open-store.ts';
import { KINDS } from './all-kinds.ts';
import { sampleContent } from './stores/contract/sample-records.ts';

export const NOW = Date.UTC(2026, 0, 15, 12);
const PASSAGE_BREAK = '\n\n';

export interface TestSpace {
  path: string;
  store: Store;
  clock: { time: number; now(): number };
  /** Names of the log lines so far. */
  events: string[];
  put(text: string, over?: Partial<RecordContent>, options?: PutOptions): Promise<RecordId>;
  remove(...ids: RecordId[]): Promise<void>;
  purge(...ids: RecordId[]): Promise<void>;
  /** Another searcher on the same store, or on one of the caller's own. */
  open(options?: OpenOptions): Searcher;
}

export interface PutOptions {
  space?: SpaceId;
  /** Replace this record. */
  id?: RecordId;
  embedder?: Embedder;
}

export interface OpenOptions {
  settings?: Partial<EngineSettings>;
  embedder?: Embedder | null;
  store?: Store;
  kinds?: readonly Kind[];
}

export interface Searcher {
  indexes: SpaceIndexes;
  search: Search;
  ports: Omit<SearchParts, 'indexes'>;
  /** Contents of the hits, best first. */
  find(query: string, more?: Parameters<Search>[1]): Promise<string[]>;
}

export const SPACE = 'owner';

export function makeCaller(over: Partial<Caller> = {}): Caller {
  return {
    userId: 'owner',
    space: SPACE,
    spaces: [SPACE],
    roles: ownerOf(over.spaces ?? [SPACE]),
    scopes: new Set(['read', 'write', 'admin']),
    door: 'cli',
    ...over,
  };
}

/** A real SQLite file with a clock that stands still; gone after the test. */
export async function openTestSpace(context: TestContext, { path: given }: { path?: string } = {}): Promise<TestSpace> {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-search-'));
  const path = given ?? join(folder, 'memory.db');
  const clock = { time: NOW, now: () => clock.time };
  const events: string[] = [];
  const note = (event: string) => void events.push(event);
  const log: Log = { info: note, warn: note, error: note };
  const store = await openStore(path, { clock, log });
  const opened: SpaceIndexes[] = [];
  context.after(async () => {
    for (const indexes of opened) await indexes.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    path,
    store,
    clock,
    events,
    put: (text, over, options) => putRecord(store, clock.now(), { text, over, ...options }),
    async remove(...ids) {
      for (const id of ids) await store.commit(SPACE, [{ op: 'delete', id, at: clock.now() }], 'test');
    },
    async purge(...ids) {
      for (const id of ids) await store.commit(SPACE, [{ op: 'purge', id }], 'test');
    },
    open({ settings, embedder = null, store: own = store, kinds = KINDS } = {}) {
      const ports = { store: own, embedder, clock, log, kinds: makeKindTable(kinds) };
      const all = { ...DEFAULT_SETTINGS, ...settings };
      const indexes = createSpaceIndexes({ ...ports, store: withWholeEntries(own, ports.kinds) }, all);
      opened.push(indexes);
      const search = createSearch({ ...ports, indexes }, all);
      return {
        indexes,
        search,
        ports,
        find: async (query, more) => (await search(makeCaller(), { query, ...more })).hits.map((hit) => hit.snippet),
      };
    },
  };
}

async function putRecord(
  store: Store,
  now: number,
  { text, over, space = SPACE, id, embedder }: PutOptions & { text: string; over?: Partial<RecordContent> | undefined },
): Promise<RecordId> {
  const passages = text.split(PASSAGE_BREAK).map((piece, ordinal) => ({ ordinal, text: piece }));
  const vectors =
    embedder === undefined
      ? []
      : await embedder.embed(
          passages.map((passage) => passage.text),
          'passage',
        );
  const stored = vectors.map((vector, ordinal) => ({ embedder: embedder!.id, ordinal, ...quantise(vector) }));
  const recordId = id ?? newRecordId(over?.createdAt ?? now);
  const [known] = id === undefined ? [] : await store.getRecords(space, [id]);
  const change = { op: 'put', id: recordId, content: makeContent(text, now, over), passages, vectors: stored } as const;
  const committed = await store.commit(
    space,
    [{ ...change, expect: known?.revision ?? 'new', unlessDuplicate: false }],
    'test',
  );
  if (committed.outcome !== 'committed') throw new Error(JSON.stringify(committed));
  return recordId;
}

function makeContent(content: string, now: number, over: Partial<RecordContent> = {}): RecordContent {
  return sampleContent({ content, createdAt: now, updatedAt: now, ...over });
}

/** Vectors by hand: each listed word is an axis, and words on one axis mean the same. */
export function makeWordEmbedder(axes: readonly (readonly string[])[], id = 'words-1'): Embedder {
  return {
    id,
    dimensions: axes.length,
    async embed(texts) {
      return texts.map((text) => {
        const words = text.toLowerCase().split(/\W+/);
        const vector = Float32Array.from(axes, (axis) => 0.01 + words.filter((word) => axis.includes(word)).length);
        const length = Math.hypot(...vector);
        return vector.map((component) => component / length);
      });
    },
    async close() {},
  };
}
