import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTestApp, type TestApp } from './open-test-app.ts';
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from './postgres/private-postgres.ts';

const NO_POSTGRES = 'missing' in findPostgres() ? 'PostgreSQL is not installed here' : false;
const WORDS = ['glaze', 'clay', 'wheel', 'bowl', 'mug', 'plate', 'vase', 'tile'];
// biome-ignore lint/suspicious/noExplicitAny: answers of the server under test, each checked against its schema
type Body = any;

describe('ageing and the graph over REST on SQLite', () => runSuite(() => openTestApp()));

describe('ageing and the graph over REST on PostgreSQL', { skip: NO_POSTGRES }, () => {
  let postgres: PrivatePostgres;
  runSuite(
    async () => {
      postgres = await startPrivatePostgres();
      return openTestApp({ db: postgres.url() });
    },
    () => postgres.stop(),
  );
});

/** So that what follows has a later time. */
const pass = (): Promise<void> => sleep(5);

function runSuite(open: () => Promise<TestApp>, end: () => Promise<void> = async () => {}): void {
  let app: TestApp;
  before(async () => {
    app = await open();
  });
  after(async () => {
    await app.close();
    await end();
  });
  const call = async (method: string, path: string, json?: unknown, token?: string): Promise<Body> => {
    const { body } = await app.json<Body>(method, `/api/v1${path}`, {
      ...(json !== undefined && { json }),
      ...(token !== undefined && { token }),
    });
    return body;
  };
  const store = async (content: string, more: object = {}): Promise<string> =>
    (await call('POST', '/memories', { content, on_duplicate: 'store', ...more })).memory.id;
  /** What every memory says, by id. */
  const picture = async (): Promise<Record<string, unknown>> => {
    const { memories } = await call('GET', '/memories?limit=100&include_superseded=true');
    return Object.fromEntries(memories.map(({ revision: _, ...memory }: Body) => [memory.id, memory]));
  };

  test('a memory is rated, explained, evaluated, and counted in the analysis', async () => {
    const id = await store('Invoices are numbered by year.', { type: 'decision' });
    const rated = await call('POST', `/memories/${id}/rating`, { rating: 'good', feedback: 'true' });
    assert.deepEqual([rated.previous, Math.round(rated.quality * 1000)], [0.5, 800]);
    const shown = await call('GET', `/memories/${id}/quality`);
    assert.deepEqual([shown.facts.events[0].feedback, shown.relevance.retention_days], ['true', 365]);
    assert.equal((await call('POST', `/memories/${id}/evaluation`)).by, 'usage');
    assert.equal((await call('GET', '/quality?min=0.75')).total, 1);
    assert.equal((await call('POST', `/memories/${id}/rating`, { rating: 'great' })).code, 'invalid_input');
    assert.equal((await call('POST', `/memories/${id}/rating`, { rating: 'good' }, app.tokens.read)).code, 'forbidden');
  });

  test('a run summarises and archives, its undo restores everything, and both are told in the status', async () => {
    const ids: string[] = [];
    for (const word of WORDS)
      ids.push(await store(`The pottery class fired the kiln for a ${word} on Monday evening.`));
    const noise = await store('test test asdf');
    const earlier = await picture();
    const dry = await call('POST', '/consolidation/runs', { horizon: 'monthly', dry_run: true }, app.tokens.read);
    assert.deepEqual([dry.run, dry.summaries.clusters, dry.forgetting.reasons], [null, 1, { noise: 1 }]);
    assert.deepEqual(await picture(), earlier);
    assert.equal(
      (await call('POST', '/consolidation/runs', { horizon: 'monthly' }, app.tokens.read)).code,
      'forbidden',
    );
    const done = await call('POST', '/consolidation/runs', { horizon: 'monthly' });
    assert.deepEqual(done.summaries.made[0].sources.toSorted(), ids.toSorted());
    const archived = await call('GET', '/archive');
    assert.deepEqual(
      archived.memories.map(({ id, archived: why }: Body) => [id, why.reason, why.run]),
      [[noise, 'noise', done.run]],
    );
    const undone = await call('POST', `/consolidation/runs/${done.run}/undo`);
    assert.deepEqual([undone.removed, undone.left], [1, []]);
    assert.deepEqual(await picture(), earlier);
    const status = await call('GET', '/consolidation');
    assert.deepEqual([status.runs[0].id, status.runs[0].state, status.is_scheduled], [done.run, 'undone', false]);
    assert.equal((await call('GET', '/consolidation/recommendation?horizon=monthly')).recommendation, 'none');
    assert.equal((await call('POST', '/consolidation/pause', { horizon: 'weekly' })).horizons[1].is_paused, true);
    assert.equal((await call('POST', '/consolidation/resume', {})).horizons[1].is_paused, false);
    assert.equal((await call('POST', '/consolidation/runs', { horizon: 'hourly' })).code, 'invalid_input');
  });

  test('duplicates are merged on confirmation, memories are merged and archived by hand, and each can be taken back', async () => {
    const refs = [await store('Ports 80 and 443 are open.'), await store('Ports 80 and 443 are open!')];
    const earlier = await picture();
    assert.deepEqual([(await call('POST', '/cleanup', {})).merged, await picture()], [1, earlier]);
    const cleaned = await call('POST', '/cleanup', { dry_run: false });
    assert.equal(cleaned.merged, 1);
    await call('POST', `/consolidation/runs/${cleaned.run}/undo`);
    const merged = await call('POST', '/memories/merge', { refs, content: 'Ports 80 and 443 are open to all.' });
    assert.deepEqual(merged.merged, refs);
    await call('POST', '/consolidation/runs/last/undo');
    const put = await call('POST', '/archive', { refs: [refs[0]] });
    assert.deepEqual(put.archived, [refs[0]]);
    assert.equal((await call('POST', `/memories/${refs[0]}/restore`)).archived, null);
    assert.deepEqual(await picture(), earlier);
  });

  test('maintenance reports its steps, and insights are told until they are acknowledged', async () => {
    for (let i = 0; i < 5; i++) await store(`Login failure number ${i} of the web shop.`, { tags: ['login', 'web'] });
    assert.equal((await call('GET', '/maintenance')).report, null);
    const steps = (await call('POST', '/maintenance', {})).steps.map(({ step }: Body) => step);
    assert.ok(['duplicates', 'stale', 'quality', 'insights'].every((step) => steps.includes(step)));
    const { insights } = await call('GET', '/insights');
    const first = insights.find(({ kind }: Body) => kind === 'pattern');
    assert.deepEqual([first.kind, first.tags, first.memories], ['pattern', ['login', 'web'], 5]);
    assert.equal((await call('POST', `/insights/${first.id}/acknowledgement`)).insight.is_acknowledged, true);
    assert.equal(
      (await call('GET', '/insights')).insights.find(({ id }: Body) => id === first.id).is_acknowledged,
      true,
    );
  });

  test('relations are stated, walked, ended, and walked as they were', async () => {
    const [a, b, c] = [await store('Wharf one'), await store('Wharf two'), await store('Wharf three')];
    await call('POST', '/relations', { from: a, to: b, type: 'causes' });
    await call('POST', '/relations', { from: b, to: c, type: 'follows', confidence: 0.7 });
    const path = await call('GET', `/graph?action=path&ref=${a}&to=${c}`);
    assert.deepEqual(path.path, [a, b, c]);
    await pass();
    const before = new Date().toISOString();
    await pass();
    await call('POST', '/relations/end', { from: a, to: b });
    await call('PATCH', `/memories/${c}`, { content: 'Wharf three, rebuilt' });
    assert.deepEqual((await call('GET', `/graph?ref=${a}`)).nodes, []);
    assert.equal((await call('GET', `/graph?action=path&ref=${a}&to=${c}`)).path, null);
    const then = await call('GET', `/graph?action=subgraph&ref=${a}&as_of=${before}`);
    assert.deepEqual(
      then.nodes.map(({ excerpt }: Body) => excerpt),
      ['Wharf one', 'Wharf two', 'Wharf three'],
    );
    assert.deepEqual(then.relations.map(({ type }: Body) => type).sort(), ['causes', 'follows']);
    const listed = async (query: string) =>
      (await call('GET', `/memories?${query}`)).memories.map(({ content }: Body) => content);
    assert.deepEqual(await listed('contains=REBUILT'), ['Wharf three, rebuilt']);
    assert.deepEqual(await listed(`contains=REBUILT&as_of=${before}`), []);
    assert.deepEqual(await listed(`contains=wharf%20three&as_of=${before}`), ['Wharf three']);
    const { entries } = await call('GET', `/diff?from=${before}`);
    assert.deepEqual(
      entries.map(({ change, was }: Body) => [change, was]),
      [['changed', 'Wharf three']],
    );
  });

  test('entities are told of under each of their names, and a decision between two memories is undone', async () => {
    await store('@grace asked for a timetable');
    await store('Grace Hopper wants the timetable on paper');
    await call('POST', '/entities/merge', { into: 'person:Grace Hopper', aliases: ['@grace'] });
    const about = await call('GET', '/about?name=%40grace');
    assert.deepEqual([about.total, about.sources.length], [2, 2]);
    assert.equal((await call('GET', '/memories?entity=person:grace%20hopper')).total, 2);
    const [older, newer] = [await store('The ferry leaves at 09:15'), await store('The ferry runs on port 8080')];
    const third = await store('The ferry runs on port 9090');
    const found = async () =>
      (await call('GET', '/conflicts')).conflicts.map((one: Body) => [one.newer.id, one.older.id]);
    assert.deepEqual(await found(), [[third, newer]]);
    await call('POST', '/conflicts/resolve', { winner: third, loser: newer });
    assert.deepEqual(await found(), []);
    const shown = async (ref: string) => (await call('GET', `/memories/${ref}`)).superseded_by;
    assert.equal(await shown(newer), third);
    await call('POST', '/changes/undo', {});
    assert.equal(await shown(newer), null);
    assert.equal(await shown(older), null);
    assert.deepEqual(await found(), [[third, newer]]);
  });

  test('relations are proposed with their reasons, and confirmed', async () => {
    const ticket = await store('FERRY-41: the gangway jams');
    const next = await store('FERRY-55 is the follow-up to FERRY-41: grease the gangway');
    const { pairs } = await call('POST', '/relations/infer', { ref: next });
    const typed = pairs.find(({ type }: Body) => type === 'follows');
    assert.deepEqual([typed.from, typed.to], [next, ticket]);
    assert.equal((await call('POST', '/relations', { from: next, to: ticket, type: 'follows' })).outcome, 'confirmed');
  });
}
