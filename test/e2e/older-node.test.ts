import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { makeServeFolder, startServe } from './serve-process.ts';

test('a server whose database a newer program has upgraded is not ready, refuses writes with a hint, and still reads', async () => {
  const folder = makeServeFolder(null);
  const file = join(folder, 'memory.db');
  const server = await startServe(folder, ['--db', file]);
  const token = readFileSync(join(folder, 'owner-token'), 'utf8').trim();
  const ask = (method: string, path: string, body?: unknown) =>
    fetch(`${server.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  try {
    assert.equal((await ask('POST', '/api/v1/memories', { content: 'The harbour opens at six' })).status, 201);
    assert.equal((await ask('GET', '/health')).status, 200);
    assert.notEqual((await ask('POST', '/mcp', list)).status, 503);

    const database = new DatabaseSync(file);
    const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
    database.exec(`PRAGMA user_version = ${version + 1}`);
    database.close();
    await new Promise((resolve) => setTimeout(resolve, 1100));

    const health = await ask('GET', '/health');
    const { status, hint } = (await health.json()) as { status: string; hint: string };
    assert.deepEqual([health.status, status], [503, 'outdated']);
    assert.match(hint, /Update/);

    const write = await ask('POST', '/api/v1/memories', { content: 'The crane is serviced in May' });
    const problem = (await write.json()) as { code: string; hint: string };
    assert.deepEqual([write.status, problem.code], [503, 'storage_unsupported']);
    assert.match(problem.hint, /Update ltm/);
    assert.ok(Number(write.headers.get('retry-after')) > 0);

    const service = await ask('POST', '/api/memories', { content: 'The crane is serviced in June' });
    assert.deepEqual([service.status, /Update/.test(await service.text())], [503, true]);
    assert.equal((await ask('POST', '/mcp', list)).status, 503);
    assert.equal((await ask('GET', '/api/v1/memories')).status, 200);
    assert.match(server.log(), /storage_unsupported/);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
