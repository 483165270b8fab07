import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { makeFolder } from '../../test/open-test-engine.ts';
import { loadConfig } from './config.ts';
import { openEngine } from './open-engine.ts';
import { ownerCaller } from './owner-caller.ts';

it('opens without the embeddings service when that is down, and says so', async () => {
  const folder = makeFolder();
  const warnings: string[] = [];
  const log = { info: () => {}, warn: (event: string) => void warnings.push(event), error: () => {} };
  const flags = { db: join(folder, 'memory.db'), 'embedder-url': 'http://127.0.0.1:9/v1' };
  const engine = await openEngine(loadConfig({ flags, env: {}, file: join(folder, 'config.json') }), log);
  assert.ok(warnings.includes('embedder_unavailable'));
  const stored = await engine.storeMemory(ownerCaller('cli'), { content: 'kept although the model is down' });
  assert.equal(stored.outcome, 'stored');
  assert.equal((await engine.search(ownerCaller('cli'), { query: 'model down' })).hits.length, 1);
  await engine.close();
});
