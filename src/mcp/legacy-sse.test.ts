import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { callerOf, recordingLog, stubEngine } from '../../test/conformance/stub-engine.ts';
import { engineError } from '../../test/open-test-engine.ts';
import { createTools } from '../server/create-tools.ts';
import { createLegacySse, type LegacySse } from './legacy-sse.ts';

const MINUTE = 60_000;

interface Opened {
  reader: ReadableStreamDefaultReader<Uint8Array>;
  id: string;
  end: AbortController;
  ended: () => boolean;
}

async function open(sse: LegacySse, userId = 'ada'): Promise<Opened> {
  const end = new AbortController();
  let isOver = false;
  const onEnd = (): void => {
    isOver = true;
  };
  const wanted = {
    families: ['core' as const],
    messagesPath: (id: string) => `/messages/?session_id=${id}`,
    signal: end.signal,
    onEnd,
  };
  const response = await sse.openStream(callerOf(userId), wanted);
  const reader = response.body!.getReader();
  const first = new TextDecoder().decode((await reader.read()).value);
  return { reader, id: /session_id=(\w+)/.exec(first)![1]!, end, ended: () => isOver };
}

async function makeSse(t: TestContext): Promise<LegacySse> {
  const sse = createLegacySse(stubEngine(), { tools: await createTools(), log: recordingLog() });
  t.after(() => sse.close());
  return sse;
}

const message = (sessionId: string, said: object) => ({
  sessionId,
  text: JSON.stringify({ jsonrpc: '2.0', id: 1, ...said }),
  check: () => {},
});
const ping = (sessionId: string) => message(sessionId, { method: 'ping' });
const readTags = (sessionId: string, id: number) =>
  message(sessionId, { id, method: 'resources/read', params: { uri: 'memory://tags' } });

test('a comment keeps the connection alive every fifteen seconds', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] });
  const { reader } = await open(await makeSse(t));
  t.mock.timers.tick(15_000);
  assert.equal(new TextDecoder().decode((await reader.read()).value), ': keep-alive\n\n');
});

test('a stream to which nothing was sent for a quarter of an hour is closed, one in use is not', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] });
  const sse = await makeSse(t);
  const [idle, used] = [await open(sse), await open(sse)];
  t.mock.timers.tick(10 * MINUTE);
  sse.receive(callerOf(), ping(used.id));
  t.mock.timers.tick(6 * MINUTE);
  assert.deepEqual([idle.ended(), used.ended()], [true, false]);
  assert.throws(() => sse.receive(callerOf(), ping(idle.id)), engineError('not_found'));
});

test('a client that does not read is cut off before it fills the memory', async (t) => {
  const sse = createLegacySse(stubEngine({ countLabels: async () => [{ value: 'x'.repeat(1 << 20), count: 1 }] }), {
    tools: await createTools(),
    log: recordingLog(),
  });
  t.after(() => sse.close());
  const { id, ended } = await open(sse);
  for (let i = 0; i < 100 && !ended(); i++) {
    sse.receive(callerOf(), readTags(id, i));
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal(ended(), true);
});

test('an answer larger than what may wait is sent all the same, and the stream stays', async (t) => {
  const sse = createLegacySse(stubEngine({ countLabels: async () => [{ value: 'x'.repeat(9 << 20), count: 1 }] }), {
    tools: await createTools(),
    log: recordingLog(),
  });
  t.after(() => sse.close());
  const { id, reader, ended } = await open(sse);
  for (let i = 0; i < 3; i++) {
    sse.receive(callerOf(), readTags(id, i));
    assert.ok((await reader.read()).value!.length > 9 << 20);
  }
  assert.equal(ended(), false);
});

test('the stream ends when it is told to, and when the client leaves', async (t) => {
  const sse = await makeSse(t);
  const [told, left] = [await open(sse), await open(sse)];
  told.end.abort();
  assert.equal((await told.reader.read()).done, true);
  await left.reader.cancel();
  for (const { id, ended } of [told, left]) {
    assert.equal(ended(), true);
    assert.throws(() => sse.receive(callerOf(), ping(id)), engineError('not_found'));
  }
});

test('a session takes messages only from the user who opened it, and for the spaces it was opened for', async (t) => {
  const sse = await makeSse(t);
  const { id } = await open(sse, 'ada');
  sse.receive(callerOf('ada'), ping(id));
  for (const caller of [
    callerOf('eve'),
    { ...callerOf('ada'), spaces: ['ada', 'crew'] },
    { ...callerOf('ada'), space: 'crew', spaces: ['crew'] },
  ])
    assert.throws(() => sse.receive(caller, ping(id)), engineError('not_found'));
});

test('when there are too many, whoever has most gives up the one that was silent longest', async (t) => {
  const sse = await makeSse(t);
  const ada = await open(sse, 'ada');
  const first = await open(sse, 'eve');
  for (let i = 0; i < 1998; i++) await open(sse, 'eve');
  assert.deepEqual([ada.ended(), first.ended()], [false, false]);
  await open(sse, 'eve');
  assert.deepEqual([ada.ended(), first.ended()], [false, true]);
});
