import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KINDS } from '../../test/all-kinds.ts';
import { makeCaller, NOW, openTestSpace, SPACE, type TestSpace } from '../../test/open-test-space.ts';
import { EXAMPLE_PACKET } from '../features/packets/example-packet.ts';
import { canonicalPacket } from '../features/packets/parse-packet.ts';
import type { RecordFilter } from '../model/filter.ts';
import { TRUST_CODES } from '../model/record.ts';
import { trustedFrom } from './filter-mask.ts';

const DAY = 86_400_000;
const PACKET = { canonical: canonicalPacket(EXAMPLE_PACKET), pushedBy: 'owner' };

async function fill(space: TestSpace): Promise<void> {
  await space.put('thing a', {
    type: 'decision',
    tags: ['x', 'y'],
    project: 'p1',
    agent: 'codex',
    session: 's1',
    conversation: 'c1',
  });
  await space.put('thing b', {
    type: 'bug',
    tags: ['y', 'two words'],
    project: 'p2',
    agent: 'claude',
    trust: 'untrusted',
    createdAt: NOW - 10 * DAY,
  });
  await space.put('thing c', {
    kind: 'packet',
    body: PACKET,
    tags: ['100%', 'z'],
    trust: 'agent',
    createdAt: NOW - 20 * DAY,
  });
  const old = await space.put('thing d', { tags: ['x'] });
  await space.put('thing e', { supersededBy: old, tags: ['x'] });
  await space.put('thing f', { validUntil: NOW - DAY });
  await space.put('thing g', { validFrom: NOW + DAY });
  await space.put('thing h', { validFrom: NOW - DAY, validUntil: NOW + DAY, project: 'p1' });
}

const CASES: [RecordFilter, string][] = [
  [{}, 'abcdh'],
  [{ includeSuperseded: true }, 'abcdefgh'],
  [{ validAt: NOW + 2 * DAY }, 'abcdg'],
  [{ kinds: ['packet'] }, 'c'],
  [{ kinds: ['packet', 'memory'] }, 'abcdh'],
  [{ kinds: ['memory'] }, 'abdh'],
  [{ kinds: [] }, 'abcdh'],
  [{ types: ['decision', 'bug'] }, 'ab'],
  [{ types: ['unknown'] }, ''],
  [{ tags: ['x', 'z'] }, 'acd'],
  [{ tags: ['x', 'y'], tagMatch: 'all' }, 'a'],
  [{ tags: ['x', 'nowhere'], tagMatch: 'all' }, ''],
  [{ tags: ['nowhere'] }, ''],
  [{ tags: ['two words'] }, 'b'],
  [{ tags: ['100%'] }, 'c'],
  [{ tags: ['1__%'] }, ''],
  [{ project: 'p1' }, 'ah'],
  [{ project: 'p1', agent: 'codex', session: 's1', conversation: 'c1' }, 'a'],
  [{ agent: 'claude' }, 'b'],
  [{ session: 'p1' }, ''],
  [{ after: NOW - 10 * DAY }, 'abdh'],
  [{ before: NOW - 10 * DAY }, 'c'],
  [{ after: NOW - 10 * DAY, before: NOW }, 'b'],
  [{ minTrust: 'agent' }, 'acdh'],
  [{ minTrust: 'user' }, 'adh'],
  [{ minTrust: 'untrusted', tags: ['y'], after: NOW - DAY }, 'a'],
];

for (const where of ['memory', 'a segment'] as const) {
  test(`every filter lets through what the store lets through, from ${where}`, async (context) => {
    const space = await openTestSpace(context);
    await fill(space);
    const { search, indexes } = space.open();
    if (where === 'a segment') await indexes.rebuild(SPACE);
    for (const [filter, expected] of CASES) {
      const letters = (texts: readonly { snippet: string }[]) =>
        texts
          .map(({ snippet }) => snippet.at(-1))
          .sort()
          .join('');
      const { hits } = await search(makeCaller(), { query: 'thing', filter, limit: 50 });
      assert.equal(letters(hits), expected, JSON.stringify(filter));
      const listed = await space.store.listRecords(SPACE, { validAt: NOW, ...filter }, { limit: 50 });
      assert.equal(
        letters(listed.items.map((record) => ({ snippet: record.content }))),
        expected,
        `store: ${JSON.stringify(filter)}`,
      );
    }
  });
}

test('segments mean the same after a kind was put first in the table', async (context) => {
  const space = await openTestSpace(context);
  await fill(space);
  const written = space.open();
  await written.indexes.rebuild(SPACE);
  const { search } = space.open({
    kinds: [{ ...KINDS[0]!, name: 'bookmark', plural: 'bookmarks', code: 200 }, ...KINDS],
  });
  for (const filter of [{ kinds: ['memory'] }, { kinds: ['packet'] }, { minTrust: 'agent' as const }, {}]) {
    const query = { query: 'thing', filter, limit: 50 };
    const before = await written.search(makeCaller(), query);
    assert.ok(before.hits.length > 0);
    assert.deepEqual(await search(makeCaller(), query), before);
  }
  assert.deepEqual((await search(makeCaller(), { query: 'thing', filter: { kinds: ['bookmark'] } })).hits, []);
  await assert.rejects(search(makeCaller(), { query: 'thing', filter: { kinds: ['nothing'] } }), /no kind of record/);
});

test('a tier of trust that is put between others takes a code of its own', () => {
  assert.deepEqual(TRUST_CODES, { untrusted: 0, agent: 1, user: 2 });
  const tiers = ['untrusted', 'guest', 'agent', 'user'] as const;
  const codes = { ...TRUST_CODES, guest: 3 };
  assert.deepEqual(trustedFrom('guest', tiers, codes), [3, 1, 2]);
  assert.deepEqual(trustedFrom('agent', tiers, codes), [1, 2]);
});
