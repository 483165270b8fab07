// Rows of mcp-memory-service's checklist about quality and consolidation, by number: tools and routes over one database.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Json, KEY, type RestClient, startService } from './rest-client.ts';
import { hashOf, type ServiceClient, startServiceTools } from './service-client.ts';

let ltm: ServiceClient;
let rest: RestClient;
before(async () => {
  ltm = await startServiceTools();
  rest = await startService({ MCP_API_KEY: KEY, LTM_DB: ltm.db });
});
after(async () => {
  await rest.close();
  await ltm.close();
});
const get = async (path: string): Promise<Json> => (await rest.send('GET', `/api/${path}`)).body;

test('row 62: a rating of 1 on .5 gives .8; get shows score, provider and history and counts no read; analyze the bands', async () => {
  const hash = await ltm.store('Rated memory about tides');
  const { text } = await ltm.invoke('memory_quality', {
    action: 'rate',
    content_hash: hash,
    rating: '1',
    feedback: 'good',
  });
  assert.match(text, /0\.500 → 0\.800/);
  const quality = await ltm.document('memory_quality', { action: 'get', content_hash: hash });
  assert.deepEqual(
    [quality.quality_score, quality.quality_provider, quality.user_rating, quality.user_feedback],
    [0.8, 'user', 1, 'good'],
  );
  const down = await rest.send('POST', `/api/quality/memories/${hash}/rate`, { rating: -1 });
  assert.deepEqual([down.body.old_quality_score, Number(down.body.new_quality_score.toFixed(6))], [0.8, 0.32]);
  assert.equal((await get(`quality/memories/${hash}`)).user_rating, -1);
  assert.equal((await ltm.document('memory_quality', { action: 'get', content_hash: hash })).access_count, 0);
  const spread = await get('quality/distribution');
  const total = spread.high_quality_count + spread.medium_quality_count + spread.low_quality_count;
  assert.deepEqual([total, spread.low_quality_count], [spread.total_memories, 1]);
  assert.match(
    (await ltm.invoke('memory_quality', { action: 'analyze' })).text,
    new RegExp(`^Quality of ${spread.total_memories} memories`),
  );
  assert.equal((await rest.send('POST', `/api/quality/memories/${hash}/rate`, { rating: 5 })).status, 422);
  assert.equal((await rest.send('POST', `/api/quality/memories/${'f'.repeat(64)}/rate`, { rating: 1 })).status, 404);
});

test('rows 63 and 64: evaluate answers with its provider, its time and the implicit score of the formula; trends are counted', async () => {
  const hash = await ltm.store('Evaluated memory about currents');
  const { body } = await rest.send('POST', `/api/quality/memories/${hash}/evaluate`, {});
  assert.deepEqual([body.quality_provider, body.ai_score, body.evaluation_time_ms > 0], ['implicit', null, true]);
  // .4·ln(n+1)/ln 100 + .3·.1 + .3·(1 − .5), never read: asking is no read
  const expected = 0.3 * 0.1 + 0.3 * 0.5;
  assert.ok(Math.abs(body.implicit_score - expected) < 0.001, String(body.implicit_score));
  const { trends } = await get('quality/trends?days=7');
  assert.equal(trends.length, 1);
  assert.equal(trends[0].memory_count, (await get('analytics/overview')).total_memories);
});

