import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openTestApp, type TestBytes } from '../../test/open-test-app.ts';

const app = await openTestApp();
after(() => app.close());

const BASE = '/api/v1';
const store = (memory: object, headers: Record<string, string> = {}) =>
  app.json('POST', `${BASE}/memories`, { json: memory, headers });

describe('storing', () => {
  it('answers 201 with the memory, its address and its ETag', async () => {
    const memory = {
      content: 'Deploys go out on Thursdays.',
      type: 'decision',
      tags: 'Release, ci',
      project: 'shop',
      metadata: { by: { whom: ['ada'] } },
      conversation_id: 'c1',
    };
    const { status, headers, body } = await store(memory, { 'user-agent': 'tests/1' });
    assert.equal(status, 201);
    assert.equal(body.outcome, 'stored');
    assert.deepEqual(body.memory.tags, ['release', 'ci']);
    assert.deepEqual(body.memory.metadata.by, { whom: ['ada'] });
    assert.equal(body.memory.conversation_id, 'c1');
    assert.deepEqual(body.memory.source, { door: 'rest', user_id: 'owner', client: 'tests/1' });
    assert.equal(headers.get('location'), `${BASE}/memories/${body.memory.id}`);
    assert.equal(headers.get('etag'), '"1"');
  });

  it('answers 200 and names the memory that has the same text', async () => {
    const first = await store({ content: 'Stored only once.' });
    const second = await store({ content: '  stored ONLY once. ' });
    assert.equal(second.status, 200);
    assert.equal(second.body.outcome, 'duplicate');
    assert.equal(second.body.memory.id, first.body.memory.id);
  });

  it('answers 409 with what it resembles when duplicates are to be refused', async () => {
    const first = await store({ content: 'The cache is flushed at noon.' });
    const { status, body } = await store({ content: 'The cache is flushed at noon.', on_duplicate: 'refuse' });
    assert.equal(status, 409);
    assert.equal(body.code, 'duplicate');
    assert.equal(body.resembles[0]?.id, first.body.memory.id);
  });

  it('gives a retry with the same idempotency key the first answer', async () => {
    const memory = { content: 'Written by a shaky connection.', on_duplicate: 'store' };
    const first = await store(memory, { 'idempotency-key': 'k-1' });
    const again = await store(memory, { 'idempotency-key': 'k-1' });
    assert.equal(again.status, 201);
    assert.equal(again.body.memory.id, first.body.memory.id);
    const listed = await app.json('GET', `${BASE}/memories?contains=shaky%20connection`);
    assert.equal(listed.body.total, 1);
    const other = await store({ content: 'Something else.' }, { 'idempotency-key': 'k-1' });
    assert.equal(other.status, 422);
    assert.equal(other.body.code, 'idempotency_mismatch');
  });

  it('takes agent and host from headers, and the body over them', async () => {
    const headers = { 'x-agent-id': 'Crawler', 'x-client-hostname': 'box-7' };
    const { memory } = (await store({ content: 'Written by an agent.', tags: ['a'] }, headers)).body;
    assert.equal(memory.agent, 'Crawler');
    assert.deepEqual(memory.tags, ['a', 'agent:crawler', 'source:box-7']);
    assert.equal(memory.source.host, 'box-7');
    assert.equal((await store({ content: 'Written by another.', agent: 'other' }, headers)).body.memory.agent, 'other');
  });

  it('reads times as dates and as phrases', async () => {
    const { memory } = (
      await store(
        { content: 'Valid for a while.', valid_from: '2026-01-02', valid_until: '2099-01-01T10:00:00+02:00' },
        { 'x-time-zone': 'Asia/Tokyo' },
      )
    ).body;
    assert.equal(memory.valid_from, '2026-01-01T15:00:00.000Z');
    assert.equal(memory.valid_until, '2099-01-01T08:00:00.000Z');
    const { status, body } = await store({ content: 'Never valid.', valid_from: 'flurbsday' });
    assert.deepEqual([status, body.code], [400, 'unreadable_time']);
  });

  it('takes many at once, with an outcome for each', async () => {
    const memories = [{ content: 'Batch one.' }, { content: 'batch ONE.' }, { content: 'Batch two, about rivers.' }];
    const { status, body } = await app.json('POST', `${BASE}/memories/batch`, {
      json: { memories },
      headers: { 'idempotency-key': 'b-1' },
    });
    assert.equal(status, 200);
    assert.deepEqual(
      body.outcomes.map(({ outcome }) => outcome),
      ['stored', 'duplicate', 'stored'],
    );
    const again = await app.json('POST', `${BASE}/memories/batch`, {
      json: { memories },
      headers: { 'idempotency-key': 'b-1' },
    });
    assert.equal(again.body.outcomes[0]?.memory.id, body.outcomes[0]?.memory.id);
    const many = Array.from({ length: 51 }, (_, i) => ({ content: `No. ${i}` }));
    assert.equal((await app.json('POST', `${BASE}/memories/batch`, { json: { memories: many } })).status, 400);
  });
});

