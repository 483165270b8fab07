import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCaller, makeWordEmbedder, openTestSpace, SPACE, type TestSpace } from '../../test/open-test-space.ts';
import type { Embedder } from '../engine/ports.ts';

const axes = makeWordEmbedder([
  ['dog', 'beagle', 'puppy'],
  ['weather', 'rain', 'sunny'],
  ['work', 'office', 'meeting', 'meetings'],
  ['lovely'],
  ['yes', 'tuesday'],
  ['another', 'day'],
]);
/** Around zero, as trained embedders are: codes of signs tell nothing where all components are positive. */
const embedder: Embedder = {
  ...axes,
  async embed(texts, purpose) {
    const vectors = await axes.embed(texts, purpose);
    return vectors.map((vector) => {
      const mean = vector.reduce((sum, component) => sum + component, 0) / vector.length;
      const centred = vector.map((component) => component - mean + 1e-3);
      const length = Math.hypot(...centred);
      return centred.map((component) => component / length);
    });
  },
};

const TURNS = [
  'Maya: we had a meeting at the office',
  'Theo: did the puppy arrive?',
  'Maya: yes, last Tuesday!',
  'Theo: lovely',
  'Maya: rain again here',
  'Theo: work was long',
  'Maya: more meetings tomorrow',
  'Theo: it is sunny now',
];

async function tell(space: TestSpace, turns: readonly string[], over: object = {}): Promise<void> {
  for (const text of turns) {
    space.clock.time += 1000;
    await space.put(text, { conversation: 'c', session: '1', ...over }, { embedder });
  }
}

test('a short turn is found by what was said beside it', async (context) => {
  const space = await openTestSpace(context);
  await tell(space, TURNS);
  const { search } = space.open({ embedder });
  const { hits } = await search(makeCaller(), { query: 'dog' });
  const order = hits.map((hit) => hit.snippet);
  assert.equal(order[0], 'Theo: did the puppy arrive?');
  assert.equal(order[1], 'Maya: yes, last Tuesday!');
});

test('notes that merely lie side by side lend each other nothing', async (context) => {
  const space = await openTestSpace(context);
  await tell(
    space,
    TURNS.map((turn) => turn.replace(/^\w+: /, '')),
  );
  const { search } = space.open({ embedder });
  const scores = (await search(makeCaller(), { query: 'dog' })).hits.map((hit) => hit.score);
  assert.ok(
    scores.slice(1).every((score) => score < scores[0]! / 2),
    scores.join(' '),
  );
});

test('turns lend the same whichever parts of the index they lie in', async (context) => {
  const space = await openTestSpace(context);
  const settings = { flushPassages: 1 };
  const { indexes } = space.open({ embedder, settings });
  await tell(space, TURNS.slice(0, 2));
  await indexes.upkeep(SPACE);
  await tell(space, TURNS.slice(2, 5));
  await indexes.upkeep(SPACE);
  await tell(space, TURNS.slice(5));
  const read = async () =>
    (await space.open({ embedder }).search(makeCaller(), { query: 'dog' })).hits.map(({ snippet, score }) => ({
      snippet,
      score,
    }));
  const spread = await read();
  await indexes.rebuild(SPACE);
  assert.deepEqual(await read(), spread);
  assert.equal(spread[1]!.snippet, 'Maya: yes, last Tuesday!');
});

test('a deleted turn is passed over, and another session lends nothing', async (context) => {
  const space = await openTestSpace(context);
  await tell(space, ['Theo: did the puppy arrive?']);
  const gone = await space.put('Maya: hm', { conversation: 'c', session: '1' }, { embedder });
  await space.remove(gone);
  await tell(space, ['Maya: yes, last Tuesday!']);
  await tell(space, ['Maya: another day'], { session: '2' });
  const { hits } = await space.open({ embedder }).search(makeCaller(), { query: 'dog' });
  const scoreOf = (snippet: string) => hits.find((hit) => hit.snippet === snippet)?.score ?? 0;
  assert.ok(scoreOf('Maya: yes, last Tuesday!') > scoreOf('Maya: another day') + 0.5);
});

test('the turns of the one whom the question names come first', async (context) => {
  const space = await openTestSpace(context);
  await tell(space, [
    'Maya: my beagle is old',
    'Theo: my beagle is young',
    'Maya: rain',
    'Theo: rain',
    'Maya: office',
    'Theo: office',
  ]);
  const { search } = space.open({ embedder });
  const first = async (query: string) => (await search(makeCaller(), { query })).hits[0]!.snippet;
  assert.equal(await first('which dog is Maya’s?'), 'Maya: my beagle is old');
  assert.equal(await first('which dog is Theo’s?'), 'Theo: my beagle is young');
  const wordsOf = async (query: string) => (await search(makeCaller(), { query })).hits.flatMap((hit) => hit.why.words);
  assert.ok(!(await wordsOf('which beagle is Maya’s?')).includes('maya'), 'who is meant is no word to look for');
  assert.ok((await wordsOf('Maya')).includes('maya'), 'unless nothing else is asked');
});

test('who speaks under a longer name is named by a part of it', async (context) => {
  const space = await openTestSpace(context);
  const whole = { Maya: 'Maya Lindt', Theo: 'Theo Brandt' };
  const turns = [
    'Maya: my beagle is old',
    'Theo: my beagle is young',
    'Maya: rain',
    'Theo: rain',
    'Maya: work',
    'Theo: work',
  ];
  await tell(
    space,
    turns.map((turn) => turn.replace(/^\w+/, (name) => whole[name as keyof typeof whole])),
  );
  const { search } = space.open({ embedder });
  const ask = async (query: string) => (await search(makeCaller(), { query })).hits;
  assert.equal((await ask('which dog is Maya’s?'))[0]!.snippet, 'Maya Lindt: my beagle is old');
  assert.equal((await ask('which dog does Brandt have?'))[0]!.snippet, 'Theo Brandt: my beagle is young');
  const words = (await ask('which beagle is Maya’s?')).flatMap((hit) => hit.why.words);
  assert.ok(!words.includes('maya'), 'the part is no word to look for');
});

test('a question for a time prefers what names one', async (context) => {
  const space = await openTestSpace(context);
  for (const text of ['the puppy is small', 'the puppy came last Tuesday', 'the puppy sleeps'])
    await space.put(text, {}, { embedder });
  const { find } = space.open({ embedder });
  assert.equal((await find('When did the dog come?'))[0], 'the puppy came last Tuesday');
});
