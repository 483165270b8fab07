import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createRemoteClient } from '../../src/client/remote-client.ts';
import { VERBS } from '../../src/features/verb-table.ts';
import { openTestApp, TEST_HOST } from '../open-test-app.ts';

// biome-ignore lint/suspicious/noExplicitAny: the schema check of `json` has said what is there
type Body = any;

const app = await openTestApp({ 'max-document-bytes': '50000', 'max-body-bytes': '2000' });
after(() => app.close());
const pdf = new Uint8Array(readFileSync(join(import.meta.dirname, 'fixtures', 'turbine.pdf')));

/** As a form is sent: its body, and the header that says where its parts end. */
async function form(
  entries: Readonly<Record<string, string | File>>,
): Promise<{ body: Uint8Array<ArrayBuffer>; headers: Record<string, string> }> {
  const data = new FormData();
  for (const [name, value] of Object.entries(entries)) data.append(name, value);
  const whole = new Response(data);
  return {
    body: new Uint8Array(await whole.arrayBuffer()),
    headers: { 'content-type': whole.headers.get('content-type')! },
  };
}

test('a file is uploaded in a form or as it is, found, shown with its sections, removed and restored', async () => {
  const sent = await form({ file: new File([pdf], 'turbine.pdf'), tags: 'manual,wind', project: 'roof' });
  const first = await app.json<Body>('POST', '/api/v1/documents', sent);
  assert.deepEqual([first.status, first.body.outcome, first.body.document.pages], [201, 'ingested', 5]);
  assert.deepEqual([first.body.document.tags, first.body.document.trust], [['manual', 'wind'], 'untrusted']);
  const { id } = first.body.document;
  assert.equal(first.headers.get('location'), `/api/v1/documents/${id}`);

  const again = await app.json<Body>('POST', '/api/v1/documents?name=turbine.pdf&project=roof', {
    body: pdf,
    headers: { 'content-type': 'application/pdf' },
  });
  assert.deepEqual([again.status, again.body.outcome, again.body.document.id], [200, 'unchanged', id]);

  const found = await app.json<Body>('POST', '/api/v1/search', { json: { query: 'rear bearing grease', limit: 1 } });
  assert.deepEqual(found.body.hits[0].section, {
    document: id,
    title: 'Turbine Manual',
    uri: 'turbine.pdf',
    headings: ['Maintenance', 'Bearings'],
    page: 3,
    line: null,
  });
  const shown = await app.json<Body>('GET', `/api/v1/documents/${id}?limit=2&offset=1`);
  assert.deepEqual(
    shown.body.sections.map(({ page }: Body) => page),
    [2, 3],
  );
  assert.equal((await app.json<Body>('GET', '/api/v1/documents?tags=wind')).body.total, 1);

  const removed = await app.json<Body>('DELETE', `/api/v1/documents/${id}`);
  assert.deepEqual([removed.body.outcome, removed.body.sections], ['deleted', 5]);
  assert.equal((await app.request('GET', `/api/v1/documents/${id}`)).status, 404);
  assert.equal((await app.request('DELETE', `/api/v1/documents/${id}`)).status, 404);
  assert.equal((await app.json<Body>('POST', `/api/v1/documents/${id}/restore`)).body.document.id, id);
  const byTag = await app.json<Body>('POST', '/api/v1/documents/remove', { json: { tags: ['wind'], dry_run: true } });
  assert.deepEqual([byTag.body.outcome, byTag.body.documents.length], ['would_delete', 1]);
  assert.equal((await app.request('POST', '/api/v1/documents/remove', { json: {} })).status, 400);
});

test('uploads need the right to write, and reading the right to read', async () => {
  const sent = { body: '# A\n\nText.', headers: { 'content-type': 'text/markdown' } };
  const path = '/api/v1/documents?name=a.md';
  assert.equal((await app.request('POST', path, { ...sent, token: null })).status, 401);
  assert.equal((await app.request('POST', path, { ...sent, token: app.tokens.read })).status, 403);
  assert.equal((await app.request('POST', path, { ...sent, token: app.tokens.write })).status, 201);
  assert.equal((await app.request('GET', '/api/v1/documents', { token: null })).status, 401);
  assert.equal((await app.request('GET', '/api/v1/documents', { token: app.tokens.read })).status, 200);
  assert.equal((await app.request('DELETE', '/api/v1/documents/a.md', { token: app.tokens.read })).status, 403);
});

test('what is too large, of no known kind, without a name or no sound form is refused, and nothing is stored', async () => {
  const before = (await app.json<Body>('GET', '/api/v1/documents')).body.total;
  const ask = async (path: string, call: object) => {
    const response = await app.request('POST', path, call);
    return [response.status, ((await response.json()) as Body).code];
  };
  const type = { 'content-type': 'application/octet-stream' };
  const large = new Uint8Array(200_000).fill(97);
  const endless = new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(20_000).fill(97));
    },
  });
  assert.deepEqual(await ask('/api/v1/documents?name=a.txt', { body: large, headers: type }), [413, 'too_large']);
  assert.deepEqual(await ask('/api/v1/documents?name=a.txt', { body: endless, headers: type }), [413, 'too_large']);
  const inForm = await form({ file: new File([large.subarray(0, 60_000)], 'a.txt') });
  assert.deepEqual(await ask('/api/v1/documents', inForm), [413, 'too_large']);
  assert.deepEqual(await ask('/api/v1/documents?name=a.exe', { body: 'MZ', headers: type }), [400, 'invalid_input']);
  assert.deepEqual(await ask('/api/v1/documents', { body: 'text', headers: type }), [400, 'invalid_input']);
  assert.deepEqual(await ask('/api/v1/documents', await form({ tags: 'x' })), [400, 'invalid_input']);
  assert.deepEqual(await ask('/api/v1/documents', await form({ file: new File(['a'], 'a.md'), colour: 'red' })), [
    400,
    'invalid_input',
  ]);
  const broken = { body: 'no form', headers: { 'content-type': 'multipart/form-data; boundary=x' } };
  assert.deepEqual(await ask('/api/v1/documents', broken), [400, 'invalid_input']);
  assert.deepEqual(await ask('/api/v1/documents/url', { json: { url: 'https://example.com/' } }), [403, 'forbidden']);
  assert.equal((await app.json<Body>('GET', '/api/v1/documents')).body.total, before);
});

test('the same client ingests far as it does near', async () => {
  const far = createRemoteClient(VERBS, {
    host: TEST_HOST,
    fetch: (path, { method = 'GET', body, headers } = {}) =>
      app.request(method, path, { body: body as Uint8Array<ArrayBuffer>, headers: headers as Record<string, string> }),
  });
  const bytes = new TextEncoder().encode('# Far away\n\nAn island with goats.');
  const { outcome, document } = await far.ingestDocument({
    name: 'far.md',
    uri: 'laptop:/far.md',
    bytes,
    tags: ['isle'],
    modifiedAt: 1_700_000_000_000,
  });
  assert.deepEqual([outcome, document.title, document.modifiedAt], ['ingested', 'Far away', 1_700_000_000_000]);
  const { sections } = await far.getDocument({ ref: 'laptop:/far.md', limit: 5 });
  assert.deepEqual(
    sections.map(({ line, content }) => [line, content]),
    [[3, 'An island with goats.']],
  );
});