describe('a request that is wrong', () => {
  it('is told every field at fault, and changes nothing', async () => {
    const { status, body } = await store({ contnt: 'x', quality: 3, on_duplicate: 'maybe' });
    assert.equal(status, 400);
    const fields = Object.fromEntries(body.errors.map(({ field, message }) => [field, message]));
    assert.equal(fields.content, 'is missing');
    assert.equal(fields.contnt, 'is not a known field');
    assert.match(fields.on_duplicate!, /one of report, store/);
    assert.ok('quality' in fields);
  });

  it('is told about unknown and repeated query parameters', async () => {
    const unknown = await app.json('GET', `${BASE}/memories?limt=3`);
    assert.deepEqual([unknown.status, unknown.body.errors[0]?.field], [400, 'limt']);
    assert.equal((await app.json('GET', `${BASE}/memories?project=a&project=b`)).status, 400);
    assert.equal((await app.json('GET', `${BASE}/memories?limit=many`)).status, 400);
    assert.equal((await app.json('GET', `${BASE}/tags?x=1`)).status, 400);
  });

  it('is told when the body is not what it says', async () => {
    const send = (body: TestBytes, type: string) =>
      app.json('POST', `${BASE}/memories`, { body, headers: { 'content-type': type } });
    assert.equal((await send('content=x', 'application/x-www-form-urlencoded')).status, 415);
    assert.equal((await send('{"content":', 'application/json')).status, 400);
    assert.equal((await send('[]', 'application/json')).status, 400);
    assert.equal((await send(new Uint8Array([0xff, 0xfe]), 'application/json')).status, 400);
    assert.match(
      (await send(`{"content":"x","metadata":{"a":${'['.repeat(70)}${']'.repeat(70)}}}`, 'application/json')).body
        .detail,
      /64 levels/,
    );
  });

  it('never reaches prototypes', async () => {
    const body =
      '{"content":"polluted?","metadata":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}}';
    const headers = { 'content-type': 'application/json' };
    const { status, body: problem } = await app.json('POST', `${BASE}/memories`, { body, headers });
    assert.equal(status, 400);
    assert.match(problem.detail, /metadata must not have the key "__proto__"/);
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
    assert.equal((await app.json('GET', `${BASE}/memories?__proto__=1`)).status, 400);
  });
});

