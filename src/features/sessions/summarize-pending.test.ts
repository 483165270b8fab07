import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  DAY,
  MINUTE,
  makeCaller,
  makeClock,
  openTestEngine,
  START,
  silentLog,
} from '../../../test/open-test-engine.ts';
import { startChatService } from '../../../test/stub-chat-service.ts';
import type { Engine } from '../../engine/engine.ts';
import type { SessionEvent } from '../../model/session-event.ts';
import { createOpenAiCompatibleSummarizer } from '../summaries/openai-compatible-summarizer.ts';
import { toObservation } from './observation.ts';

const caller = makeCaller('cli');
const GOOD = {
  summary: 'Raised the burst for mobile clients',
  type: 'feature',
  files: ['src/limit.ts', 'invented.ts'],
  concepts: ['rate limit'],
};

async function open(
  t: TestContext,
  said: { perMinute?: number; dailyCalls?: number; privacyPatterns?: string[] } = {},
) {
  const service = await startChatService(GOOD);
  t.after(() => service.close());
  const clock = makeClock();
  const summarizer = createOpenAiCompatibleSummarizer({
    url: service.url,
    model: 'small',
    apiKey: 'k',
    perMinute: said.perMinute ?? 100,
    timeoutMs: 5000,
    maxCalls: 3,
    backoffMs: 1,
    clock,
    log: silentLog,
  });
  const settings = { summarizerDailyCalls: said.dailyCalls ?? 1000, privacyPatterns: said.privacyPatterns ?? [] };
  const opened = await openTestEngine(t, { clock, summarizer, settings });
  return { ...opened, service };
}

function edit(n: number, more: Partial<SessionEvent> = {}): SessionEvent {
  return {
    key: `e${n}`,
    event: 'tool',
    at: START - 60_000 + n,
    agent: 'codex',
    session: 's',
    project: 'shop',
    directory: null,
    tool: {
      name: 'Edit',
      input: { file_path: 'src/limit.ts', old_string: `a${n}`, new_string: `b${n}` },
      output: 'ok',
    },
    ...more,
  };
}

async function listAll(engine: Engine) {
  const { items } = await engine.listRecords(caller, { kind: 'observation', page: { limit: 100 } });
  return items.map(toObservation).sort((a, b) => a.number - b.number);
}

test('a model fills in summary, type, files and concepts, which search finds, and the ledger says what it cost', async (t) => {
  const { engine, service } = await open(t);
  await engine.recordEvents(caller, [
    edit(1),
    edit(2, { tool: { name: 'Read', input: { file_path: 'a.ts' }, output: 'x' } }),
    edit(3, { event: 'prompt', tool: undefined, text: 'Raise it' }),
  ]);
  assert.equal((await engine.runUpkeep()).summarized, 1);
  const [one, read] = await listAll(engine);
  assert.deepEqual(
    { summary: one!.summary, type: one!.type, files: one!.files, concepts: one!.concepts, trust: one!.trust },
    { summary: GOOD.summary, type: 'feature', files: ['src/limit.ts'], concepts: ['rate limit'], trust: 'agent' },
  );
  assert.equal(read!.summary, 'Read a.ts');
  const { hits } = await engine.search(caller, { query: 'burst mobile', filter: { kinds: ['observation'] } });
  assert.equal(hits[0]?.id, one!.id);
  assert.equal(service.asked[0]?.authorization, 'Bearer k');
  const [spent] = (await engine.listSpend(caller, 30)).days;
  assert.deepEqual(spent, {
    day: '2026-01-15',
    model: 'openai:small',
    calls: 1,
    inputTokens: 120,
    outputTokens: 30,
    summarized: 1,
    failed: 0,
  });
  assert.equal((await engine.runUpkeep()).summarized, 0);
  assert.equal(service.asked.length, 1);
});

test('nothing that looks like a secret reaches the model, not even where it was stored as it is', async (t) => {
  const { engine, service, store } = await open(t);
  await engine.recordEvents(caller, [edit(1), edit(2)]);
  const token = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'}`;
  const { items } = await engine.listRecords(caller, { kind: 'observation' });
  for (const [record, output] of [
    [items[0]!, `export GITHUB_TOKEN=${token}`],
    [items[1]!, `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEowIBAAKCAQEA7bq2'.repeat(10)}`],
  ] as const) {
    const { space, id, revision, deletedAt, generation, dot, ...content } = record;
    await store.commit(
      space,
      [
        {
          op: 'put',
          id,
          content: { ...content, body: { ...content.body, output } },
          passages: [{ ordinal: 0, text: 'x' }],
          vectors: [],
          expect: revision,
          unlessDuplicate: false,
        },
      ],
      'test',
    );
    assert.deepEqual([deletedAt, generation > 0, dot !== null], [null, true, true]);
  }
  await engine.runUpkeep();
  assert.equal(service.asked.length, 1, 'what holds a key is not sent at all');
  assert.doesNotMatch(service.asked[0]!.body, /ghp_|MIIE|PRIVATE KEY/);
  assert.match(service.asked[0]!.body, /redacted/);
});

