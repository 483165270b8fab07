import { deepEqual, equal } from 'node:assert/strict';
import type { Change } from '../../../src/model/change.ts';
import type { ListFilter } from '../../../src/model/filter.ts';
import { newRecordId, type RecordId } from '../../../src/model/ids.ts';
import type { StoredRecord } from '../../../src/model/record.ts';
import { ACTOR, change, store as keep, put, SPACE, START, vector } from './sample-records.ts';
import { type FullStore, headOf, type Promises } from './store-under-test.ts';

const DAY = 86_400_000;
const FILTERS: readonly ListFilter[] = [
  {},
  { kinds: ['memory'] },
  { kinds: ['memory', 'note'], includeSuperseded: true },
  { tags: ['a'] },
  { tags: ['a'], kinds: ['note'] },
  { tags: ['a', 'b'], tagMatch: 'any' },
  { tags: ['a', 'b'], tagMatch: 'all', includeSuperseded: true },
  { tags: ['a', 'a'] },
  { types: ['note', 'decision'] },
  { types: ['decision'], tags: ['b'] },
  { project: 'p' },
  { project: 'p', includeSuperseded: true },
  { agent: 'x' },
  { agent: 'nobody' },
  { after: START - 5 * DAY },
  { after: START - 5 * DAY + 1, before: START - 2 * DAY - 1 },
  { after: START - 3 * DAY, before: START - 3 * DAY + 5, includeSuperseded: true },
  { before: START - DAY / 2, kinds: ['memory'] },
  { deleted: 'only', includeSuperseded: true },
  { deleted: 'include' },
];

/** All that is answered from counts. */
async function answers(store: FullStore): Promise<unknown> {
  const { bytes: _, segments: __, ...facts } = await store.inspect(SPACE);
  const labels = [];
  for (const label of ['tag', 'type', 'project', 'agent', 'kind'] as const)
    labels.push(await store.countLabels(SPACE, label));
  const totals = [];
  for (const filter of FILTERS)
    totals.push((await store.listRecords(SPACE, { validAt: START, ...filter }, { limit: 1 })).total);
  const lacking = [];
  for (const embedder of ['toy@2', 'other@1'])
    lacking.push((await store.listUnembedded(SPACE, embedder, 1_000)).length);
  return { facts, labels, totals, lacking };
}

async function countAll(store: FullStore): Promise<void> {
  while (!(await store.catchUp(SPACE)));
}

/** The same numbers whether they were kept, are looked for one by one, or were counted again. */
async function compare(store: FullStore): Promise<void> {
  const kept = await answers(store);
  deepEqual((await store.verify()).database, []);
  await store.recount(SPACE);
  deepEqual(await answers(store), kept);
  await countAll(store);
  deepEqual(await answers(store), kept);
}

let seed = 1;
function draw(below: number): number {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return (seed >>> 8) % below;
}

function someContent(n: number): Partial<StoredRecord> {
  const tags = ['a', 'b', 'c'].filter(() => draw(2) === 0);
  return {
    content: `text ${n}`,
    tags,
    kind: draw(4) === 0 ? 'note' : 'memory',
    createdAt: START - draw(8 * DAY),

    type: draw(3) === 0 ? 'decision' : 'note',
    project: draw(2) === 0 ? 'p' : null,
    agent: draw(3) === 0 ? 'x' : null,

    validFrom: draw(5) === 0 ? START + draw(3) - 1 : null,
    validUntil: draw(5) === 0 ? START + draw(3) - 1 : null,
  };
}

function newRecord(n: number): Change {
  const passages = [0, 1].slice(draw(2)).map((_, ordinal) => ({ ordinal, text: `text ${n} ${ordinal}` }));
  const vectors = passages.filter(() => draw(2) === 0).map(({ ordinal }) => vector(ordinal));
  return put(someContent(n), { id: newRecordId(START + n), passages, vectors });
}

async function changeSome(store: FullStore, ids: readonly RecordId[]): Promise<void> {
  for (const record of await store.getRecords(SPACE, ids)) {
    const { id } = record;
    const others = [{ ...vector(0), embedder: 'other@1' }];
    const changes: Change[] =
      record.deletedAt !== null
        ? [draw(2) === 0 ? { op: 'restore', id, at: START } : { op: 'purge', id }]
        : [
            [change(record, someContent(draw(1_000)))],
            [change(record, { supersededBy: ids[0]! })],
            [change(record, {}, { passages: [{ ordinal: 0, text: 'anew' }], vectors: others })],
            [{ op: 'delete', id, at: START } as const],
            [{ op: 'embed', id, revision: record.revision, vectors: [vector(0), ...others] } as const],
            [{ op: 'purge', id } as const],
          ][draw(6)]!;
    await store.commit(SPACE, changes, ACTOR);
  }
}

export function promiseCounts(promise: Promises): void {
  promise('keeps the same counts in its commits as it finds by looking at every record', async (store) => {
    const changes = Array.from({ length: 40 }, (_, n) => newRecord(n));
    headOf(await store.commit(SPACE, changes, ACTOR));
    await compare(store);
    const ids = await store.listIds(SPACE, { after: null, limit: 100, of: 'all' });
    for (let round = 0; round < 3; round++) await changeSome(store, ids);
    await compare(store);
    await store.dropVectors(SPACE, 'other@1');
    await compare(store);
    const left = await store.listIds(SPACE, { after: null, limit: 100, of: 'all' });
    headOf(
      await store.commit(
        SPACE,
        left.map((id) => ({ op: 'purge', id })),
        ACTOR,
      ),
    );
    await compare(store);
    deepEqual(await store.countLabels(SPACE, 'tag'), []);
  });

  promise('counts right what is written while it is still counting', async (store) => {
    const changes = Array.from({ length: 350 }, (_, n) => newRecord(n));
    headOf(await store.commit(SPACE, changes, ACTOR));
    await store.recount(SPACE);
    equal(await store.catchUp(SPACE), false);
    const ids = await store.listIds(SPACE, { after: null, limit: 1_000, of: 'all' });
    await changeSome(store, [...ids.slice(0, 15), ...ids.slice(-15)]);
    await keep(store, { content: 'last of all', tags: ['a', 'z'] }, { id: newRecordId(START + DAY) });
    await keep(store, { content: 'first of all', tags: ['a', 'z'] }, { id: newRecordId(START - DAY) });
    await countAll(store);
    await compare(store);
  });

  promise('says no total where nobody asks for one', async (store) => {
    await keep(store);
    const page = await store.listRecords(SPACE, {}, { limit: 5, total: false });
    deepEqual([page.items.length, page.total], [1, 0]);
  });
}