describe('one memory', () => {
  it('is found by id, hash and key, and 304 while it is unchanged', async () => {
    const { memory } = (await store({ content: 'A keyed one.', key: 'notes/keyed one', project: 'p1' })).body;
    const byId = await app.json('GET', `${BASE}/memories/${memory.id}`);
    assert.equal(byId.headers.get('etag'), '"1"');
    assert.equal((await app.json('GET', `${BASE}/memories/${memory.content_hash}`)).body.id, memory.id);
    const byKey = await app.json('GET', `${BASE}/memories/${encodeURIComponent('notes/keyed one')}?project=p1`);
    assert.equal(byKey.headers.get('content-location'), `${BASE}/memories/${memory.id}`);
    const same = await app.request('GET', `${BASE}/memories/${memory.id}`, {
      headers: { 'if-none-match': 'W/"0", "1"' },
    });
    assert.equal(same.status, 304);
    assert.equal(await same.text(), '');
    assert.equal(
      (await app.request('GET', `${BASE}/memories/${memory.id}`, { headers: { 'if-none-match': '"2"' } })).status,
      200,
    );
    assert.equal((await app.json('GET', `${BASE}/memories/nothing-like-it`)).status, 404);
  });

  it('changes only at the revision in If-Match, and keeps its earlier states', async () => {
    const { memory } = (await store({ content: 'First wording of the rule.', metadata: { a: 1, b: 2 } })).body;
    const path = `${BASE}/memories/${memory.id}`;
    const changed = await app.json('PATCH', path, {
      json: { content: 'Second wording of the rule.', metadata: { a: null }, reason: 'clearer' },
      headers: { 'if-match': '"1"' },
    });
    assert.equal(changed.status, 200);
    assert.equal(changed.headers.get('etag'), '"2"');
    assert.deepEqual(changed.body.memory.metadata, { b: 2 });
    const stale = await app.json('PATCH', path, {
      json: { content: 'Third wording.' },
      headers: { 'if-match': '"1"' },
    });
    assert.deepEqual([stale.status, stale.body.code], [412, 'conflict']);
    assert.equal((await app.json('DELETE', path, { headers: { 'if-match': '"1"' } })).status, 412);
    assert.equal(
      (await app.json('PATCH', path, { json: { content: 'x' }, headers: { 'if-match': 'nonsense' } })).status,
      400,
    );
    const { versions } = (await app.json('GET', `${path}/versions`)).body;
    assert.equal(versions[0]?.memory.content, 'First wording of the rule.');
    assert.equal(versions[0]?.reason, 'clearer');
    assert.equal((await app.json('PATCH', `${BASE}/memories/nothing-like-it`, { json: { type: 'note' } })).status, 404);
  });

  it('is deleted, restored and purged', async () => {
    const { memory } = (await store({ content: 'Here, gone, back, gone for good.' })).body;
    const path = `${BASE}/memories/${memory.id}`;
    assert.equal((await app.json('DELETE', path)).body.outcome, 'deleted');
    assert.equal((await app.json('GET', path)).status, 404);
    assert.equal((await app.json('DELETE', path)).status, 404);
    assert.notEqual((await app.json('GET', `${path}?include_deleted=true`)).body.deleted_at, null);
    assert.equal((await app.json('POST', `${path}/restore`)).body.deleted_at, null);
    assert.equal((await app.json('GET', path)).status, 200);
    assert.deepEqual((await app.json('POST', `${path}/purge`)).body.purged, [memory.id]);
    assert.equal((await app.json('GET', `${path}?include_deleted=true`)).status, 404);
    assert.equal((await app.json('POST', `${path}/restore`)).status, 404);
    assert.equal((await app.json('POST', `${path}/purge`)).status, 404);
  });
});

