import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Engine } from '../../src/engine/engine.ts';
import { createDocumentReader } from '../../src/features/documents/create-document-reader.ts';
import type { SessionEvent } from '../../src/model/session-event.ts';
import { openOnStore, STORES } from '../kinds/open-on-store.ts';
import { DAY, engineError, makeCaller, openTestEngine, START } from '../open-test-engine.ts';

const person = makeCaller('cli');
const agent = makeCaller('mcp');
const WRONG = 'The staging port is 8080';
/** What a person reads as the same. */
const SPELLINGS = [
  WRONG,
  'the  STAGING port\nis 8080.',
  'The st\u200baging port is 8080\u{e0041}',
  'Тhe stаging рort is 8080',
  'Ｔｈｅ staging port is ８０８０',
  '- **The staging port** is “8080”',
];
const PARAPHRASE = 'On staging it listens on 8080';

async function store(engine: Engine, content: string, more = {}): Promise<string> {
  const stored = await engine.storeMemory(agent, { content, onDuplicate: 'store', ...more });
  assert.ok('memory' in stored);
  return stored.memory.id;
}

const contents = async (engine: Engine, more = {}): Promise<string[]> =>
  (await engine.listMemories(person, { ...more })).items.map(({ content }) => content).sort();

function prompt(n: number, text: string, session = 's1'): SessionEvent {
  return { agent: 'codex', session, project: 'web', directory: null, key: `e${n}`, event: 'prompt', at: START, text };
}

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

async function* linesOf(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

for (const where of STORES)
  test(`what a person has rejected is refused in every spelling, and a paraphrase is not (${where})`, async (t: TestContext) => {
    const { engine } = await openOnStore(t, where);
    const id = await store(engine, WRONG);
    await store(engine, 'The staging port is 8081');
    const { rejections, memories } = await engine.rejectMemories(person, { refs: [id], why: 'it is 8443' });
    assert.equal(rejections[0]?.text, WRONG);
    assert.deepEqual(
      memories.map((memory) => memory.id),
      [id],
    );
    for (const content of SPELLINGS)
      for (const caller of [agent, person])
        await assert.rejects(engine.storeMemory(caller, { content }), (error) => {
          assert.ok(engineError('rejected', /rejected on 2026-01-15: it is 8443/)(error));
          return true;
        });
    await store(engine, PARAPHRASE);
    assert.deepEqual(await contents(engine), [PARAPHRASE, 'The staging port is 8081']);
    const outcomes = await engine.storeMemories(
      agent,
      SPELLINGS.map((content) => ({ content })).concat({ content: 'new' }),
    );
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      [...SPELLINGS.map(() => 'rejected'), 'stored'],
    );
    const { total, rejections: listed } = await engine.listRejections(person, {});
    assert.deepEqual([total, listed[0]?.why, listed[0]?.how], [1, 'it is 8443', 'rejected']);
    const { id: rejection } = listed[0]!;
    await assert.rejects(engine.liftRejections(agent, { refs: [rejection] }), engineError('forbidden'));
    await assert.rejects(engine.restoreMemories(person, [id]), engineError('rejected'));
    assert.deepEqual((await engine.liftRejections(person, { refs: [rejection], restore: true })).restored, [id]);
    assert.ok((await contents(engine)).includes(WRONG));
  });

test('no other verb brings it back: update, merge, append, another project or key, split, undo', async (t) => {
  const { engine } = await openTestEngine(t, { settings: { splitChars: 2_000 } });
  const id = await store(engine, WRONG);
  const long = `${'A long text about nothing. '.repeat(200)}`;
  const longId = await store(engine, 'other');
  await engine.rejectMemories(person, { refs: [id] });
  const other = await store(engine, 'The staging port is 9090');
  for (const versioned of [false, true])
    await assert.rejects(
      engine.updateMemory(agent, { ref: other, content: SPELLINGS[1]!, versioned }),
      engineError('rejected'),
    );
  for (const more of [
    { project: 'other' },
    { key: 'k' },
    { onDuplicate: 'append' as const },
    { onDuplicate: 'supersede' as const },
  ])
    await assert.rejects(engine.storeMemory(agent, { content: WRONG, ...more }), engineError('rejected'));
  await engine.deleteMemories(person, { refs: [longId] });
  const whole = await engine.storeMemory(agent, { content: long });
  assert.ok(whole.outcome === 'stored' && whole.chunks.length > 1);
});

test('whatever states the same goes with what is rejected, and forever means whoever says it', async (t) => {
  const { engine } = await openTestEngine(t);
  const [first, twin] = [await store(engine, WRONG), await store(engine, SPELLINGS[3]!, { project: 'p' })];
  const { count } = await engine.rejectMemories(person, { refs: [first] });
  assert.equal(count, 2);
  assert.deepEqual(await contents(engine), []);
  assert.equal((await engine.getMemories(person, { refs: [twin] })).memories.length, 0);
  const id = await store(engine, 'gone for good');
  await engine.deleteMemories(person, { refs: [id], forever: true, why: 'nonsense' });
  await assert.rejects(engine.storeMemory(agent, { content: 'Gone for good!' }), engineError('rejected', /nonsense/));
  const found = (await engine.listRejections(person, {})).rejections.find(({ record }) => record === id);
  assert.equal(found?.text, null);
});

