import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine } from '../../src/engine/engine.ts';
import { isRatedBad, withQualityEvent } from '../../src/features/quality/score-quality.ts';
import type { RecordContent } from '../../src/model/record.ts';
import type { SessionEvent } from '../../src/model/session-event.ts';
import { openOnStore, STORES } from '../kinds/open-on-store.ts';
import { makeCaller, openTestEngine, START } from '../open-test-engine.ts';

const person = makeCaller('cli');
const agent = makeCaller('mcp');
const SAID = 'Always deploy from port 8080';
const DECIDED = 'We decided to deploy from port 8080';
const QUESTION = 'Which port do we deploy from?';

async function store(engine: Engine, content: string, more = {}): Promise<string> {
  const stored = await engine.storeMemory(agent, { content, onDuplicate: 'store', ...more });
  assert.ok('memory' in stored);
  return stored.memory.id;
}

function prompt(n: number, text: string, session = 's1'): SessionEvent {
  return { agent: 'codex', session, project: 'web', directory: null, key: `e${n}`, event: 'prompt', at: START, text };
}

/** At the start of a session, and for a prompt. */
async function given(engine: Engine): Promise<string> {
  const ask = async (more: object) =>
    (await engine.getContext(agent, { project: 'web', timeoutMs: 60_000, ...more })).context ?? '';
  return `${await ask({ event: 'start' })}\n${await ask({ prompt: QUESTION })}`;
}

for (const where of STORES)
  test(`what was rated bad is found by whoever looks for it and given to nobody who does not (${where})`, async (t) => {
    const { engine } = await openOnStore(t, where);
    const id = await store(engine, SAID, { type: 'preference', project: 'web' });
    assert.match(await given(engine), /port 8080/);
    await engine.rateMemory(person, { ref: id, rating: -1 });
    assert.doesNotMatch(await given(engine), /8080/);
    const { hits } = await engine.search(person, { query: QUESTION });
    assert.equal(hits[0]?.id, id);
    await engine.rateMemory(person, { ref: id, rating: 1 });
    assert.match(await given(engine), /port 8080/);
  });

test('a bad rating holds however often a model has judged its memory since, and ends when somebody states the number', async (t) => {
  const { engine, store: database } = await openTestEngine(t);
  const id = await store(engine, SAID, { type: 'preference', project: 'web' });
  await engine.rateMemory(person, { ref: id, rating: -1 });
  const [record] = await database.getRecords('owner', [id]);
  let content: RecordContent = record!;
  for (let at = START; at < START + 30; at++)
    content = withQualityEvent(content, { how: 'scored', value: 1, model: 'm', reads: 0, lastReadAt: null, at });
  assert.ok(isRatedBad(content));
  await engine.updateMemory(person, { ref: id, quality: 0.9 });
  assert.match(await given(engine), /port 8080/);
});

/** Every way in which somebody takes a statement back without saying what holds instead. */
const WAYS: Readonly<Record<string, (engine: Engine, id: string) => Promise<unknown>>> = {
  rated: (engine, ref) => engine.rateMemory(person, { ref, rating: -1 }),
  deleted: (engine, id) => engine.deleteMemories(person, { refs: [id] }),
  'deleted forever': (engine, id) => engine.deleteMemories(person, { refs: [id], forever: true }),
  purged: (engine, id) => engine.purge(person, { refs: [id] }),
  rejected: (engine, id) => engine.rejectMemories(person, { refs: [id] }),
  expired: (engine, ref) => engine.updateMemory(person, { ref, validUntil: START - 1 }),
  async resolved(engine, loser) {
    const winner = await store(engine, 'Deployments leave through the gateway.', { project: 'web' });
    await engine.resolveConflict(person, { winner, loser });
  },
};

for (const [how, takeBack] of Object.entries(WAYS))
  test(`what was said in a session and ${how} since is told of that session no more`, async (t) => {
    const { engine } = await openTestEngine(t);
    await engine.recordEvents(agent, [
      prompt(1, `#remember ${DECIDED}`),
      { ...prompt(2, `${DECIDED}.`), event: 'turn' },
      { ...prompt(3, ''), event: 'end' },
    ]);
    const [memory] = (await engine.listMemories(person, {})).items;
    assert.equal(memory?.content, DECIDED);
    assert.match(await given(engine), /port 8080/);
    await takeBack(engine, memory.id);
    assert.doesNotMatch(await given(engine), /8080/);
  });
