import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAgeingEngine } from '../../../test/open-ageing-engine.ts';
import {
  DAY,
  engineError,
  makeCaller,
  makeClock,
  makeWordEmbedder,
  START,
  silentLog,
} from '../../../test/open-test-engine.ts';
import { createEngine } from '../create-engine.ts';
import { DEFAULT_SETTINGS } from '../default-settings.ts';

const caller = makeCaller('cli');
const open = openAgeingEngine;

const KILN = ['glaze', 'clay', 'wheel', 'bowl', 'mug', 'plate', 'vase', 'tile'];

async function fill({ store, clock }: Awaited<ReturnType<typeof open>>): Promise<Record<string, string[]>> {
  const pottery: string[] = [];
  for (const word of KILN) {
    pottery.push(
      await store(`The pottery class fired the kiln for a ${word} on Monday evening.`, { tags: ['pottery'] }),
    );
    clock.run(1000);
  }
  const other = [
    await store('Deploys need a green build and two reviews.', { type: 'decision' }),
    await store('The printer on floor two jams.'),
  ];
  const temporary = [await store('Scratch: port forward is open until tonight', { tags: ['temporary'] })];
  const kept = [
    await store('Scratch but dear: the seed phrase hint', { tags: ['temporary', 'critical'] }),
    await store('Named scratch', { tags: ['temporary'], key: 'named' }),
  ];
  const noise = [await store('test test asdf')];
  return { pottery, other, temporary, kept, noise };
}

test('a monthly run summarises what belongs together, archives what is of no use, spares what is protected, and reports each', async (t) => {
  const opened = await open(t);
  const { engine, clock } = opened;
  const ids = await fill(opened);
  clock.run(10 * DAY);
  const before = await opened.picture();
  const dry = await engine.consolidate(caller, { horizon: 'monthly', dryRun: true });
  assert.equal(dry.run, null);
  assert.deepEqual(await opened.picture(), before);
  assert.deepEqual((await engine.readConsolidationStatus(caller)).runs, []);

  const report = await engine.consolidate(caller, { horizon: 'monthly' });
  const numbers = ({ examined, decay, duplicates, summaries, forgetting }: typeof report) => ({
    examined,
    changed: decay.changed,
    groups: duplicates.groups,
    clusters: summaries.clusters,
    archived: forgetting.archived,
    spared: forgetting.spared,
    reasons: forgetting.reasons,
  });
  assert.deepEqual(numbers(report), numbers(dry));
  assert.deepEqual([report.examined, report.isComplete], [14, true]);
  assert.deepEqual(report.forgetting.reasons, { temporary: 1, noise: 1 });
  assert.equal(report.forgetting.spared, 2);
  assert.equal(report.summaries.clusters, 1);
  const [summary] = report.summaries.made;
  assert.deepEqual(summary!.sources.toSorted(), ids.pottery!.toSorted());

  const { hits } = await engine.search(caller, { query: 'pottery kiln vase', limit: 20 });
  assert.ok(
    ids.pottery!.every((id) => hits.some((hit) => hit.id === id)),
    'the originals are still found',
  );
  assert.ok(hits.some(({ id }) => id === summary!.id));
  const [made] = (await engine.getMemories(caller, { refs: [summary!.id] })).memories;
  assert.deepEqual([made!.type, made!.tags, made!.trust], ['pattern', ['cluster', 'compressed', 'pottery'], 'agent']);
  assert.deepEqual(made!.metadata.sources, ids.pottery);
  assert.ok(made!.content.length <= 500);
  const sentences = made!.content.split('\n').slice(1);
  const texts = (await engine.getMemories(caller, { refs: ids.pottery! })).memories.map(({ content }) => content);
  assert.ok(
    sentences.length > 0 && sentences.every((sentence) => texts.includes(sentence)),
    'it holds their own sentences',
  );

  assert.deepEqual(
    (await engine.search(caller, { query: 'port forward scratch', mode: 'text' })).hits.filter(
      ({ id }) => id === ids.temporary![0],
    ),
    [],
  );
  const again = await engine.consolidate(caller, { horizon: 'monthly' });
  assert.deepEqual([again.summaries.clusters, again.forgetting.archived], [0, 0]);
  const third = await engine.consolidate(caller, { horizon: 'monthly' });
  assert.equal(third.decay.changed, 0, 'nobody has read anything in between');
});

