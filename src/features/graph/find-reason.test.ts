import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCaller, makeWordEmbedder, openTestEngine } from '../../../test/open-test-engine.ts';

const me = makeCaller();

test('inferred relations have the type that one text gives a reason for, with its words, and count in walks only where it is named outright', async (t) => {
  const { engine, clock } = await openTestEngine(t, { embedder: makeWordEmbedder() });
  const keep = async (content: string, key?: string): Promise<string> => {
    clock.run(1000);
    const stored = await engine.storeMemory(me, { content, ...(key && { key }) });
    assert.equal(stored.outcome, 'stored');
    return stored.memory.id;
  };
  const fails = await keep('The login fails with ECONNRESET under load');
  const cure = await keep('Raising the pool to 40 fixed ECONNRESET in the login under load');
  const ticket = await keep('SHOP-41: split the invoice service');
  const next = await keep('SHOP-55 is the follow-up to SHOP-41: move its tables');
  const port = await keep('The staging server listens on port 8080');
  const other = await keep('The staging server listens on port 9090');
  const note = await keep('How we release on Thursdays', 'release-day');
  const naming = await keep('On holidays we release as [[release-day]] says, on Wednesdays');
  const { pairs } = await engine.inferRelations(me, {});
  const typed = pairs
    .filter(({ type }) => type !== 'related')
    .map(({ from, to, type }) => [type, ...(type === 'contradicts' ? [from, to].toSorted() : [from, to])].join(' '));
  assert.deepEqual(typed.toSorted(), [
    `contradicts ${[port, other].toSorted().join(' ')}`,
    `fixes ${cure} ${fails}`,
    `follows ${next} ${ticket}`,
    `mentions ${naming} ${note}`,
  ]);
  assert.ok(
    !pairs.some(({ type, from, to }) => type === 'related' && [from, to].includes(next)),
    'the type says it all',
  );
  const fixes = pairs.find(({ type }) => type === 'fixes');
  assert.match(fixes!.reason, /“fixed ECONNRESET in the login under load”/);
  const around = async (ref: string) =>
    (await engine.exploreGraph(me, { ref, types: ['fixes', 'follows', 'mentions'] })).relations.map(({ type }) => type);
  assert.deepEqual([await around(fails), await around(ticket), await around(note)], [[], ['follows'], ['mentions']]);
});
