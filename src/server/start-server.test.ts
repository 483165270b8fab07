import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Log } from '../engine/ports.ts';
import { loadConfig } from '../features/config.ts';
import type { EngineError } from '../model/errors.ts';
import { startServer } from './start-server.ts';

const root = mkdtempSync(join(tmpdir(), 'ltm-serve-'));
after(() => rmSync(root, { recursive: true }));
const quiet: Log = { info: () => {}, warn: () => {}, error: () => {} };

function configure(flags: Record<string, string> = {}) {
  const folder = mkdtempSync(join(root, 'x-'));
  return loadConfig({
    flags: { db: join(folder, 'memory.db'), port: '0', ...flags },
    env: {},
    file: join(folder, 'config.json'),
  });
}

it('serves over a real socket with the token it made, until it is closed', async () => {
  const config = configure();
  const server = await startServer(config, quiet);
  const headers = { authorization: `Bearer ${server.token.value}`, 'content-type': 'application/json' };
  assert.equal(readFileSync(server.token.file!, 'utf8').trim(), server.token.value);
  const stored = await fetch(`${server.url}/api/v1/memories`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ content: 'Over a real socket.' }),
  });
  assert.equal(stored.status, 201);
  const found = (await (await fetch(`${server.url}/api/v1/search?q=socket`, { headers })).json()) as {
    hits: { snippet: string }[];
  };
  assert.equal(found.hits[0]?.snippet, 'Over a real socket.');
  await server.close();
  await assert.rejects(fetch(`${server.url}/health`));

  const again = await startServer(config, quiet);
  assert.equal(again.token.value, null);
  assert.equal((await fetch(`${again.url}/api/v1/tags`, { headers })).status, 200);
  await again.close();
});

it('refuses other names in the Host header, on the wire', async () => {
  const server = await startServer(configure(), quiet);
  const port = Number(new URL(server.url).port);
  const answer = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () =>
      socket.write('GET /health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n'),
    );
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text));
  });
  assert.match(answer, /^HTTP\/1\.1 403/);
  await server.close();
});

it('says so when the port is taken', async () => {
  const first = await startServer(configure(), quiet);
  const port = new URL(first.url).port;
  await assert.rejects(startServer(configure({ port }), quiet), (error: EngineError) => {
    assert.equal(error.code, 'busy');
    assert.match(`${error.message} ${error.hint}`, new RegExp(`Port ${port} on 127.0.0.1 is in use.*--port`));
    return true;
  });
  await first.close();
});

it('refuses to listen for other machines while there is no token, unless it is told to make one', async () => {
  const config = configure({ host: '0.0.0.0' });
  await assert.rejects(
    startServer(config, quiet),
    (error: EngineError) => error.code === 'forbidden' && /--create-token/.test(error.hint!),
  );
  const warnings: string[] = [];
  const server = await startServer(
    config,
    { ...quiet, warn: (event) => void warnings.push(event) },
    { createToken: true },
  );
  assert.notEqual(server.token.value, null);
  assert.ok(warnings.includes('plain_http'));
  await server.close();
  await (await startServer(config, quiet)).close();
});

it('leaves nothing behind when it cannot start for a tokens file that is broken, empty or missing', async () => {
  for (const text of ['{broken', '{}', '[]', '{"a token": "ann"}', null]) {
    const file = join(mkdtempSync(join(root, 't-')), 'user_tokens.json');
    if (text !== null) writeFileSync(file, text, { mode: 0o600 });
    const config = configure({ 'tokens-file': file });
    await assert.rejects(
      startServer(config, quiet),
      (error: EngineError) => error.code === 'invalid_input' && error.message.includes(file),
    );
    assert.deepEqual(readdirSync(dirname(config.db)), []);
  }
});

it('finishes what has begun before it closes', async () => {
  const server = await startServer(configure(), quiet);
  const headers = { authorization: `Bearer ${server.token.value}`, 'content-type': 'application/json' };
  const writes = Array.from({ length: 20 }, (_, i) =>
    fetch(`${server.url}/api/v1/memories`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ content: `Write ${i} during the close.`, on_duplicate: 'store' }),
    }),
  );
  await writes[0];
  const closing = server.close();
  const results = await Promise.allSettled(writes);
  await closing;
  for (const result of results) if (result.status === 'fulfilled') assert.equal(result.value.status, 201);
  assert.ok(results.filter(({ status }) => status === 'fulfilled').length >= 1);
});

it('gives what was imported its vectors at once, not at the next round of background work', async () => {
  const rounds: number[] = [];
  const log: Log = {
    ...quiet,
    info: (event, facts) => {
      if (event === 'upkeep') rounds.push(Number(facts?.embedded));
    },
  };
  const from = await startServer(configure(), quiet);
  const to = await startServer(configure({ 'upkeep-seconds': '3600' }), log);
  const headers = (server: typeof from) => ({ authorization: `Bearer ${server.token.value}` });
  try {
    await fetch(`${from.url}/api/v1/memories`, {
      method: 'POST',
      headers: { ...headers(from), 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'The harbour opens at six.' }),
    });
    const body = await (await fetch(`${from.url}/api/v1/export`, { headers: headers(from) })).text();
    const imported = await fetch(`${to.url}/api/v1/import`, {
      method: 'POST',
      headers: { ...headers(to), 'content-type': 'application/x-ndjson' },
      body,
    });
    assert.equal(imported.status, 200, await imported.text());
    for (let tries = 0; !rounds.includes(1) && tries < 100; tries++) await setTimeout(50);
    assert.ok(rounds.includes(1));
  } finally {
    await Promise.all([from.close(), to.close()]);
  }
});
