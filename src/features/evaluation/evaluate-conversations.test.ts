import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFolder, makeWordEmbedder, silentLog } from '../../../test/open-test-engine.ts';
import { openStore } from '../../stores/open-store.ts';
import { createEngine } from '../create-engine.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';
import { evaluateConversations } from './evaluate-conversations.ts';
import { openFts5Baseline } from './fts5-baseline.ts';
import { createAskDoor } from './run-evaluation.ts';
import { createSteppingClock } from './store-conversation.ts';

const START = Date.UTC(2026, 0, 1);
const OPTIONS = { k: 10, bootstrap: 100, seed: 1 };
const TALK = {
  name: 'talk',
  items: [
    { id: 'harbour', text: 'The ferry leaves the harbour at noon', session: '1' },
    { id: 'bread', text: 'Marta bakes rye bread on Sundays', session: '1' },
    { id: 'goat', text: 'The goat ate the timetable', session: '2' },
    { id: 'goat2', text: 'The goat ate the timetable', session: '2' },
  ],
  questions: [
    { text: 'when does the ferry leave the harbour', gold: ['harbour'], category: 'a' },
    { text: 'who bakes rye bread', gold: ['bread'], category: 'b' },
    { text: 'who ate the timetable', gold: ['goat', 'goat2'], category: 'b' },
    { text: 'zeppelin maintenance budget', gold: [], category: 'none' },
  ],
};

async function openPorts(context: { after(work: () => Promise<void>): void }, hasEmbedder: boolean) {
  const clock = createSteppingClock(START);
  const store = await openStore(`${makeFolder()}/eval.db`, { clock, log: silentLog });
  const engine = createEngine(
    { store, embedder: hasEmbedder ? makeWordEmbedder() : null, clock, log: silentLog },
    DEFAULT_SETTINGS,
  );
  context.after(() => engine.close());
  let spaces = 0;
  const askDoor = createAskDoor(engine, silentLog);
  const newSpace = (): string => `eval-${++spaces}`;
  return { engine, askDoor, store, clock, hasEmbedder, newSpace, openBaseline: openFts5Baseline };
}

test('a conversation is stored, asked and measured, beside its baselines', async (context) => {
  const ports = await openPorts(context, true);
  const evaluation = await evaluateConversations(ports, [TALK], OPTIONS);
  const { conversations, items, questions, macro, byCategory, verdicts, interval } = evaluation;
  assert.deepEqual([conversations, items, questions], [1, 4, 4]);
  for (const system of ['engine', 'bare', 'text', 'semantic', 'fts5'] as const)
    assert.equal(macro[system]?.recall[10]?.all, 1, system);
  assert.deepEqual(
    byCategory.map(({ category, questions }) => [category, questions]),
    [
      ['a', 1],
      ['b', 2],
    ],
  );
  assert.deepEqual([verdicts.negatives, verdicts.positives], [1, 3]);
  assert.equal(verdicts.falsePositiveRate, 0);
  assert.deepEqual([interval?.low, interval?.high], [1, 1]);
});

test('the same text in two items is two memories, in order, a minute or more apart, and sessions are days apart', async (context) => {
  const { store, ...ports } = await openPorts(context, false);
  await evaluateConversations(ports, [TALK], OPTIONS);
  const { items } = await store.listRecords('eval-1', {}, { limit: 10 });
  const told = items.toReversed();
  assert.deepEqual(
    told.map((record) => record.content),
    TALK.items.map((item) => item.text),
  );
  assert.deepEqual(
    told.map((record) => [record.session, record.conversation]),
    TALK.items.map((item) => [item.session, 'talk']),
  );
  const gaps = told.slice(1).map((record, i) => (record.createdAt - told[i]!.createdAt) / 60_000);
  assert.ok(gaps[0]! >= 1 && gaps[0]! < 60 && gaps[1]! >= 1440 && gaps[2]! >= 1, gaps.join());
});

test('conversations do not see one another', async (context) => {
  const ports = await openPorts(context, false);
  const other = {
    name: 'other',
    items: [{ id: 'x', text: 'Nothing of the kind', session: '1' }],
    questions: TALK.questions.slice(0, 1),
  };
  const { macro } = await evaluateConversations(ports, [TALK, other], OPTIONS);
  assert.equal(macro.engine?.recall[10]?.any, (0.5 + 1) / 2);
  assert.equal(macro.semantic, null);
});

test('what counts is what the door shows, not what the ranking has', async (context) => {
  const ports = await openPorts(context, true);
  const askDoor: typeof ports.askDoor = async (...asked) => {
    const { ids } = await ports.askDoor(...asked);
    return { ids: ids.slice(0, 1), verdict: 'nothing' };
  };
  const all = [{ text: 'who ate the timetable', gold: ['goat', 'goat2'], category: 'b' }];
  const hiding = await evaluateConversations({ ...ports, askDoor }, [{ ...TALK, questions: all }], OPTIONS);
  assert.deepEqual([hiding.macro.bare?.recall[10]?.fraction, hiding.macro.engine?.recall[10]?.fraction], [1, 0.5]);
  assert.equal(hiding.verdicts.falseNegativeRate, 1);
});

test('it stops when it is told to', async (context) => {
  const ports = await openPorts(context, false);
  const controller = new AbortController();
  const asked = evaluateConversations(ports, [TALK], {
    ...OPTIONS,
    signal: controller.signal,
    onProgress: () => controller.abort(),
  });
  await assert.rejects(asked, { name: 'AbortError' });
});
