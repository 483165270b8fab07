import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, type Transport } from '@modelcontextprotocol/client';
import { connectClient } from '../../test/conformance/connect-client.ts';
import { callerOf, recordingLog } from '../../test/conformance/stub-engine.ts';
import { openTestEngine } from '../../test/open-test-engine.ts';
import type { Engine } from '../engine/engine.ts';
import type { Message } from '../model/json-rpc.ts';
import { createTools } from '../server/create-tools.ts';
import { createStdioBackend } from './stdio-backend.ts';

/** Collects the resources that a client is told about. */
function listenTo(client: Client): { next(): Promise<string> } {
  const told: string[] = [];
  let wake: (() => void) | null = null;
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    told.push(params.uri);
    wake?.();
  });
  return {
    async next() {
      while (told.length === 0)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      return told.shift()!;
    },
  };
}

async function idOf(stored: ReturnType<Engine['storeMemory']>): Promise<string> {
  const outcome = await stored;
  assert.equal(outcome.outcome, 'stored');
  return outcome.outcome === 'stored' ? outcome.memory.id : '';
}

test('a 2026 client that listens is told when a resource may read differently', async (t) => {
  const { engine } = await openTestEngine(t);
  const caller = callerOf();
  const id = await idOf(engine.storeMemory(caller, { content: 'watched' }));
  const { client, close } = await connectClient(engine, { caller, mode: 'auto' });
  t.after(close);
  const heard = listenTo(client);
  const listening = await client.listen({ resourceSubscriptions: [`memory://record/${id}`, 'memory://tags'] });
  await engine.updateMemory(caller, { ref: id, tags: ['fresh'] });
  assert.deepEqual(
    new Set([await heard.next(), await heard.next()]),
    new Set([`memory://record/${id}`, 'memory://tags']),
  );
  await listening.close();
});

test('a 2026 client hears nothing of other people', async (t) => {
  const { engine } = await openTestEngine(t);
  const { client, close } = await connectClient(engine, { caller: callerOf('eve'), mode: 'auto' });
  t.after(close);
  const heard = listenTo(client);
  const listening = await client.listen({ resourceSubscriptions: ['memory://recent/10', 'memory://stats'] });
  await engine.storeMemory(callerOf('ada'), { content: 'a secret of ada' });
  await engine.storeMemory(callerOf('eve'), { content: 'a note of eve' });
  const told = [await heard.next(), await heard.next()];
  assert.equal(new Set(told).size, 2, 'one notice each, for the one change that is theirs');
  await listening.close();
});

test('a 2025 client with a session subscribes to a resource, and unsubscribes', async (t) => {
  const { engine } = await openTestEngine(t);
  const caller = callerOf();
  const { client, close } = await connectClient(engine, { caller, mode: 'legacy', sessions: true });
  t.after(close);
  assert.equal(client.getServerCapabilities()?.resources?.subscribe, true);
  const heard = listenTo(client);
  await client.subscribeResource({ uri: 'memory://recent/5' });
  await client.subscribeResource({ uri: 'memory://tags' });
  await client.unsubscribeResource({ uri: 'memory://tags' });
  await engine.storeMemory(caller, { content: 'first' });
  assert.equal(await heard.next(), 'memory://recent/5');
  await engine.storeMemory(caller, { content: 'second, quite different' });
  assert.equal(await heard.next(), 'memory://recent/5');
});

test('a 2025 client without a session is not promised what nobody could keep', async (t) => {
  const { engine } = await openTestEngine(t);
  const { client, close } = await connectClient(engine, { mode: 'legacy' });
  t.after(close);
  assert.equal(client.getServerCapabilities()?.resources?.subscribe, undefined);
});

for (const mode of ['legacy', 'auto'] as const) {
  test(`over stdio a client of the ${mode === 'legacy' ? '2025' : '2026'} era is told too`, async (t) => {
    const { engine } = await openTestEngine(t);
    const caller = callerOf();
    const transport: Transport = {
      start: async () => {},
      send: async (message) => backend.receive(message as Message),
      close: async () => transport.onclose?.(),
    };
    const backend = createStdioBackend(
      (message) => transport.onmessage?.(message as never),
      async () => ({ engine, caller }),
      { log: recordingLog(), tools: await createTools() },
    );
    const client = new Client({ name: 'probe', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(transport);
    t.after(() => backend.close());
    const heard = listenTo(client);
    if (mode === 'legacy') await client.subscribeResource({ uri: 'memory://stats' });
    else await client.listen({ resourceSubscriptions: ['memory://stats'] });
    await engine.storeMemory(caller, { content: 'something new' });
    assert.equal(await heard.next(), 'memory://stats');
  });
}
