import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openTestApp } from '../../test/open-test-app.ts';

const app = await openTestApp();
after(() => app.close());

const BASE = '/api/v1';

describe('export and import', () => {
  it('carry everything into another database, line by line', async () => {
    const exported = await app.request('GET', `${BASE}/export?include_deleted=false`);
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
});
