import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Embedder } from '../../src/engine/ports.ts';

const TEXTS = [
  'The build fails on Windows.',
  'Der Schlüssel liegt unter der Matte.',
  '認証エラー',
  'a',
  'x'.repeat(50_000),
];

/** The behaviour every embedder must show. */
export function runEmbedderContract(name: string, makeEmbedder: () => Promise<Embedder>): void {
  const embedding = async (work: (embedder: Embedder) => Promise<void>) => {
    const embedder = await makeEmbedder();
    try {
      await work(embedder);
    } finally {
      await embedder.close();
    }
  };

  describe(`${name} as an embedder`, () => {
    test('names its vector space and its dimensions, from the first vectors on at the latest', () =>
      embedding(async (embedder) => {
        assert.notEqual(embedder.id, '');
        const [before, known] = [embedder.id, embedder.dimensions > 0];
        await embedder.embed(['a'], 'query');
        if (known) assert.equal(embedder.id, before);
        assert.ok(Number.isInteger(embedder.dimensions) && embedder.dimensions > 0);
      }));

    test('gives one unit vector for each text, in order', () =>
      embedding(async (embedder) => {
        const vectors = await embedder.embed(TEXTS, 'passage');
        assert.equal(vectors.length, TEXTS.length);
        for (const vector of vectors) {
          assert.equal(vector.length, embedder.dimensions);
          assert.ok(Math.abs(vector.reduce((sum, component) => sum + component ** 2, 0) - 1) < 1e-4);
        }
        const [second] = await embedder.embed([TEXTS[1]!], 'passage');
        assert.ok(dot(second!, vectors[1]!) > 0.999);
      }));

    test('gives the same text the same vector, alone or among others', () =>
      embedding(async (embedder) => {
        const [, among] = await embedder.embed(
          ['another text', TEXTS[0]!, 'a much longer text that stands beside it for a while'],
          'passage',
        );
        const [alone] = await embedder.embed([TEXTS[0]!], 'passage');
        assert.ok(dot(among!, alone!) > 0.9999);
      }));

    test('gives nothing for nothing', () =>
      embedding(async (embedder) => assert.deepEqual(await embedder.embed([], 'query'), [])));

    test('gives a usable vector for an empty text', () =>
      embedding(async (embedder) => {
        const [vector] = await embedder.embed([''], 'query');
        assert.ok(vector!.every(Number.isFinite));
      }));

    test('gives as many vectors as texts when there are very many', () =>
      embedding(async (embedder) => {
        const texts = Array.from({ length: 300 }, (_, i) => `text number ${i}`);
        assert.equal((await embedder.embed(texts, 'passage')).length, 300);
      }));
  });
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, component, i) => sum + component * b[i]!, 0);
}
