import { deepEqual, equal, ok } from 'node:assert/strict';
import { test } from 'node:test';
import { viewUnpacked } from './decode-section.ts';
import { encodeSection } from './encode-section.ts';
import { packBytes, unpackBytes } from './pack-bytes.ts';

/** Places of words in a text: each a few letters after the one before. */
const PLACES = new Uint32Array(5000);
for (let i = 1; i < PLACES.length; i++) PLACES[i] = PLACES[i - 1]! + 2 + ((i * 7919) % 11);

test('numbers that grow are kept as what each is more than the one before, in a third of the room', async () => {
  const { encoding, pieces, stored } = await encodeSection('runStart', PLACES);
  equal(encoding, 'steps');
  ok(stored < (await packBytes(new Uint8Array(PLACES.buffer))).length / 3);
  const place = { encoding, offset: 0, stored, length: PLACES.byteLength };
  deepEqual(viewUnpacked('runStart', place, await unpackBytes(pieces[0]!, PLACES.byteLength)), PLACES);
});

test('numbers that fall anywhere are packed as they are', async () => {
  const falling = PLACES.toReversed();
  const { encoding, pieces, stored } = await encodeSection('tags', falling);
  equal(encoding, 'packed');
  const place = { encoding, offset: 0, stored, length: falling.byteLength };
  deepEqual(viewUnpacked('tags', place, await unpackBytes(pieces[0]!, falling.byteLength)), falling);
});
