import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { put, SPACE, START } from '../../../test/stores/contract/sample-records.ts';
import { createEngine } from '../../features/create-engine.ts';
import { DEFAULT_SETTINGS } from '../../features/default-settings.ts';
import { ownerOf } from '../../model/caller.ts';
import type { ListFilter } from '../../model/filter.ts';
import { newRecordId } from '../../model/ids.ts';
import type { Page } from '../../model/page.ts';
import type { StoredRecord } from '../../model/record.ts';
import { openStore } from '../../stores/open-store.ts';
import type { Engine } from '../engine.ts';
import type { Store } from '../ports.ts';

const HOUR = 3_600_000;
const clock = { now: () => START };
const log = { info() {}, warn() {}, error() {} };
const spaces = [SPACE, 'team'];
const CALLER = {
  userId: 'owner',
  space: SPACE,
  spaces: [SPACE],
  roles: ownerOf(spaces),
  door: 'job' as const,
  scopes: new Set(['read', 'write', 'admin'] as const),
};

const FILTERS: readonly ListFilter[] = [
  { tags: ['a'] },
  { tags: ['a', 'b'], tagMatch: 'all' },
  { tags: ['a', 'b'], includeSuperseded: true },
  { tags: ['nowhere'] },
  { types: ['decision'] },
  { agent: 'x', project: 'p' },
  { project: 'p', after: START - 20 * HOUR },
  { minTrust: 'user' },
  { kinds: ['memory'], tags: ['b'], before: START - 5 * HOUR },
  { tags: ['a'], deleted: 'include' },
];

/** Two spaces whose order of ids is not that of times. */
async function fill(): Promise<Store> {
  const store = await openStore(':memory:', { clock, log });
  for (const space of spaces) {
    const changes = Array.from({ length: 300 }, (_, n) => {
      // Several of one moment, and not in the order of their ids.
      const createdAt = START - HOUR * ((n * 7) % 50);
      return put(
        {
          content: `${space} ${n}`,
          createdAt,
          tags: ['a', 'b', 'c'].filter((_tag, i) => n % (i + 2) === 0),

          type: n % 5 === 0 ? 'decision' : 'note',
          project: n % 3 === 0 ? 'p' : null,
          agent: n % 4 === 0 ? 'x' : null,
          trust: n % 6 === 0 ? 'agent' : 'user',
          validUntil: n % 7 === 0 ? START - 1 : null,
        },
        { id: newRecordId(START + n) },
      );
    });
    await store.commit(space, changes, 'test');
    await store.commit(space, [{ op: 'delete', id: changes[4]!.id, at: START }], 'test');
  }
  return store;
}

async function walk(engine: Engine, filter: ListFilter, own: readonly string[]): Promise<unknown[]> {
  const pages: unknown[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<StoredRecord> = await engine.listRecords(
      { ...CALLER, spaces: own },
      { filter, page: { limit: 13, cursor } },
    );
    pages.push({ ids: page.items.map(({ id }) => id), total: page.total });
    cursor = page.cursor;
  } while (cursor !== null);
  return pages;
}

test('lists the same pages from the index as from the database', async () => {
  const store = await fill();
  const asked: ListFilter[] = [];
  const watched: Store = {
    ...store,
    listRecords(space, filter, ...rest) {
      asked.push(filter);
      return store.listRecords(space, filter, ...rest);
    },
  };
  const ports = { store: watched, clock, log, embedder: null };
  // One that guards itself is believed, and no index is loaded to compare it with.
  const cold = createEngine({ ...ports, store: { ...watched, guardsItsPages: true } }, DEFAULT_SETTINGS);
  const warm = createEngine(ports, DEFAULT_SETTINGS);
  await warm.search({ ...CALLER, spaces }, { query: 'owner' });
  for (const own of [[SPACE], spaces]) {
    for (const filter of FILTERS) {
      const expected = await walk(cold, filter, own);
      equal(
        asked.some(({ ids }) => ids !== undefined),
        false,
      );
      asked.length = 0;
      deepEqual(await walk(warm, filter, own), expected);
      const isListed = filter.deleted === undefined && filter.tags?.[0] !== 'nowhere';
      if (isListed) ok(asked.every(({ ids }) => ids !== undefined));
      asked.length = 0;
    }
  }
  const page = { limit: 5, offset: 20 };
  const filter = { tags: ['a'] };
  deepEqual(
    (await warm.listRecords(CALLER, { filter, page })).items,
    (await cold.listRecords(CALLER, { filter, page })).items,
  );
  await cold.close();
});
