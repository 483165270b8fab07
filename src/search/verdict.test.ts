import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { makeCaller, openTestEngine } from '../../test/open-test-engine.ts';
import { createStaticEmbedder } from '../embedders/static-embedder.ts';
import type { SearchQuery, SearchResult } from '../model/search.ts';
import { EVIDENCE, judgeStore, type StoreEvidence } from './verdict.ts';

const MODEL = join(import.meta.dirname, '../../models/ltm-embed-v3.bin');

const TALK = [
  'Mara: I finally adopted a greyhound from the shelter, she is called Biscuit.',
  'Jonas: Congratulations! My sister wants one as well.',
  'Mara: She sleeps all day and runs like the wind.',
  'Jonas: I started a pottery course on Tuesdays.',
  'Mara: Nice, what did you make so far?',
  'Jonas: Two bowls and a very crooked mug.',
  'Mara: My flight to Lisbon leaves on the 4th of May.',
  'Jonas: I am allergic to shellfish, so no seafood for me there.',
];

async function openTalk(
  context: TestContext,
  embedder = createStaticEmbedder(MODEL),
): Promise<(query: string, more?: SearchQuery) => Promise<SearchResult>> {
  const { engine } = await openTestEngine(context, { embedder });
  for (const content of TALK) await engine.storeMemory(makeCaller(), { content, conversation: 'talk', session: '1' });
  return (query, more = {}) => engine.search(makeCaller(), { query, ...more });
}

const ANSWERED = [
  'What is the name of the dog that Mara adopted?',
  'What does Jonas do on Tuesdays?',
  'When does Mara fly to Lisbon?',
  'Is Jonas allergic to shellfish?',
];
const UNANSWERED = [
  'Which chess opening does Mara like best?',
  'Who was elected president of Chile?',
  'How do I renew an expired TLS certificate?',
];

test('a conversation answers what was said in it, and says so of nothing else', async (context) => {
  const ask = await openTalk(context);
  for (const question of ANSWERED) assert.equal((await ask(question)).verdict, 'found', question);
  for (const question of UNANSWERED) assert.equal((await ask(question)).verdict, 'nothing', question);
});

test('no hit is likelier than the store is to hold an answer, where seven of eight questions have one', async (context) => {
  const ask = await openTalk(context);
  for (const question of [...ANSWERED, ...UNANSWERED, 'Lisbon', 'a mug', 'My sister'])
    for (const more of [{}, { limit: 2 }] as const) {
      const { hits, debug } = await ask(question, { ...more, debug: true });
      const shown = hits.map(({ confidence }) => confidence);
      const answers = debug!.evidence!.answers!;
      assert.ok(shown[0]! <= (7 * answers) / (1 + 6 * answers) + 1e-9, question);
      assert.deepEqual(
        shown,
        shown.toSorted((a, b) => b - a),
        question,
      );
    }
});

test('whoever debugs a search is shown what its verdict was judged by', async (context) => {
  const ask = await openTalk(context);
  const { debug } = await ask('When does Mara fly to Lisbon?', { debug: true });
  assert.deepEqual(Object.keys(debug!.evidence!).sort(), [...EVIDENCE, 'answers'].sort());
  assert.deepEqual([debug!.evidence!.named, debug!.evidence!.speaker], [1, 1]);
  assert.equal((await ask('Lisbon', { debug: true, mode: 'text' })).debug!.evidence, undefined);
});

test('with an embedder that knows no single words, the best hit alone decides', async (context) => {
  const { weighWords: _, ...embedder } = createStaticEmbedder(MODEL);
  const ask = await openTalk(context, embedder);
  const answer = await ask('When does Mara fly to Lisbon?', { debug: true });
  assert.deepEqual([answer.verdict, answer.debug!.evidence], ['found', undefined]);
  assert.equal((await ask('Who was elected president of Chile?')).verdict, 'nothing');
});

test('better evidence never turns an answer into none, and more that is lacking never the other way round', () => {
  const values = fc.array(fc.double({ min: -2, max: 6, noNaN: true }), {
    minLength: EVIDENCE.length,
    maxLength: EVIDENCE.length,
  });
  const rising = fc.constantFrom('first', 'held', 'together', 'beyond', 'speaker', 'nearest', 'above');
  const falling = fc.constantFrom('unknown', 'lacked', 'missing');
  fc.assert(
    fc.property(values, rising, falling, fc.double({ min: 0, max: 3, noNaN: true }), (less, better, worse, more) => {
      const evidence = Object.fromEntries(EVIDENCE.map((name, i) => [name, less[i]!])) as StoreEvidence;
      const before = judgeStore(evidence);
      assert.ok(before > 0 && before < 1);
      assert.ok(judgeStore({ ...evidence, [better]: evidence[better] + more }) >= before);
      assert.ok(judgeStore({ ...evidence, [worse]: evidence[worse] + more }) <= before);
    }),
  );
});
