import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createDocumentReader } from '../../src/features/documents/create-document-reader.ts';
import { fetchUrl } from '../../src/features/documents/fetch-url.ts';
import { engineError, makeCaller, openTestEngine } from '../open-test-engine.ts';

type Page = (response: ServerResponse) => void;

async function serve(
  context: { after(end: () => void): void },
  pages: Readonly<Record<string, Page>>,
): Promise<string> {
  const server = createServer((request, response) => {
    const page = pages[request.url ?? ''];
    if (page === undefined) response.writeHead(404).end();
    else page(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const html = (response: ServerResponse): void =>
  void response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end('<title>Ferry</title><h1>Ferry</h1><p>The ferry leaves at seven.</p>');

test('URLs are not fetched unless the operator allows it', async (t) => {
  const { engine } = await openTestEngine(t, { documents: createDocumentReader() });
  await assert.rejects(
    engine.ingestUrl(makeCaller('cli'), { url: 'https://example.com/' }),
    engineError('forbidden', /not ingested from URLs/),
  );
});

test('a page is ingested under its address, is believed by nobody, and is updated when it changes', async (t) => {
  let text = 'The ferry leaves at seven.';
  const host = await serve(t, {
    '/ferry': (response) =>
      void response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>Ferry</h1><p>${text}</p>`),
  });
  const { engine } = await openTestEngine(t, { documents: createDocumentReader({ urls: 'loopback' }) });
  const caller = makeCaller('cli');
  const first = await engine.ingestUrl(caller, { url: `${host}/ferry` });
  assert.deepEqual([first.outcome, first.document.format, first.document.trust], ['ingested', 'html', 'untrusted']);
  assert.equal((await engine.ingestUrl(caller, { url: `${host}/ferry` })).outcome, 'unchanged');
  text = 'The ferry leaves at nine.';
  const second = await engine.ingestUrl(caller, { url: `${host}/ferry` });
  assert.deepEqual([second.outcome, second.document.id], ['updated', first.document.id]);
  assert.equal(
    (await engine.search(caller, { query: 'ferry leaves', limit: 1 })).hits[0]?.section?.uri,
    `${host}/ferry`,
  );
});

test('machines that are not on the open internet are not asked, by whatever name or redirect', async (t) => {
  const inside = engineError('invalid_input', /public address/, { reason: 'private_address' });
  const host = await serve(t, { '/': html });
  const { port } = new URL(host);
  for (const url of [
    host,
    `http://localhost:${port}/`,
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://10.0.0.1/',
    'http://192.168.1.1/',
    'http://0.0.0.0/',
    `http://2130706433:${port}/`,
    `http://0x7f.1:${port}/`,
  ])
    await assert.rejects(fetchUrl(url, { maxBytes: 1000 }), inside, url);
  const leading = await serve(t, {
    '/in': (response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end(),
    '/file': (response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    '/round': (response) => void response.writeHead(302, { location: '/round' }).end(),
    '/there': (response) => void response.writeHead(301, { location: '/page' }).end(),
    '/page': html,
  });
  const options = { maxBytes: 1000, allowLoopback: true };
  await assert.rejects(fetchUrl(`${leading}/in`, options), inside);
  await assert.rejects(
    fetchUrl(`${leading}/file`, options),
    engineError('invalid_input', /http/, { reason: 'not_http' }),
  );
  await assert.rejects(
    fetchUrl(`${leading}/round`, options),
    engineError('invalid_input', /more than/, { reason: 'too_many_redirects' }),
  );
  assert.equal((await fetchUrl(`${leading}/there`, options)).uri, `${leading}/page`);
});

test('what is too large, too slow, compressed, of another type or not there is refused', async (t) => {
  const host = await serve(t, {
    '/large': (response) =>
      void response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 5000 }).end('x'.repeat(5000)),
    '/endless': (response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const timer = setInterval(() => response.write('x'.repeat(500)), 1);
      response.on('close', () => clearInterval(timer));
    },
    '/slow': (response) => void response.writeHead(200, { 'content-type': 'text/plain' }).write('x'),
    '/zipped': (response) =>
      void response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end('x'),
    '/image': (response) => void response.writeHead(200, { 'content-type': 'image/png' }).end('x'),
  });
  const options = { maxBytes: 1000, allowLoopback: true };
  for (const path of ['/large', '/endless'])
    await assert.rejects(fetchUrl(host + path, options), engineError('too_large', /larger than 1000/));
  await assert.rejects(fetchUrl(`${host}/slow`, { ...options, timeoutMs: 200 }), engineError('busy', /in time/));
  await assert.rejects(fetchUrl(`${host}/zipped`, options), engineError('invalid_input', /compressed/));
  await assert.rejects(
    fetchUrl(`${host}/image`, options),
    engineError('invalid_input', /image\/png/, { reason: 'content_type' }),
  );
  await assert.rejects(fetchUrl(`${host}/nothing`, options), engineError('not_found', /404/));
  await assert.rejects(fetchUrl('http://user:word@example.com/', options), engineError('invalid_input', /password/));
  await assert.rejects(fetchUrl('ftp://example.com/', options), engineError('invalid_input', /http/));
});
