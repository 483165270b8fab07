import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openTestSpace, SPACE } from '../../test/open-test-space.ts';
import { findSimilar } from './find-similar.ts';
import { lexicalSimilarity } from './text/lexical-similarity.ts';

const WORDS = [
  'the',
  'is',
  'of',
  'with',
  'server',
  'night',
  'build',
  'restart',
  'cache',
  'harbour',
  'deploy',
  'src/auth.ts',
  'never',
  '42',
  'queue',
  'index',
];
const THRESHOLD = 0.85;

test('names every record that is similar enough by its words, and no other', async (context) => {
  const sentence = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 14 });
  const edit = fc.record({ at: fc.nat(13), word: fc.constantFrom(...WORDS), swap: fc.boolean() });
  const family = fc.tuple(sentence, fc.array(edit, { maxLength: 4 })).map(([words, edits]) => {
    const texts = [words.join(' ')];
    for (const { at, word, swap } of edits)
      texts.push(words.with(at % words.length, swap ? words[0]! : word).join(at % 3 === 0 ? ' \n\n ' : ' '));
    return texts;
  });
  const space = await openTestSpace(context);
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(family, { minLength: 2, maxLength: 6 }), fc.boolean(), async (families, flushed) => {
      const name = `space ${run++}`;
      const texts = families.flat();
      for (const text of texts) await space.put(text, {}, { space: name });
      const { ports, indexes } = space.open();
      if (flushed) await indexes.rebuild(name);
      const text = texts[0]!;
      const request = { space: name, text, minSimilarity: THRESHOLD, limit: 1000 };
      const [found = []] = await findSimilar(ports, indexes, [request]);
      const expected = texts
        .map((other) => lexicalSimilarity(text, other))
        .filter((similarity) => similarity >= THRESHOLD);
      assert.deepEqual(
        found.map(({ similarity }) => similarity),
        expected.sort((a, b) => b - a).slice(0, found.length),
      );
      assert.equal(found.length, Math.min(expected.length, 20));
    }),
    { numRuns: 40 },
  );
});

test('leaves out the record that is asked for', async (context) => {
  const space = await openTestSpace(context);
  const id = await space.put('The build server restarts every night at three');
  const twin = await space.put('the build server restarts every night, at three');
  const { ports, indexes } = space.open();
  const text = 'The build server restarts every night at three';
  const request = { space: SPACE, text, minSimilarity: THRESHOLD, except: id };
  const [found] = await findSimilar(ports, indexes, [request]);
  assert.deepEqual(
    found!.map((record) => record.id),
    [twin],
  );
});

test('does not compare documents word by word, and answers for the texts beside them', async (context) => {
  const space = await openTestSpace(context);
  const document = 'The build server restarts every night at three. '.repeat(1100);
  await space.put(document);
  const id = await space.put('the build server restarts every night, at three');
  const { ports, indexes } = space.open();
  const requests = [document, 'The build server restarts every night at three'].map((text) => ({
    space: SPACE,
    text,
    minSimilarity: THRESHOLD,
  }));
  const found = await findSimilar(ports, indexes, requests);
  assert.deepEqual(
    found.map((records) => records.map((record) => record.id)),
    [[], [id]],
  );
});