test('a weekly run proposes relations with reasons, none twice, and its undo removes them', async (t) => {
  const opened = await open(t);
  const { engine, store } = opened;
  await store('The login page times out when src/auth/session.ts reads an old cookie.');
  await store('Old cookies break src/auth/session.ts after the login page changed.');
  const before = await opened.picture();
  const first = await engine.consolidate(caller, { horizon: 'weekly' });
  assert.equal(first.associations.proposed, 1);
  assert.match(first.associations.pairs[0]!.reason, /./);
  assert.equal((await engine.consolidate(caller, { horizon: 'weekly' })).associations.proposed, 0);
  await engine.undoConsolidation(caller, first.run!);
  assert.deepEqual(await opened.picture(), before);
});

test('what runs leave behind keeps the index sound, also when it is written to segments', async (t) => {
  const opened = await open(t, { settings: { flushPassages: 4 } });
  const { engine, clock } = opened;
  await fill(opened);
  clock.run(10 * DAY);
  await engine.consolidate(caller, { horizon: 'monthly' });
  await engine.runUpkeep();
  await engine.undoConsolidation(caller, 'last');
  await engine.runUpkeep();
  const { sound, checks } = await engine.examine(caller, {});
  assert.ok(sound, JSON.stringify(checks.filter(({ ok }) => !ok)));
});

test('undoing a run restores every memory, relation and hash, and can be done once', async (t) => {
  const opened = await open(t);
  const { engine, clock } = opened;
  await fill(opened);
  clock.run(10 * DAY);
  const before = await opened.picture();
  const report = await engine.consolidate(caller, { horizon: 'monthly' });
  assert.notDeepEqual(await opened.picture(), before);
  const undone = await engine.undoConsolidation(caller, 'last');
  assert.deepEqual([undone.run.id, undone.run.state, undone.removed, undone.left], [report.run, 'undone', 1, []]);
  assert.deepEqual(await opened.picture(), before);
  await assert.rejects(engine.undoConsolidation(caller, report.run!), engineError('conflict'));
  await assert.rejects(engine.undoConsolidation(caller, 'nonsense'), engineError('not_found'));
});

test('a run that is cut off between any two commits can be undone as a whole', async (t) => {
  for (let most = 1; ; most++) {
    const opened = await open(t);
    const { clock, store } = opened;
    await fill(opened);
    clock.run(10 * DAY);
    const before = await opened.picture();
    let commits = 0;
    const dying = {
      ...opened.database,
      commit: (...work: Parameters<typeof opened.database.commit>) => {
        if (commits++ >= most) throw new Error('killed');
        return opened.database.commit(...work);
      },
      close: async () => {},
    };
    const ports = { store: dying, embedder: makeWordEmbedder(), clock, log: silentLog };
    const engine = createEngine(ports, DEFAULT_SETTINGS);
    const isCutOff = await engine.consolidate(caller, { horizon: 'monthly' }).then(
      () => false,
      (error: Error) => error.message === 'killed' || assert.fail(error),
    );
    if (!isCutOff) {
      assert.ok(most > 3, 'a run takes several commits');
      return;
    }
    assert.ok((await store('A note after the crash.')) !== '');
    await opened.engine.deleteMemories(caller, { filter: { contains: 'after the crash' } });
    const { run } = await opened.engine.undoConsolidation(caller, 'last');
    assert.equal(run.state, 'undone');
    assert.deepEqual(await opened.picture(), before);
  }
});

test('what somebody has changed since stays as they left it when a run is undone', async (t) => {
  const opened = await open(t);
  const { engine, clock } = opened;
  const ids = await fill(opened);
  clock.run(10 * DAY);
  await engine.getMemories(caller, { refs: ids.other! });
  assert.equal((await engine.consolidate(caller, { horizon: 'monthly' })).decay.changed, 2);
  await engine.rateMemory(caller, { ref: ids.other![0]!, rating: 1 });
  const rated = (await engine.explainQuality(caller, ids.other![0]!)).quality;
  const undone = await engine.undoConsolidation(caller, 'last');
  assert.deepEqual(undone.left, [ids.other![0]]);
  assert.equal((await engine.explainQuality(caller, ids.other![0]!)).quality, rated);
});

