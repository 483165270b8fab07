import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestSpace, SPACE } from '../../../test/open-test-space.ts';
import { sampleContent } from '../../../test/stores/contract/sample-records.ts';
import { noteCommits } from '../../engine/searches/note-commits.ts';
import type { Change } from '../../model/change.ts';
import { newRecordId } from '../../model/ids.ts';
import { createRecentWrites } from './recent-writes.ts';

function make(text: string): Change & { op: 'put' } {
  const content = sampleContent({ content: text, tags: ['one', 'two'], project: 'apollo', conversation: 'c' });
  const vectors = [{ embedder: 'e', ordinal: 0, scale: 0.5, bytes: new Int8Array([1, -2, 3, 4]) }];
  const passages = [{ ordinal: 0, text }];
  return { op: 'put', id: newRecordId(1), content, passages, vectors, expect: 'new', unlessDuplicate: false };
}

test('what was committed here is told as the store would give it back', async (context) => {
  const { store } = await openTestSpace(context);
  const recent = createRecentWrites();
  const watched = noteCommits(store, recent);
  const changes = [make('first'), make('second')];
  for (const change of changes) await watched.commit(SPACE, [change], 'somebody');
  const taken = recent.take(SPACE, 0, 2)!;
  const read = await store.readIndexEntries(
    SPACE,
    changes.map(({ id }) => id),
  );
  const plain = (entries: typeof read) =>
    entries.map(({ record, ...rest }) => ({ ...rest, record: { ...record, dot: '' } }));
  assert.deepEqual(plain(taken), plain(read));
  assert.equal(recent.take(SPACE, 0, 2), null);
});

test('nothing is told of a stretch of the feed that was not written here, or holds more than new records', async (context) => {
  const { store } = await openTestSpace(context);
  const recent = createRecentWrites();
  const watched = noteCommits(store, recent);
  await watched.commit(SPACE, [make('ours')], 'somebody');
  await store.commit(SPACE, [make('of another process')], 'somebody');
  await watched.commit(SPACE, [make('ours again')], 'somebody');
  assert.equal(recent.take(SPACE, 0, 3), null);
  assert.deepEqual(
    recent.take(SPACE, 2, 3)?.map(({ record }) => record?.content),
    ['ours again'],
  );
  const kept = make('kept');
  await watched.commit(SPACE, [kept], 'somebody');
  await watched.commit(SPACE, [{ op: 'delete', id: kept.id, at: 1 }], 'somebody');
  assert.equal(recent.take(SPACE, 3, 5), null);
  assert.equal(recent.take(SPACE, 3, 4), null);
});

test('what nobody takes is not kept for ever', async (context) => {
  const { store } = await openTestSpace(context);
  const recent = createRecentWrites();
  const watched = noteCommits(store, recent);
  const many = Array.from({ length: 300 }, (_, i) => make(`text ${i}`));
  await watched.commit(SPACE, many, 'somebody');
  assert.equal(recent.take(SPACE, 0, 300), null);
  await watched.commit(SPACE, [make('x'.repeat(2_000_000))], 'somebody');
  assert.equal(recent.take(SPACE, 300, 301), null);
  await watched.commit(SPACE, [make('short')], 'somebody');
  assert.equal(recent.take(SPACE, 301, 302)?.length, 1);
});
