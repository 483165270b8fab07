import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine } from '../../src/engine/engine.ts';
import { toObservation, toSession } from '../../src/features/sessions/observation.ts';
import type { SessionEvent } from '../../src/model/session-event.ts';
import { makeCaller, START } from '../open-test-engine.ts';
import { openOnStore, STORES } from './open-on-store.ts';

const caller = makeCaller('cli');
const kind = 'observation';
const REPAIR = { repair: true, backupPath: null };

function makeEvent(key: string, more: Partial<SessionEvent> = {}): SessionEvent {
  return {
    key,
    event: 'tool',
    at: START - 60_000 + Number(/\d+$/.exec(key)?.[0] ?? 0),
    agent: 'claude-code',
    session: 's1',
    project: 'web',
    directory: '/home/me/web',
    ...(more.event === undefined && {
      tool: { name: 'Bash', input: { command: `npm test ${key}` }, output: 'ok 12 passed' },
    }),
    ...more,
  };
}

async function listNumbers(engine: Engine): Promise<number[]> {
  const { items } = await engine.listRecords(caller, { kind, page: { limit: 1000 } });
  return items.map((record) => toObservation(record).number).sort((a, b) => a - b);
}

async function readLines(engine: Engine): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of engine.exportRecords(caller, {})) lines.push(line);
  return lines;
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

