import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY, makeCaller, makeClock, openTestEngine, START } from '../../../test/open-test-engine.ts';
import type { SessionEvent } from '../../model/session-event.ts';

const caller = makeCaller('cli');

function makePrompt(n: number, at: number): SessionEvent {
  const about = { agent: 'codex', session: `s${n}`, project: 'web', directory: null };
  return { ...about, key: `e${n}`, event: 'prompt', at, text: `Prompt number ${n}` };
}

test('what happened in sessions is purged when it is older than it is kept; what came of them and memories stay', async (t) => {
  const clock = makeClock();
  const { engine } = await openTestEngine(t, { clock, settings: { keepObservationsDays: 10 } });
  const old = Array.from({ length: 520 }, (_, n) => makePrompt(n, START - 9 * DAY));
  await engine.recordEvents(caller, [...old, makePrompt(900, START)]);
  await engine.storeMemory(caller, { content: 'A memory.' });
  await engine.runUpkeep();
  assert.equal((await engine.listObservations(caller, {})).total, 521);
  clock.run(0.9 * DAY);
  await engine.runUpkeep();
  clock.run(0.9 * DAY);
  assert.equal((await engine.runUpkeep()).purged, 520);
  assert.deepEqual(
    (await engine.listObservations(caller, {})).items.map(({ text }) => text),
    ['Prompt number 900'],
  );
  assert.equal((await engine.listSessions(caller, { limit: 1 })).total, 521);
  assert.equal((await engine.listMemories(caller, {})).total, 1);
  assert.deepEqual(await engine.recordEvents(caller, [old[0]!]), { recorded: 0, repeated: 1, refused: [] });
});

test('with 0 days they are kept for good', async (t) => {
  const clock = makeClock();
  const { engine } = await openTestEngine(t, { clock, settings: { keepObservationsDays: 0 } });
  await engine.recordEvents(caller, [makePrompt(1, START - 3000 * DAY)]);
  await engine.runUpkeep();
  assert.equal((await engine.listObservations(caller, {})).total, 1);
});
