import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { openTestApp } from '../../test/open-test-app.ts';

const app = await openTestApp();
after(() => app.close());

const BASE = '/api/v1';

describe('export and import', () => {
  it('leave out what is deleted, unless it is asked for', async () => {
    const stored = await app.json<{ memory: { id: string } }>('POST', `${BASE}/memories`, {
      json: { content: 'The lighthouse was painted mauve.' },
    });
    await app.json('DELETE', `${BASE}/memories/${stored.body.memory.id}`);
    const read = async (query: string) => (await app.request('GET', `${BASE}/export${query}`)).text();
    assert.doesNotMatch(await read(''), /mauve/);
    assert.match(await read('?include_deleted=true'), /mauve/);
  });

  it('carry everything into another database, line by line', async () => {
    const exported = await app.request('GET', `${BASE}/export`);
    assert.equal(exported.headers.get('content-type'), 'application/x-ndjson');
    const text = await exported.text();
    const lines = text.trimEnd().split('\n');
    for (const line of lines) JSON.parse(line);
    const other = await openTestApp();
    try {
      const upload = () =>
        other.json<{ records: number }>('POST', `${BASE}/import`, {
          body: text,
          headers: { 'content-type': 'application/x-ndjson' },
        });
      const first = await upload();
      assert.equal(first.status, 200);
      assert.equal(first.body.records, (await app.json<{ memories: number }>('GET', `${BASE}/stats`)).body.memories);
      assert.equal((await upload()).body.records, 0);
      const broken = await other.json('POST', `${BASE}/import`, {
        body: `${lines[0]}\nnot json\n`,
        headers: { 'content-type': 'application/x-ndjson' },
      });
      assert.equal(broken.status, 400);
      assert.equal((await other.json('POST', `${BASE}/import`, { json: {} })).status, 415);
    } finally {
      await other.close();
    }
  });

  it('are sent compressed to whoever understands it, and plainly to others', async () => {
    for (let i = 0; i < 20; i++)
      await app.json('POST', `${BASE}/memories`, { json: { content: `Berth ${i} is dredged every spring.` } });
    const plain = Buffer.from(await (await app.request('GET', `${BASE}/sync/changes`)).arrayBuffer());
    const headers = { 'accept-encoding': 'gzip, zstd' };
    const answer = await app.request('GET', `${BASE}/sync/changes`, { headers });
    assert.equal(answer.headers.get('content-encoding'), 'zstd');
    const packed = Buffer.from(await answer.arrayBuffer());
    assert.ok(packed.length < plain.length / 2, `${packed.length} of ${plain.length} bytes`);
    assert.deepEqual(zstdDecompressSync(packed), plain);
    const declined = await app.request('GET', `${BASE}/sync/changes`, { headers: { 'accept-encoding': 'zstd;q=0' } });
    assert.equal(declined.headers.get('content-encoding'), null);
    await declined.text();
  });

  it('are taken compressed, as large as lines may be and no larger', async () => {
    const headers = { 'content-type': 'application/x-ndjson', 'content-encoding': 'zstd' };
    const pages = await app.request('GET', `${BASE}/sync/changes`);
    assert.equal(pages.headers.get('accept-encoding'), 'zstd');
    const text = await pages.text();
    const other = await openTestApp({ 'max-import-bytes': String(Math.max(1024, text.length + 10)) });
    try {
      const push = (body: Uint8Array<ArrayBuffer>, more = {}) =>
        other.json<{ taken: number; code: string }>('POST', `${BASE}/sync/changes?link=x`, {
          body: body as unknown as string,
          headers: { ...headers, ...more },
        });
      const packed = new Uint8Array(zstdCompressSync(text));
      assert.ok((await push(packed)).body.taken > 0);
      const bomb = new Uint8Array(zstdCompressSync(Buffer.alloc(text.length * 2, 10)));
      assert.ok(bomb.length < 1000);
      assert.equal((await push(bomb)).status, 413);
      assert.equal((await push(new TextEncoder().encode('not compressed'))).status, 400);
      assert.equal((await push(packed, { 'content-encoding': 'br' })).status, 415);
    } finally {
      await other.close();
    }
  });

  it('are refused where little that was sent unpacks to one line without end, or to very many', async () => {
    const headers = { 'content-type': 'application/x-ndjson', 'content-encoding': 'zstd' };
    for (const [text, reason] of [
      [Buffer.alloc(64 << 20, 'a'), 'line_too_long'],
      [Buffer.alloc(1 << 20, '1\n'), 'too_many_lines'],
    ] as const) {
      const body = new Uint8Array(zstdCompressSync(text));
      assert.ok(body.length < 20_000);
      const answer = await app.json<{ code: string; reason: string }>('POST', `${BASE}/sync/changes?link=x`, {
        body: body as unknown as string,
        headers,
      });
      assert.deepEqual([answer.status, answer.body.code, answer.body.reason], [413, 'too_large', reason]);
    }
  });

  it('say who brought it, and what the file claims', async () => {
    const { memory } = (await app.json('POST', `${BASE}/memories`, { json: { content: 'The anchor is painted.' } }))
      .body;
    const text = await (await app.request('GET', `${BASE}/export`)).text();
    const [header, ...records] = text.trimEnd().split('\n').slice(0, -1);
    const lines = [
      header!,
      ...records.map((line) => line.replace('"trust":"agent"', '"trust":"user"').replace(/,"crc":"\w+"\}$/, '}')),
    ];
    const sha256 = createHash('sha256')
      .update(lines.map((line) => `${line}\n`).join(''))
      .digest('hex');
    const end = { records: records.length, versions: 0, relations: 0, graves: 0, sha256 };
    const bob = (await app.addToken(['read', 'write', 'admin'], 'bob')).value;
    const headers = { 'content-type': 'application/x-ndjson', 'user-agent': 'curl/8' };
    const body = [...lines, JSON.stringify({ end })].join('\n');
    assert.equal((await app.json('POST', `${BASE}/import`, { body, headers, token: bob })).status, 200);
    const got = (await app.json('GET', `${BASE}/memories/${memory.id}`, { token: bob })).body;
    const { at, ...source } = got.source as typeof got.source & { at: string };
    assert.deepEqual(source, {
      door: 'import',
      user_id: 'bob',
      client: 'curl/8',
      claimed: { door: 'rest', user_id: 'owner', trust: 'user', created_at: got.created_at },
    });
    assert.ok(at >= got.created_at);
    assert.equal(got.trust, 'agent');
  });
});
