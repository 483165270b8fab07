import { deepEqual, equal, rejects } from 'node:assert/strict';
import type { SealedUpload } from '../../../src/model/sealed.ts';
import { put, SPACE, START } from './sample-records.ts';
import type { Promises } from './store-under-test.ts';

const KEY = 'k1';
const TAKING = { upTo: 0, keyId: KEY, link: 'one', userId: 'ann', at: START };

function upload(name: string, over: Partial<SealedUpload & { keeps: string[] }> = {}) {
  const body = Buffer.from(`sealed ${name}`);
  return {
    slot: 's',
    upload: name,
    generation: 1,
    buried: 0,
    keyId: KEY,
    member: 'm',
    tag: `t${name}`,
    keeps: [],
    body,
    ...over,
  };
}

export function promiseSealed(promise: Promises): void {
  promise('keeps lists of keys in their order, and takes no records where there is one', async (store) => {
    const { sealed } = store;
    equal((await store.readReplica(SPACE)).sealed, 0);
    equal(await sealed.putKeyring(SPACE, { revision: 1, keyId: KEY, text: 'first' }, START), 'kept');
    equal(await sealed.putKeyring(SPACE, { revision: 1, keyId: 'k2', text: 'other' }, START), 'outrun');
    equal(await sealed.putKeyring(SPACE, { revision: 2, keyId: 'k2', text: 'second' }, START), 'kept');
    deepEqual(await sealed.readKeyrings(SPACE, 0), [
      { revision: 1, keyId: KEY, text: 'first' },
      { revision: 2, keyId: 'k2', text: 'second' },
    ]);
    equal((await sealed.readKeyrings(SPACE, 1)).length, 1);
    equal((await store.readReplica(SPACE)).sealed > 0, true);
    const refused = { code: 'space_sealed' };
    await Promise.all([
      rejects(store.commit(SPACE, [put()], 'me'), refused),
      rejects(store.commit(SPACE, [put()], 'me'), refused),
      store.commit(SPACE, [{ op: 'link', name: 'far', state: {} }], 'me'),
    ]);
    equal((await store.listLinks(SPACE)).length, 1);
    await store.commit('other', [put()], 'me');
    equal(await sealed.putKeyring('other', { revision: 1, keyId: KEY, text: 'late' }, START), 'occupied');
  });

  promise(
    'keeps what is sealed until it is taken in or purged, by numbers that are never given twice',
    async (store) => {
      const { sealed } = store;
      equal(await sealed.put(SPACE, [upload('a')], TAKING), 'other_key');
      await sealed.putKeyring(SPACE, { revision: 1, keyId: KEY, text: 'first' }, START);
      equal(await sealed.put(SPACE, [upload('a')], { ...TAKING, keyId: 'k2' }), 'other_key');
      const names = async () => (await sealed.findSlots(SPACE, ['s'])).map((one) => one.upload);
      await sealed.put(SPACE, [upload('a'), upload('x', { slot: 'r' })], TAKING);
      await sealed.put(SPACE, [upload('a')], TAKING);
      await sealed.put(SPACE, [upload('b')], { ...TAKING, link: 'two' });
      deepEqual(await names(), ['a', 'b']);
      const page = await sealed.list(SPACE, { after: 0, without: 'two', limit: 10, bytes: 1000 });
      deepEqual(
        [page.uploads.map((one) => [one.upload, one.seq]), page.last, page.isLast],
        [
          [
            ['a', 1],
            ['x', 2],
          ],
          3,
          true,
        ],
      );
      deepEqual(Buffer.from(page.uploads[0]!.body).toString(), 'sealed a');
      const small = await sealed.list(SPACE, { after: 0, without: null, limit: 10, bytes: 10 });
      deepEqual([small.uploads.length, small.last, small.isLast], [1, 1, false]);
      await sealed.put(SPACE, [upload('c', { keeps: ['a'] })], { ...TAKING, upTo: 3 });
      deepEqual(await names(), ['a', 'c']);
      await sealed.put(SPACE, [upload('d', { generation: 2 })], TAKING);
      await sealed.put(SPACE, [upload('e', { generation: 0, buried: 1 })], TAKING);
      deepEqual(await names(), ['d', 'e']);
      await sealed.put(SPACE, [upload('f', { generation: 0, buried: 2 })], { ...TAKING, upTo: 9 });
      deepEqual(await names(), ['f']);
      deepEqual(
        (await sealed.list(SPACE, { after: 6, without: null, limit: 10, bytes: 1000 })).uploads.map((one) => one.seq),
        [7],
      );
      deepEqual(await sealed.count(SPACE), { uploads: 2, slots: 2, bytes: 16, keys: { k1: 2 } });
      deepEqual(
        (await sealed.listSlots(SPACE, { after: '', limit: 1 })).map((one) => one.slot),
        ['r'],
      );
      deepEqual(
        (await sealed.listSlots(SPACE, { after: 'r', limit: 9 })).map((one) => [one.tag, one.userId]),
        [['tf', 'ann']],
      );
      deepEqual(
        (await sealed.read(SPACE, ['x', 'a'])).map((one) => one.upload),
        ['x'],
      );
      deepEqual(await sealed.read('other', ['x']), []);
      deepEqual((await store.verify()).database, []);
      await store.dropSpace(SPACE);
      deepEqual([(await sealed.count(SPACE)).uploads, (await store.readReplica(SPACE)).sealed], [0, 0]);
    },
  );
}
