import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, engineError, makeCaller, makeClock, openTestEngine } from '../../../test/open-test-engine.ts';
import type { Usage } from '../../model/usage.ts';
import type { Summarizer } from '../summaries/summarizer-port.ts';
import type { QualityEvent, QualityReport } from './quality.ts';

const caller = makeCaller('cli');
const close = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-9, `${a} is not ${b}`);

/** Written from the formula that the answer shows, and from nothing else. */
function recompute({ facts: { from, events } }: Pick<QualityReport, 'facts'>): number {
  const usage = ({ reads, lastReadAt }: Usage, at: number) =>
    0.4 * Math.min(1, Math.log(reads + 1) / Math.log(100)) +
    0.3 * (lastReadAt === null ? 0.1 : Math.E ** ((-0.1 * (at - lastReadAt)) / DAY)) +
    0.15;
  let quality = from;
  for (const event of events as QualityEvent[]) {
    if (event.how === 'stated') quality = event.value;
    else if (event.how === 'rated') quality = (0.6 * (event.rating + 1)) / 2 + 0.4 * quality;
    else if (event.how === 'used') quality = Math.min(1, quality + 0.3 * (usage(event, event.at) - 0.18));
    else quality = 0.7 * event.value + 0.3 * usage(event, event.at);
  }
  return quality;
}

function recomputeRelevance({ relevance: r }: QualityReport): number {
  const product =
    r.base *
    Math.E ** (-r.ageDays / r.retentionDays) *
    (1 + 0.1 * r.connections) *
    r.accessBoost *
    (1 + 0.5 * r.quality);
  return r.isProtected ? Math.max(0.5, product) : product;
}

test('a good rating takes an unjudged memory from 0.5 to 0.8, and the history says who rated it and when', async (t) => {
  const { engine, clock } = await openTestEngine(t);
  const stored = await engine.storeMemory(caller, { content: 'Deploys happen on Tuesdays.' });
  assert.ok(stored.outcome === 'stored');
  const { id, updatedAt } = stored.memory;
  clock.run(DAY);
  const agent = makeCaller('mcp', { agent: 'claude' });
  const rated = await engine.rateMemory(agent, { ref: id, rating: 1, feedback: 'right' });
  close(rated.previous, 0.5);
  close(rated.quality, 0.8);
  assert.equal(rated.memory.updatedAt, updatedAt);
  close((await engine.rateMemory(caller, { ref: id, rating: -1 })).quality, 0.32);
  const report = await engine.explainQuality(caller, id);
  assert.deepEqual(
    report.facts.events.map((event) =>
      event.how === 'rated' ? [event.rating, event.by, event.feedback, event.at] : [],
    ),
    [
      [1, 'claude', 'right', clock.time],
      [-1, 'owner', undefined, clock.time],
    ],
  );
  close(report.quality, recompute(report));
});

test('the number shown follows from the facts shown, after ratings, a stated number, reads and thirty more ratings', async (t) => {
  const clock = makeClock();
  const { engine } = await openTestEngine(t, { clock });
  const stored = await engine.storeMemory(caller, {
    content: 'The build needs Node 24.',
    quality: 0.6,
    type: 'decision',
    tags: ['urgent'],
  });
  assert.ok(stored.outcome === 'stored');
  const ref = stored.memory.id;
  await engine.rateMemory(caller, { ref, rating: 1 });
  await engine.updateMemory(caller, { ref, quality: 0.9 });
  await engine.getMemories(caller, { refs: [ref] });
  clock.run(3 * DAY);
  const evaluated = await engine.evaluateQuality(caller, ref);
  assert.deepEqual([evaluated.by, evaluated.usage.reads, evaluated.score], ['usage', 1, null]);
  const again = await engine.evaluateQuality(caller, ref);
  close(again.quality, evaluated.quality);
  let report = await engine.explainQuality(caller, ref);
  assert.deepEqual(
    report.facts.events.map(({ how }) => how),
    ['rated', 'stated', 'used'],
  );
  close(report.quality, recompute(report));
  close(report.relevance.value, recomputeRelevance(report));
  assert.deepEqual(
    [report.relevance.base, report.relevance.retentionDays, report.relevance.accessBoost],
    [1.4, 365, 1.2],
  );
  for (let i = 0; i < 30; i++) await engine.rateMemory(caller, { ref, rating: i % 3 === 0 ? -1 : 1 });
  report = await engine.explainQuality(caller, ref);
  assert.equal(report.facts.events.length, 20);
  close(report.quality, recompute(report));
});