test('a plain deletion can be undone and stored again; its own session does not bring it back', async (t) => {
  const { engine } = await openTestEngine(t);
  const harvested = (content: string, session: string) => ({
    content,
    key: `harvest:codex:${session}:${content.length}`,
    tags: ['session-harvest'],
    metadata: { session_id: session },
  });
  const [first] = await engine.storeMemories(agent, [harvested(WRONG, 's1'), harvested('and right', 's1')]);
  assert.ok(first?.outcome === 'stored');
  await engine.deleteMemories(person, { refs: [first.memory.id] });
  const again = await engine.storeMemories(agent, [harvested(SPELLINGS[1]!, 's1'), harvested('and right', 's1')]);
  assert.deepEqual(
    again.map(({ outcome }) => outcome),
    ['rejected', 'duplicate'],
  );
  assert.equal((await engine.listRejections(person, {})).total, 0);
  await engine.recordEvents(agent, [prompt(1, `#remember ${WRONG}`, 's1')]);
  assert.deepEqual(await contents(engine), ['and right']);
  assert.equal((await engine.restoreMemories(person, [first.memory.id])).restored.length, 1);
  await engine.deleteMemories(person, { refs: [first.memory.id] });
  const [other] = await engine.storeMemories(agent, [harvested(WRONG, 's2')]);
  assert.equal(other?.outcome, 'stored');
  await engine.deleteMemories(person, { refs: [other!.outcome === 'stored' ? other!.memory.id : ''] });
  await store(engine, WRONG);
});

test('hooks, digests, contexts and documents leave it out', async (t) => {
  const { engine } = await openTestEngine(t, { documents: createDocumentReader() });
  const id = await store(engine, 'We decided to use port 8080.', { type: 'decision' });
  await engine.recordEvents(agent, [
    prompt(1, 'Which port?', 's1'),
    { ...prompt(2, 'We decided to use port 8080.', 's1'), event: 'turn', key: 't1' },
    { ...prompt(3, '', 's1'), event: 'end', key: 'end' },
  ]);
  await engine.rejectMemories(person, { refs: [id] });
  await engine.recordEvents(agent, [prompt(4, '#remember we decided to use port 8080', 's2')]);
  assert.deepEqual(await contents(engine), []);
  const { context } = await engine.getContext(agent, { prompt: 'Which port do we use for staging?' });
  assert.doesNotMatch(context ?? '', /decided to use port 8080/);
  const text = '# Guide\n\n## Port\n\nWe decided to use port 8080.\n\n## Host\n\nIt runs on atlas.\n';
  const bytes = new TextEncoder().encode(text);
  const { counts, warnings } = await engine.ingestDocument(person, { name: 'guide.md', bytes });
  assert.equal(counts.added, 1);
  assert.match(warnings.join(), /1 section was left out: rejected on/);
});

test('one section of a document can be rejected, and a changed document does not bring it back', async (t) => {
  const { engine } = await openTestEngine(t, { documents: createDocumentReader() });
  const text = '# Guide\n\n## Port\n\nThe port is 8080.\n\n## Host\n\nIt runs on atlas.\n';
  const ingest = (given: string) =>
    engine.ingestDocument(person, { name: 'guide.md', bytes: new TextEncoder().encode(given) });
  const { document } = await ingest(text);
  const { sections } = await engine.getDocument(person, { ref: document.id, limit: 10 });
  const wrong = sections.find((section) => /8080/.test(section.content))!;
  assert.equal((await engine.rejectMemories(person, { refs: [wrong.id] })).rejections.length, 1);
  const shown = async () =>
    (await engine.getDocument(person, { ref: document.id, limit: 10 })).sections.map((one) => one.content);
  assert.deepEqual(await shown(), ['It runs on atlas.']);
  await ingest(`${text}\n## Key\n\nUnder the mat.\n`);
  assert.deepEqual(await shown(), ['It runs on atlas.', 'Under the mat.']);
  await engine.removeDocuments(person, { refs: [document.id] });
  await engine.restoreDocument(person, { ref: document.id });
  assert.deepEqual(await shown(), ['It runs on atlas.', 'Under the mat.']);
});

