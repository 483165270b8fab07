import { deepEqual, equal } from 'node:assert/strict';
import type { Segment } from '../../../src/model/segment.ts';
import { SPACE } from './sample-records.ts';
import type { Promises } from './store-under-test.ts';

function segment(id: string, from: number, to: number, size = 100): Segment {
  const bytes = new Uint8Array(size);
  for (let i = 0; i < size; i++) bytes[i] = (i * 31 + (i >> 20) + id.charCodeAt(0)) & 255;
  return { id, from, to, passages: to - from, embedder: from === 0 ? null : 'toy@2', bytes };
}

export function promiseSegments(promise: Promises): void {
  promise('keeps segments and gives them back byte for byte, in the order of their ranges', async (store) => {
    const [a, b] = [segment('a', 0, 10, 5_000_001), segment('b', 10, 20, 0)];
    equal(await store.replaceSegments(SPACE, [], [b, a]), true);
    deepEqual(await store.listSegments(SPACE), ['a', 'b']);
    const read = await store.readSegments(SPACE, ['b', 'a', 'unknown']);
    deepEqual(
      read.map(({ bytes, ...rest }) => rest),
      [a, b].map(({ bytes, ...rest }) => rest),
    );
    equal(Buffer.compare(read[0]!.bytes, a.bytes), 0);
    equal(read[1]!.bytes.byteLength, 0);
    deepEqual(await store.listSegments('other'), []);
  });

  promise('swaps segments in one step and forgets the old ones', async (store, under) => {
    const other = await under.reopen();
    equal(await store.replaceSegments(SPACE, [], [segment('a', 0, 10), segment('b', 10, 20)]), true);
    equal(await store.replaceSegments(SPACE, ['a', 'b'], [segment('c', 0, 20)]), true);
    deepEqual(await other.listSegments(SPACE), ['c']);
    deepEqual(await other.readSegments(SPACE, ['a', 'b']), []);
  });

  promise('adds a segment to those that are there', async (store) => {
    const a = segment('a', 0, 10);
    equal(await store.replaceSegments(SPACE, [], [a]), true);
    equal(await store.replaceSegments(SPACE, [], [segment('b', 10, 20)]), true);
    deepEqual(await store.listSegments(SPACE), ['a', 'b']);
    equal(await store.replaceSegments(SPACE, ['a', 'b'], [a, segment('c', 10, 30)]), true);
    deepEqual(await store.listSegments(SPACE), ['a', 'c']);
  });

  promise('refuses a swap when another process was faster, and changes nothing', async (store, under) => {
    const other = await under.reopen();
    await store.replaceSegments(SPACE, [], [segment('a', 0, 10)]);
    equal(await other.replaceSegments(SPACE, ['a'], [segment('b', 0, 10)]), true);
    equal(await store.replaceSegments(SPACE, ['a'], [segment('c', 0, 10)]), false);
    equal(await store.replaceSegments(SPACE, ['a'], [segment('d', 10, 20)]), false);
    deepEqual(await store.listSegments(SPACE), ['b']);
    equal((await store.inspect(SPACE)).segments, 1);
  });

  promise('lets only one of two processes add a segment for the same changes', async (store, under) => {
    const other = await under.reopen();
    const both = await Promise.all([
      store.replaceSegments(SPACE, [], [segment('a', 0, 10)]),
      other.replaceSegments(SPACE, [], [segment('b', 0, 12)]),
    ]);
    deepEqual(both.toSorted(), [false, true]);
    equal((await store.listSegments(SPACE)).length, 1);
  });

  promise('refuses segments that would leave a gap in what they cover', async (store) => {
    equal(await store.replaceSegments(SPACE, [], [segment('a', 5, 10)]), false);
    await store.replaceSegments(SPACE, [], [segment('b', 0, 5), segment('c', 5, 9)]);
    equal(await store.replaceSegments(SPACE, ['b'], []), false);
    equal(await store.replaceSegments(SPACE, ['c'], []), true);
    equal(await store.replaceSegments(SPACE, ['b'], []), true);
    deepEqual(await store.listSegments(SPACE), []);
  });
}
