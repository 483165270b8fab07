import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAgeingEngine } from '../../../test/open-ageing-engine.ts';
import { DAY, engineError, makeCaller } from '../../../test/open-test-engine.ts';

const caller = makeCaller('cli');

test('duplicates are shown first and merged on confirmation; texts that differ in a number or a negation are none', async (t) => {
  const opened = await openAgeingEngine(t);
  const { engine, store } = opened;
  const first = await store('The staging server listens on port 8080 behind the proxy.', { tags: ['infra'] });
  const copy = await store('The staging server listens on port 8080, behind the proxy!', { tags: ['network'] });
  await store('The staging server listens on port 9090 behind the proxy.');
  await store('The staging server does not listen on port 8080 behind the proxy.');
  const elsewhere = await store('The staging server listens on port 8080 behind the proxy', { project: 'other' });
  const guarded = await store('The staging server listens on port 8080 behind THE proxy.', { key: 'staging' });
  const before = await opened.picture();
  const dry = await engine.cleanUp(caller, {});
  assert.deepEqual([dry.run, dry.dryRun, dry.examined, dry.groups, dry.merged], [null, true, 6, 1, 2]);
  assert.deepEqual(
    [dry.found[0]!.keep.id, dry.found[0]!.others.map(({ id }) => id).sort()],
    [guarded, [first, copy].sort()],
  );
  assert.deepEqual(await opened.picture(), before);

  const done = await engine.cleanUp(caller, { dryRun: false });
  assert.equal(done.merged, 2);
  const { memories } = await engine.getMemories(caller, { refs: [first, copy, guarded, elsewhere] });
  assert.deepEqual(
    memories.map(({ supersededBy }) => supersededBy),
    [guarded, guarded, null, null],
  );
  assert.deepEqual(memories[2]!.tags.toSorted(), ['infra', 'network']);
  assert.equal((await engine.cleanUp(caller, {})).groups, 0);
  assert.deepEqual((await engine.undoConsolidation(caller, done.run!)).left, []);
  assert.deepEqual(await opened.picture(), before);
});

test('the very same text is found without an embedder too', async (t) => {
  const { engine, store } = await openAgeingEngine(t, { embedder: null as never });
  for (let i = 0; i < 3; i++) await store('Backups run at night.', { session: `s${i}` });
  const cleaned = await engine.cleanUp(caller, {});
  assert.deepEqual([cleaned.groups, cleaned.merged], [1, 2]);
  await assert.rejects(engine.cleanUp(caller, { threshold: 0.2 }), engineError('invalid_input'));
});

test('memories are merged into a new one that is trusted no more than the least of them, and the merge can be undone', async (t) => {
  const opened = await openAgeingEngine(t);
  const { engine, store } = opened;
  const refs = [
    await store('Deploys happen on Tuesdays.', { key: 'deploys', tags: ['ops'] }),
    await store('Deploys need two reviews.', { trust: 'untrusted', tags: ['team'] }),
  ];
  const before = await opened.picture();
  const content = 'Deploys happen on Tuesdays, after two reviews.';
  const { memory, merged, run } = await engine.mergeMemories(caller, { refs, content });
  assert.deepEqual(
    [memory.content, memory.trust, memory.tags.toSorted(), merged],
    [content, 'untrusted', ['ops', 'team'], refs],
  );
  const found = (await engine.search(caller, { query: 'deploys', mode: 'text' })).hits.map(({ id }) => id);
  assert.deepEqual(found, [memory.id]);
  await assert.rejects(engine.mergeMemories(caller, { refs: [refs[0]!], content: 'x' }), engineError('invalid_input'));
  await engine.undoConsolidation(caller, run);
  assert.deepEqual(await opened.picture(), before);
});

