import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { makeFolder } from '../../test/open-test-engine.ts';
import { loadConfig } from '../features/config.ts';
import { ownerCaller } from '../model/caller.ts';
import { openEngine } from './open-engine.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

function configWith(flags: Record<string, string>) {
  const folder = makeFolder();
  return loadConfig({ flags: { db: join(folder, 'memory.db'), ...flags }, env: {}, file: join(folder, 'config.json') });
}

/** Takes connections and never says a word. */
async function listenInSilence(t: TestContext): Promise<{ url: string; connections(): number }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, connections: () => sockets.size };
}

it('opens without asking the embeddings service, and says in the health that it is down or silent', async (t) => {
  const silent = await listenInSilence(t);
  for (const url of ['http://127.0.0.1:9/v1', silent.url]) {
    const engine = await openEngine(configWith({ 'embedder-url': url }), quiet);
    t.after(() => engine.close());
    assert.equal(silent.connections(), 0);
    const { status, problems, embedder } = await engine.checkHealth(ownerCaller('cli'));
    assert.deepEqual([status, embedder?.dimensions], ['degraded', 0]);
    assert.match(problems.join(), /embedder does not answer/);
  }
});

it('stores and finds by words while the embeddings service is down', async (t) => {
  const engine = await openEngine(configWith({ 'embedder-url': 'http://127.0.0.1:9/v1' }), quiet);
  t.after(() => engine.close());
  const stored = await engine.storeMemory(ownerCaller('cli'), { content: 'kept although the model is down' });
  assert.equal(stored.outcome, 'stored');
  const { hits, notices } = await engine.search(ownerCaller('cli'), { query: 'model down' });
  assert.equal(hits.length, 1);
  assert.match(notices.join(), /words alone/);
});

it('opens although the folder of the ONNX model is gone, and takes it when it is back', async (t) => {
  const folder = join(makeFolder(), 'model');
  const warnings: string[] = [];
  const engine = await openEngine(configWith({ 'embedder-folder': folder }), {
    ...quiet,
    warn: (event) => void warnings.push(event),
  });
  t.after(() => engine.close());
  assert.deepEqual(warnings, ['embedder_unavailable']);
  const problemOf = async () => (await engine.checkHealth(ownerCaller('cli'))).problems.join();
  assert.match(await problemOf(), /does not contain an embedding model/);
  mkdirSync(folder);
  writeFileSync(join(folder, 'model.onnx'), 'weights');
  writeFileSync(join(folder, 'tokenizer.json'), '{}');
  assert.doesNotMatch(await problemOf(), /does not contain an embedding model/);
});
