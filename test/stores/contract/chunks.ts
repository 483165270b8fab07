import { deepEqual, equal, rejects } from 'node:assert/strict';
import type { Chunk } from '../../../src/model/chunk.ts';
import { hashOf } from './sample-identities.ts';
import { SPACE, START } from './sample-records.ts';
import type { Promises } from './store-under-test.ts';

function chunk(name: string, overrides: Partial<Chunk> = {}): Chunk {
  return {
    sha256: hashOf(name),
    bytes: 10,
    lines: 2,
    alias: null,
    clean: false,
    packed: Buffer.from(`packed ${name}`),
    ...overrides,
  };
}

const asText = ({ packed, ...facts }: Chunk) => ({ ...facts, packed: Buffer.from(packed).toString() });

export function promiseChunks(promise: Promises): void {
  promise('keeps pieces of transcripts by what they hold, once, and gives them back as they were', async (store) => {
    const [a, b] = [chunk('a'), chunk('b', { alias: hashOf('a'), packed: Buffer.alloc(0) })];
    await store.chunks.put(SPACE, [a, b], START);
    await store.chunks.put(SPACE, [{ ...a, clean: true }], START + 1);
    await store.chunks.put(SPACE, [a], START + 1);
    deepEqual(
      (await store.chunks.read(SPACE, [b.sha256, a.sha256])).map(asText),
      [b, { ...a, clean: true }].map(asText),
    );
    const found = await store.chunks.find(SPACE, [a.sha256, hashOf('c')]);
    deepEqual(found, [{ sha256: a.sha256, bytes: 10, lines: 2, alias: null, clean: true }]);
    await rejects(store.chunks.read(SPACE, [hashOf('c')]), { code: 'storage_damaged' });
    deepEqual(await store.chunks.find('other', [a.sha256]), []);
  });

  promise('takes a piece that comes twice at once, and one that comes again, as the piece it is', async (store) => {
    const a = chunk('a');
    await store.chunks.put(SPACE, [a, { ...a, packed: Buffer.from('not what it was') }, a], START);
    await store.chunks.put(SPACE, [{ ...a, packed: Buffer.from('put right') }], START);
    equal(Buffer.from((await store.chunks.read(SPACE, [a.sha256]))[0]!.packed).toString(), 'put right');
  });

  promise('says when a piece was stored or asked for last, and drops those that are named', async (store) => {
    const [a, b] = [chunk('a'), chunk('b')];
    await store.chunks.put(SPACE, [a, b], START);
    await store.chunks.find(SPACE, [b.sha256], START + 86_400_000);
    deepEqual(await store.chunks.list(SPACE, '', 10), [
      { sha256: a.sha256, storedAt: START },
      { sha256: b.sha256, storedAt: START + 86_400_000 },
    ]);
    deepEqual((await store.chunks.list(SPACE, a.sha256, 10)).length, 1);
    await store.chunks.drop(SPACE, [a.sha256]);
    deepEqual(await store.chunks.find(SPACE, [a.sha256]), []);
    await store.dropSpace(SPACE);
    equal((await store.chunks.list(SPACE, '', 10)).length, 0);
  });
}