test('memories are archived by hand, listed, and their key is free until they come back', async (t) => {
  const { engine, store } = await openAgeingEngine(t);
  const id = await store('The old runbook.', { key: 'runbook' });
  assert.deepEqual((await engine.archiveMemories(caller, ['runbook'])).archived, [id]);
  const archived = await engine.listArchived(caller, 10);
  assert.deepEqual(
    archived.map((memory) => [memory.id, memory.archived?.reason, memory.archived?.key]),
    [[id, 'by hand', 'runbook']],
  );
  const next = await store('The new runbook.', { key: 'runbook' });
  await assert.rejects(engine.restoreMemories(caller, [id]), engineError('conflict', /key/));
  await engine.deleteMemories(caller, { refs: [next] });
  const { restored } = await engine.restoreMemories(caller, [id]);
  assert.deepEqual([restored[0]!.key, restored[0]!.supersededBy], ['runbook', null]);
  assert.deepEqual(await engine.listArchived(caller, 10), []);
});

test('every number of an insight can be counted again from the memories it names', async (t) => {
  const { engine, store, clock } = await openAgeingEngine(t, { settings: { insightExcludeTags: ['boring'] } });
  for (let i = 0; i < 4; i++)
    await store(`Earlier thing ${i} of the cache.`, { type: 'note', tags: ['cache', 'redis', 'boring'] });
  clock.run(40 * DAY);
  for (let i = 0; i < 3; i++)
    await store(`Later failure ${i} of the cache.`, { type: 'bug', tags: ['cache', 'redis', 'boring'] });
  for (let i = 0; i < 6; i++) await store(`Choice ${i} of design.`, { type: 'decision', tags: ['design'] });
  const insights = await engine.listInsights(caller);
  const { items } = await engine.listMemories(caller, { page: { limit: 100 } });
  const counted = insights.map(({ kind, tags, memories, recentTypes, earlierTypes, confidence, text }) => {
    const tagged = items.filter((memory) => tags.every((tag) => memory.tags.includes(tag)));
    const recent = tagged.filter(({ createdAt }) => clock.now() - createdAt <= 7 * DAY);
    const earlier = tagged.filter(({ createdAt }) => clock.now() - createdAt > 30 * DAY);
    assert.equal(memories, kind === 'trend' ? recent.length : tagged.length);
    assert.ok(text.includes(String(memories)) && tags.every((tag) => text.includes(tag)));
    if (kind === 'trend') {
      assert.deepEqual(recentTypes, [...new Set(recent.map(({ type }) => type))].sort());
      assert.deepEqual(earlierTypes, [...new Set(earlier.map(({ type }) => type))].sort());
    }
    if (kind === 'gap') assert.ok(tagged.length >= 5 && tagged.every(({ type }) => type !== 'decision'));
    assert.equal(confidence, kind === 'pattern' ? Math.min(1, tagged.length / 10) : kind === 'trend' ? 0.6 : 0.5);
    return `${kind} ${tags.join('+')}`;
  });
  assert.deepEqual(counted.sort(), ['gap cache', 'gap redis', 'pattern cache+redis', 'trend cache', 'trend redis']);
});

test('an acknowledged insight is not told or stored again', async (t) => {
  const { engine, store } = await openAgeingEngine(t, { settings: { insightCards: true } });
  for (let i = 0; i < 6; i++) await store(`Failure ${i} of the login page.`, { tags: ['login', 'web'] });
  const [pattern] = await engine.listInsights(caller);
  assert.equal((await engine.acknowledgeInsight(caller, pattern!.id)).isAcknowledged, true);
  assert.deepEqual(
    (await engine.listInsights(caller)).map(({ kind, isAcknowledged }) => [kind, isAcknowledged]),
    [
      ['pattern', true],
      ['gap', false],
      ['gap', false],
    ],
  );
  const report = await engine.maintain(caller, { dryRun: false });
  assert.deepEqual(report.steps.find(({ step }) => step === 'insights')?.counts, { found: 2, kept: 2 });
  const cards = await engine.listMemories(caller, { filter: { tags: ['insight-card'] } });
  assert.deepEqual(cards.items.map(({ tags }) => tags.includes('acknowledged')).sort(), [false, false, true]);
  await assert.rejects(engine.acknowledgeInsight(caller, 'nonsense'), engineError('not_found'));
});

