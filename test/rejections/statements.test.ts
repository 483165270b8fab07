import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Engine } from '../../src/engine/engine.ts';
import { createDocumentReader } from '../../src/features/documents/create-document-reader.ts';
import { engineError, makeCaller, openTestEngine, START } from '../open-test-engine.ts';

const person = makeCaller('cli');
const agent = makeCaller('mcp');
const WRONG = 'The staging port is 8080.';
const LONGER = [
  `${WRONG} Confirmed by Ada.`,
  `Confirmed: yes.\n- the STAGING port is \u201c8080\u201d\n- nothing else`,
  `Ask Ada; the staging port is 8080; then go on.`,
  `# Ports\n\nThe st\u200baging port is 8080`,
];
const FREE = ['We thought the staging port is 8080.', 'The staging port is 8080 or 8443.', 'Yes. The port is open.'];

async function reject(engine: Engine, content: string): Promise<string> {
  const stored = await engine.storeMemory(agent, { content, onDuplicate: 'store' });
  assert.ok('memory' in stored);
  await engine.rejectMemories(person, { refs: [stored.memory.id], why: 'it is 8443' });
  return stored.memory.id;
}

test('a rejected statement is not stored as a part of a longer text, but other statements are', async (t) => {
  const { engine } = await openTestEngine(t);
  await reject(engine, WRONG);
  for (const content of LONGER)
    await assert.rejects(engine.storeMemory(agent, { content }), engineError('rejected', /it is 8443/), content);
  const outcomes = await engine.storeMemories(
    agent,
    [...LONGER, ...FREE].map((content) => ({ content })),
  );
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    [...LONGER.map(() => 'rejected'), ...FREE.map(() => 'stored')],
  );
  await engine.recordEvents(agent, [
    {
      agent: 'codex',
      session: 's1',
      project: 'web',
      directory: null,
      key: 'e1',
      event: 'prompt',
      at: START,
      text: `#remember ${LONGER[0]}`,
    },
  ]);
  const { items } = await engine.listMemories(person, {});
  assert.equal(items.length, FREE.length);
  const [session] = (await engine.listSessions(person, {})).items;
  assert.doesNotMatch(JSON.stringify(session), /8080/);
});

test('a text of several statements is recognised as such, and its words alone are not', async (t) => {
  const { engine } = await openTestEngine(t);
  await reject(engine, 'The cache is warm at five. It is cold at six.');
  await assert.rejects(
    engine.storeMemory(agent, { content: 'Note this. The cache is warm at five. It is cold at six. Really.' }),
    engineError('rejected'),
  );
  await engine.storeMemory(agent, { content: 'The cache is warm at five. Ask Ada.' });
  await reject(engine, 'Yes.');
  await engine.storeMemory(agent, { content: 'Is it safe? Yes. The vault has two doors.' });
});

test('what has said it all along can be tagged and shortened, but nothing is made to say it', async (t) => {
  const { engine } = await openTestEngine(t);
  const stored = await engine.storeMemory(agent, { content: LONGER[0]! });
  const other = await engine.storeMemory(agent, { content: 'Ask Ada about ports.' });
  assert.ok('memory' in stored && 'memory' in other);
  await reject(engine, WRONG);
  const { id } = stored.memory;
  await engine.updateMemory(agent, { ref: id, tags: ['ports'] });
  await engine.updateMemory(agent, { ref: id, content: 'Confirmed by Ada.' });
  for (const ref of [id, other.memory.id])
    await assert.rejects(engine.updateMemory(agent, { ref, content: LONGER[0]! }), engineError('rejected'));
});

test('a merge in the words of its caller is refused like a store', async (t) => {
  const { engine } = await openTestEngine(t);
  await reject(engine, WRONG);
  const refs: string[] = [];
  for (const content of ['Ask Ada about ports.', 'Ports are listed on the wiki.']) {
    const stored = await engine.storeMemory(agent, { content });
    if ('memory' in stored) refs.push(stored.memory.id);
  }
  await assert.rejects(engine.mergeMemories(agent, { refs, content: WRONG }), engineError('rejected', /8443/));
  assert.equal((await engine.listMemories(person, {})).items.length, 2);
});

test('sections of documents lose the statement and keep the rest, those that are there and those that come', async (t) => {
  const { engine } = await openTestEngine(t, { documents: createDocumentReader() });
  const bytes = new TextEncoder().encode(`# Guide\n\nIt runs on atlas. ${WRONG} Ask Ada.\n`);
  const { document } = await engine.ingestDocument(person, { name: 'a.md', bytes });
  await reject(engine, WRONG);
  const shown = async (ref: string) =>
    (await engine.getDocument(person, { ref, limit: 10 })).sections.map(({ content }) => content);
  assert.deepEqual(await shown(document.id), ['It runs on atlas. […] Ask Ada.']);
  const again = await engine.ingestDocument(person, { name: 'b.md', bytes });
  assert.deepEqual(await shown(again.document.id), ['It runs on atlas. […] Ask Ada.']);
  assert.match(again.warnings.join(), /1 sentence was left out: rejected on 2026-01-15: it is 8443/);
});