test('asking for the quality of a memory is no read of it', async (t) => {
  const { engine } = await openTestEngine(t);
  const stored = await engine.storeMemory(caller, { content: 'Read by nobody.' });
  assert.ok(stored.outcome === 'stored');
  await engine.explainQuality(caller, stored.memory.id);
  assert.equal((await engine.explainQuality(caller, stored.memory.id)).usage.reads, 0);
});

test('with quality_boost 1 what was rated well stands first, with 0 what fits best', async (t) => {
  const { engine } = await openTestEngine(t);
  const texts = ['Redis cache eviction settings.', 'Redis.', 'A word on redis among other things that matter little.'];
  const ids: string[] = [];
  for (const content of texts) {
    const stored = await engine.storeMemory(caller, { content });
    assert.ok(stored.outcome === 'stored');
    ids.push(stored.memory.id);
  }
  await engine.rateMemory(caller, { ref: ids[2]!, rating: 1 });
  await engine.rateMemory(caller, { ref: ids[0]!, rating: -1 });
  const order = async (qualityBoost: number) =>
    (await engine.search(caller, { query: 'redis', qualityBoost })).hits.map(({ id }) => ids.indexOf(id));
  assert.deepEqual(await order(1), [2, 1, 0]);
  assert.notDeepEqual(await order(0), [2, 1, 0]);
});

test('relevance counts connections, protects tags, and never reads a temporary note as one to keep', async (t) => {
  const clock = makeClock();
  const { engine, store } = await openTestEngine(t, { clock });
  const ids: string[] = [];
  for (const [content, tags] of [
    ['Hub', ['critical']],
    ['Scratch', ['temporary']],
    ['A', []],
    ['B', []],
  ] as const) {
    const stored = await engine.storeMemory(caller, { content: `${content} note.`, tags: [...tags] });
    assert.ok(stored.outcome === 'stored');
    ids.push(stored.memory.id);
  }
  const relate = (to: string) =>
    ({
      op: 'relate',
      relation: { from: ids[1]!, to, type: 'related', weight: 1, body: {}, createdAt: clock.now() },
    }) as const;
  await store.commit('owner', [relate(ids[2]!), relate(ids[3]!)], 'test');
  clock.run(400 * DAY);
  const [hub, scratch] = [await engine.explainQuality(caller, ids[0]!), await engine.explainQuality(caller, ids[1]!)];
  assert.deepEqual(
    [hub.relevance.protectedBy, hub.relevance.base, hub.relevance.retentionDays],
    ['tag critical', 2, 365],
  );
  close(hub.relevance.value, recomputeRelevance(hub));
  assert.ok(hub.relevance.value >= 0.5);
  assert.deepEqual([scratch.relevance.connections, scratch.relevance.retentionDays], [2, 7]);
  close(scratch.relevance.value, recomputeRelevance(scratch));
});

test('an analysis counts every memory in its band', async (t) => {
  const { engine } = await openTestEngine(t);
  for (const [i, quality] of [0.9, 0.7, 0.6, 0.5, 0.2].entries())
    await engine.storeMemory(caller, { content: `Note number ${i}.`, quality });
  const all = await engine.analyzeQuality(caller, {});
  assert.deepEqual([all.total, all.bands], [5, { high: 2, medium: 2, low: 1 }]);
  close(all.average!, (0.9 + 0.7 + 0.6 + 0.5 + 0.2) / 5);
  assert.deepEqual([all.best[0]!.quality, all.worst[0]!.quality], [0.9, 0.2]);
  assert.equal((await engine.analyzeQuality(caller, { max: 0.55 })).total, 2);
  await assert.rejects(engine.analyzeQuality(caller, { min: 0.8, max: 0.2 }), engineError('invalid_input'));
});

test('who may only read cannot rate, and a rating that is none changes nothing', async (t) => {
  const { engine } = await openTestEngine(t);
  const stored = await engine.storeMemory(caller, { content: 'Hands off.' });
  assert.ok(stored.outcome === 'stored');
  const { id } = stored.memory;
  const reader = makeCaller('mcp', { scopes: new Set(['read']) });
  await assert.rejects(engine.rateMemory(reader, { ref: id, rating: 1 }), engineError('forbidden'));
  await assert.rejects(engine.evaluateQuality(reader, id), engineError('forbidden'));
  await assert.rejects(engine.rateMemory(caller, { ref: id, rating: 7 as never }), engineError('invalid_input'));
  assert.deepEqual((await engine.explainQuality(caller, id)).facts.events, []);
});