test('maintenance says what each step found, changes nothing by default, and remembers what it last did', async (t) => {
  const opened = await openAgeingEngine(t);
  const { engine, store, clock } = opened;
  await store('The office is closed on Fridays.', { quality: 0.9 });
  await store('The office is closed on Fridays!', { session: 's' });
  clock.run(31 * DAY);
  await store('A fresh note.');
  const before = await opened.picture();
  const dry = await engine.maintain(caller, {});
  assert.deepEqual(
    dry.steps.map(({ step, counts }) => [step, counts]),
    [
      ['duplicates', { examined: 3, groups: 1, merged: 1 }],
      ['conflicts', { found: 0, clear: 0, resolved: 0 }],
      ['stale', { stale: 2, days: 30 }],
      ['quality', { total: 3, high: 1, medium: 2, low: 0 }],
      ['entities', { entities: 0 }],
      ['insights', { found: 0, kept: 0 }],
    ],
  );
  assert.deepEqual([await opened.picture(), await engine.readMaintenance(caller)], [before, null]);
  const applied = await engine.maintain(caller, { dryRun: false });
  assert.equal(applied.steps[0]!.counts.merged, 1);
  assert.deepEqual(await engine.readMaintenance(caller), applied);
  await engine.undoConsolidation(caller, applied.steps[0]!.run!);
  assert.deepEqual(await opened.picture(), before);
});

test('maintenance resolves plain contradictions only where it may: the newer one stays, weeks later, and undo brings both back', async (t) => {
  const settings = { maintainAutoResolve: true };
  const opened = await openAgeingEngine(t, { settings });
  const { engine, store, clock } = opened;
  const older = await store('The staging database runs on port 5432.', { tags: ['old'] });
  clock.run(20 * DAY);
  const newer = await store('The staging database runs on port 6543.', { tags: ['new'] });
  const before = await opened.picture();
  const stepOf = async (dryRun: boolean) =>
    (await engine.maintain(caller, { dryRun })).steps.find(({ step }) => step === 'conflicts')!;
  assert.deepEqual((await stepOf(true)).counts, { found: 1, clear: 1, resolved: 0 });
  const { counts, run } = await stepOf(false);
  assert.equal(counts.resolved, 1);
  const [loser, winner] = (await engine.getMemories(caller, { refs: [older, newer] })).memories;
  assert.deepEqual([loser!.supersededBy, winner!.tags], [newer, ['new']]);
  await engine.undoConsolidation(caller, run!);
  assert.deepEqual(await opened.picture(), before);
});

test('what somebody has made of a merged memory since then stays when the merge is undone', async (t) => {
  const { engine, store } = await openAgeingEngine(t);
  const first = await store('Lunch is at noon on weekdays.', { tags: ['a'] });
  const second = await store('Lunch is at noon, on weekdays!', { tags: ['b'] });
  const { run } = await engine.cleanUp(caller, { dryRun: false });
  await engine.updateMemory(caller, { ref: first, tags: ['c'] });
  assert.deepEqual((await engine.undoConsolidation(caller, run!)).left, [first]);
  const { memories } = await engine.getMemories(caller, { refs: [first, second] });
  assert.deepEqual(
    memories.map(({ tags, supersededBy }) => [tags, supersededBy]),
    [
      [['c'], null],
      [['b'], null],
    ],
  );
  const merged = await engine.mergeMemories(caller, { refs: [first, second], content: 'Lunch is at noon.' });
  await engine.updateMemory(caller, { ref: merged.memory.id, content: 'Lunch is at one.' });
  assert.deepEqual((await engine.undoConsolidation(caller, merged.run)).left, [merged.memory.id]);
});