test('patterns of one’s own are kept from the model too', async (t) => {
  const { engine, service } = await open(t, { privacyPatterns: ['ACME-\\d+'] });
  await engine.recordEvents(caller, [
    edit(1, { tool: { name: 'Bash', input: { command: 'open ACME-4711' }, output: 'ACME-4711 is open' } }),
  ]);
  await engine.runUpkeep();
  assert.equal(service.asked.length, 1);
  assert.doesNotMatch(service.asked[0]!.body, /ACME-4711/);
});

test('keeps to its rate, and goes on in a later round', async (t) => {
  const { engine, service, clock } = await open(t, { perMinute: 2 });
  await engine.recordEvents(
    caller,
    [1, 2, 3].map((n) => edit(n)),
  );
  assert.equal((await engine.runUpkeep()).summarized, 2);
  assert.equal((await engine.runUpkeep()).summarized, 0);
  clock.run(MINUTE + 1);
  assert.equal((await engine.runUpkeep()).summarized, 1);
  assert.equal(service.asked.length, 3);
});

test('tries again what failed, opens the breaker where the key is refused, and says so', async (t) => {
  const { engine, service, clock } = await open(t);
  await engine.recordEvents(caller, [edit(1)]);
  service.answers.push(503, 'no JSON');
  assert.equal((await engine.runUpkeep()).summarized, 1);
  assert.equal(service.asked.length, 3);
  await engine.recordEvents(caller, [edit(2), edit(3)]);
  service.answers.push(401);
  assert.deepEqual([await engine.countUnsummarized(caller), engine.isSummarizerLeftInPeace()], [2, false]);
  await engine.runUpkeep();
  assert.equal(service.asked.length, 4);
  assert.deepEqual([await engine.countUnsummarized(caller), engine.isSummarizerLeftInPeace()], [2, true]);
  assert.ok((await engine.checkHealth(caller)).problems.some((problem) => problem.includes('summarizer')));
  await engine.runUpkeep();
  assert.equal(service.asked.length, 4, 'left in peace');
  clock.run(MINUTE + 1);
  assert.equal((await engine.runUpkeep()).summarized, 2);
  assert.deepEqual((await engine.checkHealth(caller)).problems, []);
  assert.deepEqual([await engine.countUnsummarized(caller), engine.isSummarizerLeftInPeace()], [0, false]);
});

test('spends no more in a day than it may, whatever fails, and goes on the next day', async (t) => {
  const { engine, service, clock } = await open(t, { dailyCalls: 7 });
  await engine.recordEvents(
    caller,
    [1, 2, 3, 4, 5, 6, 7, 8].map((n) => edit(n)),
  );
  service.answers.push(...Array.from({ length: 4 }, () => 'no JSON'));
  for (let round = 0; round < 5; round++) await engine.runUpkeep();
  assert.ok(service.asked.length <= 7, String(service.asked.length));
  const { callsToday, dailyCalls } = await engine.listSpend(caller, 1);
  assert.deepEqual([callsToday, dailyCalls], [service.asked.length, 7]);
  const before = service.asked.length;
  clock.run(DAY);
  await engine.runUpkeep();
  assert.ok(service.asked.length > before);
});

test('gives up an observation that no answer fits, and asks no more for it', async (t) => {
  const { engine, service } = await open(t);
  await engine.recordEvents(caller, [edit(1)]);
  service.answers.push(...Array.from({ length: 50 }, () => 'no JSON'));
  for (let round = 0; round < 6; round++) {
    await engine.runUpkeep();
    await engine.recordEvents(caller, [edit(100 + round, { event: 'turn', tool: undefined, text: 'on' })]);
  }
  assert.equal(service.asked.length, 9);
  assert.equal((await listAll(engine))[0]!.summary, 'Edited src/limit.ts: a1 → b1');
});

test('without a service nothing is spent', async (t) => {
  const { engine } = await openTestEngine(t);
  await engine.recordEvents(caller, [edit(1)]);
  assert.equal((await engine.runUpkeep()).summarized, 0);
  assert.deepEqual(await engine.listSpend(caller, 30), { days: [], model: null, dailyCalls: 1000, callsToday: 0 });
});
