import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { openTestApp } from '../../test/open-test-app.ts';

const app = await openTestApp();
after(() => app.close());

/** Series with their values; fails at a line that Prometheus would not read. */
function readMetrics(text: string): Map<string, number> {
  const types = new Map<string, string>();
  const values = new Map<string, number>();
  for (const line of text.trimEnd().split('\n')) {
    const [, typed, type] = /^# TYPE (\w+) (counter|gauge|histogram)$/.exec(line) ?? [];
    if (typed !== undefined) {
      assert.ok(!types.has(typed), `${typed} is described twice`);
      types.set(typed, type!);
    }
    if (line.startsWith('#')) continue;
    const [, name, , value] = /^(\w+)(\{(?:\w+="[^"]*",?)*\})? (-?[\d.e+-]+)$/.exec(line) ?? assert.fail(line);
    assert.ok(types.has(name!) || types.has(name!.replace(/_(?:bucket|sum|count)$/, '')), line);
    values.set(line.slice(0, line.lastIndexOf(' ')), Number(value));
  }
  return values;
}

it('tells the operator in Prometheus’ words how the server does', async () => {
  const { value: token } = await app.addToken(['read', 'write', 'admin'], 'owner');
  await app.request('POST', '/api/v1/memories', { token, json: { content: 'The harbour opens at six' } });
  for (let i = 0; i < 3; i++) await app.request('POST', '/api/v1/search', { token, json: { query: 'harbour' } });
  await app.request('GET', '/api/v1/memories', { token: 'wrong' });
  const answer = await app.request('GET', '/metrics', { token });
  assert.equal(answer.status, 200);
  assert.match(answer.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/);
  const values = readMetrics(await answer.text());
  assert.equal(values.get('ltm_healthy'), 1);
  assert.equal(values.get('ltm_owner_records'), 1);
  assert.equal(values.get('ltm_search_seconds_count'), 3);
  assert.equal(values.get('ltm_search_seconds_bucket{le="+Inf"}'), 3);
  assert.equal(values.get('ltm_http_requests_total{door="api",method="POST",status="201"}'), 1);
  assert.equal(values.get('ltm_http_requests_total{door="api",method="GET",status="401"}'), 1);
  assert.ok(values.get('process_resident_memory_bytes')! > 1e6);
});

it('tells nobody else', async () => {
  const { value: reader } = await app.addToken(['read', 'write'], 'owner');
  const { value: admin } = await app.addToken(['read', 'write', 'admin'], 'ada');
  assert.equal((await app.request('GET', '/metrics', { token: reader })).status, 403);
  assert.equal((await app.request('GET', '/metrics', { token: admin })).status, 403);
  assert.equal((await app.request('GET', '/metrics', { token: null })).status, 401);
});
