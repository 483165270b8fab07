import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionEvent } from '../../src/model/session-event.ts';
import { engineError, makeCaller, START } from '../open-test-engine.ts';
import { openOnStore, STORES } from './open-on-store.ts';

const caller = makeCaller('cli');
const MINUTE = 60_000;

function makeEvent(n: number, more: Partial<SessionEvent> = {}): SessionEvent {
  const tool = { name: 'Edit', input: { file_path: `src/file-${n}.ts` }, output: 'ok' };
  return {
    key: `e${n}`,
    event: 'tool',
    at: START - (1000 - n) * MINUTE,
    agent: 'codex',
    session: n % 2 ? 'odd' : 'even',
    project: 'web',
    directory: null,
    ...(more.event === undefined && { tool }),
    ...more,
  };
}

for (const where of STORES) {
  test(`around an observation stands what happened in the same session, however far apart, on ${where}`, async (t) => {
    const { engine } = await openOnStore(t, where);
    const far = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map((n) => makeEvent(n));
    await engine.recordEvents(caller, [...far, makeEvent(900), makeEvent(901)]);
    const around = await engine.getSurroundings(caller, { ref: '7', before: 2, after: 10 });
    assert.deepEqual(
      around.before.map(({ number }) => number),
      [3, 5],
    );
    assert.equal(around.target.number, 7);
    assert.deepEqual(
      around.after.map(({ number }) => number),
      [9, 11, 13],
    );
    const alone = await engine.getSurroundings(caller, { ref: '7', before: 0, after: 0 });
    assert.deepEqual([alone.before, alone.after], [[], []]);
    await assert.rejects(engine.getSurroundings(caller, { ref: '99', before: 1, after: 1 }), engineError('not_found'));
  });

  test(`observations are listed by project, session, type and time, and given by number or id, on ${where}`, async (t) => {
    const { engine } = await openOnStore(t, where);
    await engine.recordEvents(caller, [
      makeEvent(1),
      makeEvent(2),
      makeEvent(3, { event: 'prompt', text: 'Rename the files' }),
      makeEvent(4, { project: 'api' }),
    ]);
    const list = async (input: object) =>
      (await engine.listObservations(caller, input)).items.map(({ number }) => number);
    assert.deepEqual(await list({}), [4, 3, 2, 1]);
    assert.deepEqual(await list({ project: 'api' }), [4]);
    assert.deepEqual(await list({ session: 'odd' }), [3, 1]);
    assert.deepEqual(await list({ types: ['prompt'] }), [3]);
    assert.deepEqual(await list({ until: new Date(START - 997.5 * MINUTE).toISOString() }), [2, 1]);
    const { observations, missing } = await engine.getObservations(caller, ['2', '77']);
    assert.deepEqual([observations.map(({ number }) => number), missing], [[2], ['77']]);
    assert.equal((await engine.getObservations(caller, [observations[0]!.id])).observations[0]?.number, 2);
  });

  test(`a session that nothing is heard of is idle and not ended, on ${where}`, async (t) => {
    const { engine } = await openOnStore(t, where);
    const at = START - MINUTE;
    await engine.recordEvents(caller, [
      makeEvent(1),
      makeEvent(2, { at }),
      makeEvent(4, { event: 'end', session: 'gone', at }),
    ]);
    const { items } = await engine.listSessions(caller, {});
    const states = Object.fromEntries(items.map(({ session, state }) => [session, state]));
    assert.deepEqual(states, { odd: 'idle', even: 'active', gone: 'ended' });
  });

  test(`what is forgotten is not told by its session any more, on ${where}`, async (t) => {
    const { engine } = await openOnStore(t, where);
    await engine.recordEvents(caller, [
      makeEvent(1, { event: 'prompt', text: 'Say nothing of the merger with Initech' }),
      makeEvent(3),
      makeEvent(5, { event: 'turn', text: 'Done.' }),
    ]);
    const none = { derived: [], derivedCount: 0 };
    const some = await engine.forgetObservations(caller, { refs: ['1', '9'] });
    assert.deepEqual(some, { forgotten: 1, missing: ['9'], ...none });
    const [session] = (await engine.listSessions(caller, {})).items;
    assert.doesNotMatch(JSON.stringify(session), /Initech/);
    assert.equal((await engine.search(caller, { query: 'merger with Initech' })).verdict, 'nothing');
    const all = await engine.forgetObservations(caller, { session: 'odd' });
    assert.deepEqual(all, { forgotten: 3, missing: [], ...none });
    assert.deepEqual((await engine.listSessions(caller, {})).items, []);
    await assert.rejects(engine.forgetObservations(caller, {}), engineError('invalid_input'));
  });

  test(`the timeline has every kind by time, on ${where}`, async (t) => {
    const { engine } = await openOnStore(t, where);
    await engine.recordEvents(caller, [makeEvent(1)]);
    await engine.storeMemory(caller, { content: 'Files are named in kebab case.' });
    const { items } = await engine.getTimeline(caller, {});
    assert.equal(items[0]?.kind, 'memory');
    assert.deepEqual(items.map(({ kind }) => kind).sort(), ['memory', 'observation', 'session']);
    assert.deepEqual(
      (await engine.getTimeline(caller, { kinds: ['observation'] })).items.map(({ number }) => number),
      [1],
    );
  });
}