describe('many memories', () => {
  it('are listed page by page, by cursor or by number, until the last one', async () => {
    for (let i = 0; i < 7; i++)
      await store({ content: `Page item ${i}`, project: 'pages', tags: [i % 2 === 0 ? 'even' : 'odd'] });
    const seen: string[] = [];
    let next: string | null = `${BASE}/memories?project=pages&limit=3`;
    while (next !== null) {
      const page: { headers: Headers; body: { memories: { content: string }[]; total: number; next: string | null } } =
        await app.json('GET', next);
      assert.equal(page.body.total, 7);
      assert.equal(page.headers.get('link'), page.body.next === null ? null : `<${page.body.next}>; rel="next"`);
      seen.push(...page.body.memories.map(({ content }) => content));
      next = page.body.next;
    }
    assert.deepEqual(
      seen,
      [6, 5, 4, 3, 2, 1, 0].map((i) => `Page item ${i}`),
    );
    const third = await app.json('GET', `${BASE}/memories?project=pages&limit=3&page=3`);
    assert.deepEqual([third.body.memories.length, third.body.next], [1, null]);
    assert.equal((await app.json('GET', `${BASE}/memories?project=pages&tags=odd&limit=50`)).body.total, 3);
    assert.equal((await app.json('GET', `${BASE}/memories?project=pages&cursor=rubbish`)).body.code, 'invalid_cursor');
    assert.equal((await app.json('GET', `${BASE}/memories?page=1&cursor=x`)).status, 400);
  });

  it('are deleted by filter, after a dry run that deletes nothing', async () => {
    await store({ content: 'Scratch one.', tags: ['scratch'] });
    await store({ content: 'Scratch two.', tags: ['scratch'] });
    const remove = (json: object) => app.json('POST', `${BASE}/memories/delete`, { json });
    const dry = await remove({ tags: ['scratch'], dry_run: true });
    assert.deepEqual([dry.body.outcome, dry.body.count], ['would_delete', 2]);
    assert.equal((await remove({ tags: ['scratch'] })).body.count, 2);
    assert.equal((await app.json('GET', `${BASE}/memories?tags=scratch`)).body.total, 0);
    assert.equal((await remove({})).status, 400);
    assert.equal((await remove({ ids: ['x'], tags: ['scratch'] })).status, 400);
  });

  it('are found by search, asked in the body or in the URL', async () => {
    await store({
      content: 'The billing service retries a failed webhook eleven times.',
      project: 'search',
      tags: ['billing'],
    });
    await store({ content: 'Sourdough needs a warm place.', project: 'search' });
    const posted = await app.json('POST', `${BASE}/search`, {
      json: { query: 'how often is a webhook retried?', project: 'search', include_debug: true },
    });
    assert.equal(posted.status, 200);
    assert.match(posted.body.hits[0]!.snippet, /eleven times/);
    const asked = await app.json('GET', `${BASE}/search?q=webhook&project=search&tags=billing&limit=1&fallback=false`);
    assert.equal(asked.body.hits[0]?.id, posted.body.hits[0]?.id);
    assert.equal((await app.json('GET', `${BASE}/search?q=x&when=flurbsday`)).body.code, 'unreadable_time');
    assert.equal((await app.json('POST', `${BASE}/search`, { json: { query: 'x'.repeat(10_001) } })).status, 400);
  });
});

describe('the state', () => {
  it('is told as labels, counts and health, with the place of the database for administrators only', async () => {
    await store({ content: 'Labelled.', tags: ['label-x'], project: 'label-p', agent: 'label-a', type: 'decision' });
    type Counts = { name: string; count: number }[];
    const names = async (plural: string) =>
      (await app.json<Record<string, Counts>>('GET', `${BASE}/${plural}`)).body[plural]!.map(({ name }) => name);
    assert.ok((await names('tags')).includes('label-x'));
    assert.ok((await names('projects')).includes('label-p'));
    assert.ok((await names('agents')).includes('label-a'));
    assert.ok((await names('types')).includes('decision'));
    const { known } = (await app.json<{ known: Record<string, string[]> }>('GET', `${BASE}/types`)).body;
    assert.ok(known.error?.includes('bug'));
    assert.ok((await app.json<{ memories: number }>('GET', `${BASE}/stats`)).body.memories > 0);
    assert.equal((await app.json<{ location: string }>('GET', `${BASE}/health`)).body.location, app.config.db);
    const limited = await app.json<{ location?: string }>('GET', `${BASE}/health`, { token: app.tokens.read });
    assert.equal(limited.body.location, undefined);
    assert.doesNotMatch(JSON.stringify(limited.body), /memory\.db/);
  });
});