function makeScorer(score: number): Summarizer & { asked: string[] } {
  const asked: string[] = [];
  return {
    id: 'test:model',
    free: 5,
    isLeftInPeace: false,
    maxCalls: 2,
    asked,
    summarize: async () => ({
      outcome: 'failed',
      reason: 'not asked here',
      spent: { calls: 0, inputTokens: 0, outputTokens: 0 },
    }),
    async score(text) {
      asked.push(text);
      return { outcome: 'scored', score, spent: { calls: 1, inputTokens: 40, outputTokens: 5 } };
    },
    async close() {},
  };
}

test('a run of consolidation has memories scored within the budget, once each, and its undo takes the scores back', async (t) => {
  const scorer = makeScorer(0.9);
  const { engine } = await openTestEngine(t, {
    summarizer: scorer,
    settings: { qualityScorer: true, summarizerDailyCalls: 6 },
  });
  const ids: string[] = [];
  for (let i = 0; i < 8; i++) {
    const stored = await engine.storeMemory(caller, { content: `Fact number ${i} about topic ${i}.` });
    assert.ok(stored.outcome === 'stored');
    ids.push(stored.memory.id);
  }
  await engine.consolidate(caller, { horizon: 'daily', dryRun: true });
  assert.equal(scorer.asked.length, 0);
  const report = await engine.consolidate(caller, { horizon: 'daily' });
  assert.deepEqual([scorer.asked.length, report.decay.changed], [5, 5]);
  assert.match(report.notices.join(), /budget of 6 calls/);
  for (const id of ids) {
    const explained = await engine.explainQuality(caller, id);
    close(explained.quality, recompute(explained));
  }
  await engine.undoConsolidation(caller, 'last');
  assert.equal((await engine.analyzeQuality(caller, {})).origins.stated, 8);
});

test('a model scores a memory only if the operator switched it on, within the budget and with an entry in the ledger', async (t) => {
  const scorer = makeScorer(0.95);
  const off = await openTestEngine(t, { summarizer: scorer });
  const first = await off.engine.storeMemory(caller, { content: 'Never sent anywhere.' });
  assert.ok(first.outcome === 'stored');
  assert.equal((await off.engine.evaluateQuality(caller, first.memory.id)).by, 'usage');
  assert.deepEqual([scorer.asked, (await off.engine.listSpend(caller, 1)).days], [[], []]);

  const on = await openTestEngine(t, {
    summarizer: scorer,
    settings: { qualityScorer: true, summarizerDailyCalls: 3 },
  });
  const stored = await on.engine.storeMemory(caller, { content: 'Worth a lot.' });
  assert.ok(stored.outcome === 'stored');
  const { id } = stored.memory;
  const done = await on.engine.evaluateQuality(caller, id);
  assert.deepEqual([done.by, done.score, scorer.asked], ['test:model', 0.95, ['Worth a lot.']]);
  const report = await on.engine.explainQuality(caller, id);
  close(report.quality, recompute(report));
  const [spent] = (await on.engine.listSpend(caller, 1)).days;
  assert.deepEqual([spent?.calls, spent?.inputTokens, spent?.outputTokens], [1, 40, 5]);
  await on.engine.evaluateQuality(caller, id);
  const broke = await on.engine.evaluateQuality(caller, id);
  assert.deepEqual([broke.by, scorer.asked.length], ['usage', 2]);
  assert.match(broke.notice ?? '', /budget of 3 calls/);
});

test('texts that are not stored are scored by the model that is set, within the budget; without one nothing is asked', async (t) => {
  const scorer = makeScorer(0.7);
  const { engine } = await openTestEngine(t, { summarizer: scorer, settings: { summarizerDailyCalls: 3 } });
  const { scores, by, notices } = await engine.scoreTexts(caller, ['One.', 'Two.', 'Three.']);
  assert.deepEqual([scores, by, scorer.asked], [[0.7, 0.7, null], 'test:model', ['One.', 'Two.']]);
  assert.match(notices.join(), /budget of 3 calls/);
  const none = await openTestEngine(t);
  assert.deepEqual(await none.engine.scoreTexts(caller, ['One.']), {
    scores: [null],
    by: null,
    notices: ['No model is set: summarizer_url and summarizer_model name one.'],
  });
});