for (const where of STORES) {
  test(`an event is recorded once, however often and by however many it is delivered, on ${where}`, async (t) => {
    const { engine } = await openOnStore(t, where);
    const events = [1, 2, 3].map((n) => makeEvent(`e${n}`));
    assert.deepEqual(await engine.recordEvents(caller, events), { recorded: 3, repeated: 0, refused: [] });
    const again = await Promise.all([
      engine.recordEvents(caller, [...events, makeEvent('e4')]),
      engine.recordEvents(makeCaller('rest'), [makeEvent('e4'), makeEvent('e4'), makeEvent('e5')]),
    ]);
    assert.equal(again[0].recorded + again[1].recorded, 2);
    assert.deepEqual(await listNumbers(engine), [1, 2, 3, 4, 5]);
  });

  test(`neither deletion nor purge lets an event come back or a number be given again, on ${where}`, async (t) => {
    const { engine } = await openOnStore(t, where);
    await engine.recordEvents(
      caller,
      [1, 2, 3].map((n) => makeEvent(`e${n}`)),
    );
    await engine.deleteRecords(caller, { kind, refs: ['2'] });
    const { items } = await engine.listRecords(caller, { kind });
    const third = items.find((record) => record.body.number === 3)!;
    await engine.purgeRecords(caller, { kind, refs: [third.id] });
    const repeated = await engine.recordEvents(
      caller,
      [1, 2, 3].map((n) => makeEvent(`e${n}`)),
    );
    assert.deepEqual([repeated.recorded, repeated.repeated], [0, 3]);
    await engine.recordEvents(caller, [makeEvent('e4')]);
    assert.deepEqual(await listNumbers(engine), [1, 4]);
  });

  test(`a purged session that is delivered again stays gone, and one that goes on begins anew, on ${where}`, async (t) => {
    const { engine } = await openOnStore(t, where);
    const events = [
      makeEvent('e0', { event: 'start' }),
      makeEvent('e1', { event: 'prompt', text: 'The merger with Initech' }),
      ...Array.from({ length: 40 }, (_, n) => makeEvent(`e${n + 10}`)),
    ];
    await engine.recordEvents(caller, events);
    await engine.purge(caller, { session: 's1' });
    assert.deepEqual(await engine.recordEvents(caller, events), { recorded: 0, repeated: 42, refused: [] });
    assert.deepEqual((await engine.listSessions(caller, {})).items, []);
    await engine.recordEvents(caller, [makeEvent('e99')]);
    const [session] = (await engine.listSessions(caller, {})).items;
    assert.deepEqual([session?.counts.observations, session?.firstPrompt], [1, '']);
    assert.deepEqual(await listNumbers(engine), [42]);
  });

  test(`what is private is removed whoever delivers it, on ${where}`, async (t) => {
    const { engine } = await openOnStore(t, where);
    const tool = { name: 'Bash', input: { command: 'echo <private>Initech</private> ok' }, output: '<private>Initech' };
    await engine.recordEvents(makeCaller('rest'), [
      makeEvent('e1', { tool }),
      makeEvent('e2', { event: 'prompt', text: 'Hello <ltm-context>Initech</ltm-context>there' }),
      makeEvent('e3', { event: 'prompt', text: '<private>Initech</private>' }),
    ]);
    assert.deepEqual(await listNumbers(engine), [1, 2]);
    const { items } = await engine.listRecords(caller, { filter: { kinds: [kind, 'session'] } });
    assert.doesNotMatch(JSON.stringify(items), /Initech/);
    assert.match(JSON.stringify(items), /Hello there/);
  });

  test(`one that is not sound is refused by itself, on ${where}`, async (t) => {
    const { engine } = await openOnStore(t, where);
    const broken = { ...makeEvent('bad1'), session: '' };
    const out = await engine.recordEvents(caller, [broken, makeEvent('e1')]);
    assert.deepEqual([out.recorded, out.refused], [1, [{ key: 'bad1', reason: 'does not name its session' }]]);
  });

  test(`a session is kept beside what happened in it, and its end is not the end of a turn, on ${where}`, async (t) => {
    const { engine } = await openOnStore(t, where);
    const read = async () => toSession((await engine.listRecords(caller, { kind: 'session' })).items[0]!);
    await engine.recordEvents(caller, [
      makeEvent('e0', { event: 'start', reason: 'startup' }),
      makeEvent('e1', { event: 'prompt', text: 'Fix the flaky login test' }),
      makeEvent('e2'),
      makeEvent('e3', { event: 'turn', text: 'The login test waits for the server now.' }),
    ]);
    const turned = await read();
    assert.deepEqual([turned.session, turned.title, turned.endedAt], ['s1', 'Fix the flaky login test', null]);
    assert.deepEqual(turned.counts, { observations: 3, prompts: 1, tools: 1, failures: 0 });
    await engine.recordEvents(caller, [makeEvent('e4', { event: 'end', reason: 'logout' })]);
    assert.equal((await read()).endedAt, START - 60_000 + 4);
    await engine.recordEvents(caller, [makeEvent('e5', { event: 'start', reason: 'resume' })]);
    assert.equal((await read()).endedAt, null);
    assert.equal((await engine.recordEvents(caller, [makeEvent('e4', { event: 'end' })])).recorded, 0);
    const [record] = (await engine.listRecords(caller, { kind: 'session' })).items;
    assert.deepEqual(await engine.listRecordVersions(caller, { kind: 'session', ref: record!.id }), []);
  });

  test(`searches, labels and duplicates are about memories unless observations are asked for, on ${where}`, async (t) => {
    const { engine } = await openOnStore(t, where);
    await engine.storeMemory(caller, { content: 'The login test is flaky on slow machines.', tags: 'ci' });
    await engine.recordEvents(caller, [
      makeEvent('e1', { event: 'prompt', text: 'The login test is flaky on slow machines.' }),
      makeEvent('e2'),
    ]);
    const plain = await engine.search(caller, { query: 'flaky login test' });
    assert.deepEqual(plain.hits.map((hit) => hit.kind).sort(), ['memory', 'session']);
    const asked = await engine.search(caller, { query: 'flaky login test', filter: { kinds: [kind] } });
    assert.deepEqual(
      asked.hits.map((hit) => hit.kind),
      [kind, kind].slice(0, asked.hits.length),
    );
    assert.equal(asked.hits[0]?.type, 'prompt');
    const exact = await engine.search(caller, { query: 'slow machines', mode: 'exact' });
    assert.ok(exact.hits.every((hit) => hit.kind !== kind));
    assert.ok((await engine.countLabels(caller, 'type')).every(({ value }) => value !== 'prompt'));
    assert.equal((await engine.listMemories(caller, {})).total, 1);
    const { memories, tags, createdThisWeek } = await engine.checkHealth(caller);
    assert.deepEqual([memories, tags, createdThisWeek], [1, 1, 1]);
    const twin = await engine.storeMemory(caller, { content: 'The login test is flaky on slow machines!' });
    assert.deepEqual('resembles' in twin && twin.resembles.map(({ similarity }) => similarity >= 0.85), [true]);
  });

  test(`secrets are replaced before an event is stored, and cut afterwards, on ${where}`, async (t) => {
    const { engine } = await openOnStore(t, where);
    const secret = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'}`;
    const input = { command: `export GITHUB_TOKEN=${secret}`, note: 'x'.repeat(4000) };
    const output = `${'y'.repeat(8192 - 20)}${secret} and more`;
    await engine.recordEvents(caller, [makeEvent('e1', { tool: { name: 'Bash', input, output } })]);
    const [record] = (await engine.listRecords(caller, { kind })).items;
    const { input: kept, output: cut, screened } = toObservation(record!);
    assert.ok(!JSON.stringify(record).includes(secret.slice(0, 12)), 'no part of it is kept');
    assert.ok(cut.length <= 8192 && /\.\.\.\[truncated \d+ chars\]$/.test(cut), cut.slice(-40));
    assert.ok(kept.length <= 4096);
    assert.ok(screened.length > 0);
  });

  test(`both kinds are exported and imported, with their numbers where these are free, on ${where}`, async (t) => {
    const { engine } = await openOnStore(t, where);
    await engine.recordEvents(
      caller,
      [1, 2, 3].map((n) => makeEvent(`e${n}`)),
    );
    const lines = await readLines(engine);
    const empty = await openOnStore(t, where);
    assert.equal((await empty.engine.importRecords(caller, each(lines), {})).problems.length, 0);
    assert.deepEqual(await readLines(empty.engine), lines);
    await empty.engine.recordEvents(caller, [makeEvent('e9')]);
    assert.deepEqual(await listNumbers(empty.engine), [1, 2, 3, 4]);

    const other = await openOnStore(t, where);
    await other.engine.recordEvents(caller, [makeEvent('x1', { session: 's2' }), makeEvent('x2', { session: 's2' })]);
    const report = await other.engine.importRecords(caller, each(lines), {});
    assert.deepEqual(report.conflicts, []);
    assert.equal(new Set(await listNumbers(other.engine)).size, 5);
    assert.equal((await other.engine.importRecords(caller, each(lines), {})).unchanged, report.records);
    const { records } = await other.engine.getRecords(caller, { kind, refs: ['1'] });
    assert.equal(records[0]?.session, 's2');
  });

  test(`scrub and doctor know both kinds, on ${where}`, async (t) => {
    const { engine, tamper } = await openOnStore(t, where);
    await engine.recordEvents(caller, [makeEvent('e1'), makeEvent('e2', { event: 'turn', text: 'Done.' })]);
    assert.equal((await engine.scrubRecords(caller, {})).found.length, 0);
    assert.equal((await engine.examine(caller, {})).sound, true);
    await tamper("UPDATE records SET content = 'flipped bits' WHERE kind IN ('observation', 'session')");
    assert.equal((await engine.examine(caller, {})).sound, false);
    const repaired = await engine.examine(caller, REPAIR);
    assert.deepEqual([repaired.sound, repaired.repaired.length], [true, 3]);
  });
}
