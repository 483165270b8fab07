import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { memoryKind } from '../src/features/memories/memory-kind.ts';
import { makeCaller, makeClock, makeWordEmbedder, openTestEngine, type TestEngineOptions } from './open-test-engine.ts';

const caller = makeCaller('cli');

/** An engine with an embedder, and a picture of all that its memories say. */
export async function openAgeingEngine(t: TestContext, options: TestEngineOptions = {}) {
  const clock = options.clock ?? makeClock();
  const made = await openTestEngine(t, { embedder: makeWordEmbedder(), ...options, clock });
  const store = async (content: string, more: object = {}): Promise<string> => {
    const stored = await made.engine.storeMemory(caller, { content, onDuplicate: 'store', ...more });
    assert.ok(stored.outcome === 'stored');
    return stored.memory.id;
  };
  /** All that a memory says, by id; not how often it was written. */
  const picture = async () => {
    const found = new Map<string, unknown>();
    let cursor: string | null = null;
    do {
      const filter = { kinds: [memoryKind.name], includeSuperseded: true };
      const page: Awaited<ReturnType<typeof made.store.listRecords>> = await made.store.listRecords('owner', filter, {
        limit: 200,
        cursor,
      });
      for (const { revision: _, dot: __, ...record } of page.items) found.set(record.id, record);
      cursor = page.cursor;
    } while (cursor !== null);
    const relations = (await made.store.listRelations('owner', [...found.keys()])).map(
      ({ from, to, type }) => `${from} ${type} ${to}`,
    );
    return { records: Object.fromEntries([...found].sort()), relations: relations.sort() };
  };
  return { ...made, database: made.store, clock, store, picture };
}