test('an archived memory says why, is found only on request, and a restore brings it back', async (t) => {
  const opened = await open(t);
  const { engine, clock } = opened;
  const ids = await fill(opened);
  const ref = ids.temporary![0]!;
  clock.run(10 * DAY);
  const { run } = await engine.consolidate(caller, { horizon: 'monthly' });
  const [archived] = (await engine.getMemories(caller, { refs: [ref] })).memories;
  assert.deepEqual(archived!.archived, { at: clock.time, reason: 'temporary', run });
  const find = async (filter: object) =>
    (await engine.search(caller, { query: 'port forward', filter })).hits.some(({ id }) => id === ref);
  assert.deepEqual([await find({}), await find({ includeSuperseded: true })], [false, true]);
  const { restored } = await engine.restoreMemories(caller, [ref]);
  assert.deepEqual([restored[0]!.archived, restored[0]!.supersededBy], [null, null]);
  assert.equal(await find({}), true);
});

test('horizons look at their own times, and a bounded run goes on where the last one ended', async (t) => {
  const opened = await open(t, { clock: makeClock(START - 400 * DAY) });
  const { engine, clock, store } = opened;
  for (let i = 0; i < 6; i++) await store(`Old note number ${i} on topic ${i}.`);
  clock.run(300 * DAY);
  for (let i = 0; i < 5; i++) await store(`Middle note number ${i} on subject ${i}.`);
  clock.run(100 * DAY);
  for (let i = 0; i < 3; i++) await store(`Fresh note number ${i} about matter ${i}.`);
  const examined = async (horizon: 'daily' | 'weekly' | 'quarterly' | 'yearly') =>
    (await engine.consolidate(caller, { horizon, dryRun: true })).examined;
  assert.deepEqual(
    [await examined('daily'), await examined('weekly'), await examined('quarterly'), await examined('yearly')],
    [3, 14, 11, 6],
  );
  const first = await engine.consolidate(caller, { horizon: 'weekly', limit: 10 });
  const second = await engine.consolidate(caller, { horizon: 'weekly', limit: 10 });
  assert.deepEqual([first.examined, first.isComplete, second.examined, second.isComplete], [10, false, 4, true]);
});

test('by default age alone forgets nothing; with forget: aged what has lost its relevance goes, decisions later than notes', async (t) => {
  const opened = await open(t);
  const { engine, clock, store } = opened;
  const note = await store('The meeting room is booked.');
  const decision = await store('We use Postgres for billing.', { type: 'decision' });
  clock.run(120 * DAY);
  assert.equal((await engine.consolidate(caller, { horizon: 'monthly', dryRun: true })).forgetting.archived, 0);
  const aged = await engine.consolidate(caller, { horizon: 'monthly', dryRun: true, forget: 'aged' });
  assert.deepEqual(
    aged.forgetting.memories.map(({ id, reason }) => [id, reason]),
    [[note, 'irrelevant']],
  );
  clock.run(900 * DAY);
  const later = await engine.consolidate(caller, { horizon: 'yearly', dryRun: true, forget: 'aged' });
  assert.ok(later.forgetting.memories.some(({ id }) => id === decision));
  assert.equal(
    (await engine.consolidate(caller, { horizon: 'yearly', dryRun: true, forget: 'off' })).forgetting.archived,
    0,
  );
});

test('who may only read gets a dry run and nothing else', async (t) => {
  const { engine } = await open(t);
  const reader = makeCaller('mcp', { scopes: new Set(['read']) });
  assert.equal((await engine.consolidate(reader, { horizon: 'daily', dryRun: true })).examined, 0);
  await assert.rejects(engine.consolidate(reader, { horizon: 'daily' }), engineError('forbidden'));
  await assert.rejects(engine.undoConsolidation(reader, 'last'), engineError('forbidden'));
  await assert.rejects(engine.pauseConsolidation(reader, { isPaused: true }), engineError('forbidden'));
  await assert.rejects(engine.consolidate(caller, { horizon: 'hourly' as never }), engineError('invalid_input'));
});