test('a purge keeps a hash and no word of it; an import, an export and all retentions leave it standing', async (t) => {
  const { engine, clock, store: raw } = await openTestEngine(t);
  const [id, kept] = [await store(engine, WRONG), await store(engine, 'kept')];
  const before = await collect(engine.exportRecords(person, {}));
  await engine.purgeMemories(person, [id]);
  await assert.rejects(engine.storeMemory(agent, { content: SPELLINGS[1]! }), engineError('rejected', /2026-01-15/));
  const [tombstone] = (await engine.listRejections(person, {})).rejections;
  assert.deepEqual([tombstone?.how, tombstone?.text], ['purged', null]);
  const lines = await collect(engine.exportRecords(person, {}));
  assert.doesNotMatch(lines.join('\n'), /staging port/);
  for (let round = 0; round < 4; round++) {
    clock.run(400 * DAY);
    await engine.runUpkeep();
  }
  await engine.purgeExpired(person, { everywhere: false });
  await assert.rejects(engine.storeMemory(agent, { content: WRONG }), engineError('rejected'));
  const elsewhere = await openTestEngine(t);
  await elsewhere.engine.importRecords(person, linesOf(lines), {});
  await assert.rejects(elsewhere.engine.storeMemory(agent, { content: WRONG }), engineError('rejected'));
  const report = await elsewhere.engine.importRecords(person, linesOf(before), {});
  assert.deepEqual([report.rejected, report.unchanged], [1, 1]);
  const third = await openTestEngine(t);
  await store(third.engine, SPELLINGS[1]!);
  const brought = await third.engine.importRecords(person, linesOf(lines), {});
  assert.equal(brought.rejected, 1);
  assert.deepEqual(await contents(third.engine), ['kept']);
  assert.equal((await raw.getRecords('owner', [kept])).length, 1);
});

test('what another record states and stays is not kept out by the purge of its copy', async (t) => {
  const { engine } = await openTestEngine(t);
  const [first, second] = [await store(engine, WRONG), await store(engine, WRONG)];
  await engine.purgeMemories(person, [first]);
  await engine.updateMemory(agent, { ref: second, tags: ['x'] });
  assert.equal((await engine.listRejections(person, {})).total, 0);
});

test('the loser of a contradiction stays out, a job decides nothing, and undo takes all of it back', async (t) => {
  const { engine, clock } = await openTestEngine(t);
  const loser = await store(engine, WRONG);
  clock.run(1000);
  const winner = await store(engine, 'The staging port is 8443');
  await engine.resolveConflict(person, { winner, loser });
  await assert.rejects(engine.storeMemory(agent, { content: WRONG }), engineError('rejected', /contradicted/));
  const head = (await engine.listChanges(person, { after: 0, limit: 1000 })).at(-1)!.seq;
  const { changes, left } = await engine.undoChanges(person, { first: 3, last: head });
  assert.deepEqual([changes.length >= 3, left], [true, []]);
  assert.deepEqual(await contents(engine), [WRONG, 'The staging port is 8443'].sort());
  await engine.rejectMemories(person, { refs: [loser] });
  await engine.liftRejections(person, { refs: [loser] });
  assert.deepEqual((await engine.restoreMemories(agent, [loser])).restored.length, 1);
  await engine.resolveConflict(makeCaller('job'), { winner, loser });
  assert.equal((await engine.listRejections(person, {})).total, 0);
});

test('undo of a deletion leaves what was rejected since, and says why', async (t) => {
  const { engine } = await openTestEngine(t);
  const [first, second] = [await store(engine, WRONG), await store(engine, 'right')];
  await engine.deleteMemories(person, { refs: [first, second] });
  await engine.rejectMemories(person, { refs: [first], why: 'no' });
  const { changes, left } = await engine.undoChanges(person, { first: 3, last: 4 });
  assert.deepEqual(
    changes.map(({ id }) => id),
    [second],
  );
  assert.match(left[0]!.reason, /rejected on 2026-01-15: no/);
});

test('rejected text survives a sync with a machine that had stored it meanwhile', async (t) => {
  const { openMachine } = await import('../travel/open-machine.ts');
  const { exchangeReplicas } = await import('../../src/features/sync/exchange-replicas.ts');
  const [server, one, two] = [await openMachine(t), await openMachine(t), await openMachine(t)];
  const exchange = (near: typeof one) =>
    exchangeReplicas({
      near: near.client(),
      far: server.client(),
      url: 'http://server.test',
      now: () => near.clock.now(),
    });
  const id = await one.write(WRONG);
  const again = await two.write(SPELLINGS[1]!);
  await one.engine.rejectMemories(person, { refs: [id], why: 'no' });
  await two.engine.rejectMemories(person, { refs: [await two.write('also wrong')] });
  for (const machine of [one, two, one, two]) await exchange(machine);
  for (const machine of [one, two, server]) {
    assert.equal(await machine.read(again), undefined);
    assert.equal((await machine.engine.listRejections(person, {})).total, 2);
    for (const content of [...SPELLINGS, 'Also wrong.'])
      await assert.rejects(machine.engine.storeMemory(agent, { content }), engineError('rejected'));
  }
  const digests = await Promise.all([server, one, two].map((machine) => machine.engine.digestSpace(person)));
  assert.equal(new Set(digests.map(({ digest }) => digest)).size, 1);
});