test('rows 56 and 61: consolidation runs, tells its state, recommends, pauses and resumes; nothing is scheduled by itself', async () => {
  for (let n = 0; n < 6; n++)
    await ltm.store(`Sprint review ${n}: the team shipped the search page and fixed the index`, { tags: ['sprint'] });
  const pair = [
    await ltm.store('The login page times out when src/auth/session.ts reads an old cookie.'),
    await ltm.store('Old cookies break src/auth/session.ts after the login page changed.'),
  ];
  const run = await ltm.invoke('memory_consolidate', { action: 'run', time_horizon: 'weekly' });
  assert.match(run.text, /^Associations discovered: [1-9]\d*$/m);
  const [found] = /^- .*session\.ts.*$/m.exec(run.text) ?? [];
  for (const hash of pair) assert.ok(found?.includes(hash.slice(0, 12)), run.text);
  assert.match(run.text, /^Consolidation completed: weekly\nSeconds: [\d.]+\nMemories processed: \d+/);
  assert.equal((await ltm.invoke('memory_consolidate', { action: 'run' })).isError, true);
  assert.match(
    (await ltm.invoke('memory_consolidate', { action: 'status' })).text,
    /^Consolidation status: on demand\nRuns: 1 done[\s\S]*^Associations discovered: [1-9]/m,
  );
  assert.match(
    (await ltm.invoke('memory_consolidate', { action: 'recommend', time_horizon: 'monthly' })).text,
    /^Recommendation for monthly: (CONSOLIDATION_BENEFICIAL|CONSOLIDATION_OPTIONAL|NO_ACTION)/,
  );
  assert.match(
    (await ltm.invoke('memory_consolidate', { action: 'scheduler' })).text,
    /^Scheduler: disabled\ndaily: disabled/,
  );
  assert.match(
    (await ltm.invoke('memory_consolidate', { action: 'pause', time_horizon: 'daily' })).text,
    /^daily consolidation paused/,
  );
  assert.match((await ltm.invoke('memory_consolidate', { action: 'resume' })).text, /^All consolidation resumed/);
  const triggered = (await rest.send('POST', '/api/consolidation/trigger', {})).body;
  assert.deepEqual([triggered.status, triggered.horizon, triggered.processed > 0], ['completed', 'weekly', true]);
  const status = await get('consolidation/status');
  assert.deepEqual([status.running, status.next_daily, status.jobs_executed >= 2], [false, null, true]);
  assert.match((await get('consolidation/recommendations/weekly')).recommendation, /CONSOLIDATION|NO_ACTION/);
  assert.equal((await rest.send('GET', '/api/consolidation/recommendations/hourly')).status, 400);
});

test('memory_consolidate merges memories into one text, and the old ones are hidden', async () => {
  const hashes = [await ltm.store('Merge me: oars are ash'), await ltm.store('Merge me: oars are spruce')];
  const merged = await ltm.document('memory_consolidate', {
    action: 'merge',
    content_hashes: hashes,
    merged_content: 'Oars are ash or spruce',
  });
  assert.deepEqual([merged.ok, merged.content_hash, merged.merged], [true, hashOf('oars are ash or spruce'), 2]);
  const { text } = await ltm.invoke('memory_search', { query: 'oars' });
  assert.ok(text.includes('ash or spruce') && !text.includes('Merge me'), text);
});

test('row 37: memory_cleanup finds memories that say the same, over REST too', async () => {
  const store = (ending: string) => ltm.store(`The anchor weighs forty tonnes${ending}`, { tags: ['anchor'] });
  for (const ending of ['', '.', '!']) await store(ending);
  assert.equal((await ltm.call('memory_list', { tags: ['anchor'] })).total, 3);
  assert.match((await ltm.invoke('memory_cleanup')).text, /^Successfully removed 2 duplicate memories/);
  assert.equal((await ltm.call('memory_list', { tags: ['anchor'] })).total, 1);
  await store('?');
  const cleaned = await rest.send('POST', '/api/manage/cleanup-duplicates', {});
  assert.deepEqual([cleaned.body.success, cleaned.body.affected_count], [true, 1]);
  assert.equal((await ltm.call('memory_list', { tags: ['anchor'] })).total, 1);
  assert.equal((await rest.send('POST', '/api/manage/system/cleanup_duplicates', {})).body.affected_count, 0);
});

test('row 65: maintain walks its steps, changes nothing by default, and its last report is kept', async () => {
  assert.equal((await ltm.document('memory_quality', { action: 'maintain_status' })).status, 'never_run');
  const dry = await ltm.document('memory_quality', { action: 'maintain' });
  assert.deepEqual([dry.action, dry.dry_run, dry.success, dry.errors], ['maintain', true, true, []]);
  for (const step of ['duplicates', 'stale', 'quality', 'insights']) assert.ok(step in dry.steps, step);
  await ltm.document('memory_quality', { action: 'maintain', dry_run: false });
  assert.equal((await ltm.document('memory_quality', { action: 'maintain_status' })).dry_run, false);
});
