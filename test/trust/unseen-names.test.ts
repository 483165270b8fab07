// Characters that nobody sees are no part of a name: projects, tags, types, paths of notes and headings have none, through whichever door they came.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { projectIn } from '../../src/client/project-folder.ts';
import { callTool } from '../../src/mcp/call-tool.ts';
import { cleanName, cleanText } from '../../src/model/hidden-characters.ts';
import { createTools } from '../../src/server/create-tools.ts';
import { makePacket } from '../make-packet.ts';
import { makeCaller, openTestEngine, silentLog, type TestEngine } from '../open-test-engine.ts';

const UNSEEN = [
  '\u180e',
  '\u115f',
  '\u1160',
  '\u3164',
  '\uffa0',
  '\u034f',
  '\u17b4',
  '\u2064',
  '\ufeff',
  '\u200b',
  '\u00ad',
  '\u202e',
  '\u2066',
  '\u2069',
  '\u200f',
  '\u061c',
  '\u{e0041}',
  '\u{1d173}',
  '\ufff9',
];
const CONTROLS = ['\u001b', '\u0007', '\u0085', '\u009b', '\u007f', '\u2028', '\n'];
const ALL = [...UNSEEN, ...CONTROLS];
const SEEN = ['Zürich', '日本語', '한국어', 'می‌خواهم', 'क्‍ष', '👩‍💻', 'ព្រះ', 'a b', 'x/y:z'];

const tools = await createTools();
const caller = makeCaller('mcp', { userId: 'ada', space: 'ada', spaces: ['ada'] });
let opened: TestEngine;
before(async (t) => {
  opened = await openTestEngine(t as never);
});

type Answer = Record<string, never> & { [key: string]: unknown };

async function call(name: string, args: object): Promise<{ text: string; structured: Answer; isError: boolean }> {
  const open = async () => ({ engine: opened.engine, caller });
  const result = await callTool(tools.find(name)!, { ...args }, { open, log: silentLog });
  const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  return { text, structured: result.structuredContent as Answer, isError: result.isError === true };
}

test('a name keeps what is seen and loses what is not', () => {
  for (const one of UNSEEN) assert.equal(cleanName(`sh${one}op${one}`), 'shop', one.codePointAt(0)!.toString(16));
  for (const one of CONTROLS) assert.match(cleanName(`sh${one}op${one}`), /^sh ?op$/, one.codePointAt(0)!.toString(16));
  for (const name of SEEN) assert.equal(cleanName(name), name);
  assert.equal(cleanName('a\0b'), 'a\0b');
  for (const one of ['\u180e', '\u115f', '\u1160', '\u3164', '\uffa0', '\u034f'])
    assert.equal(cleanText(`a${one}b`), 'ab');
});

test('projects, tags and types of memories have none, and are found however they are written', async () => {
  for (const [i, one] of UNSEEN.entries()) {
    const labels = { project: `sh${one}op`, tags: [`ta${one}g`], type: `no${one}te` };
    const { isError, text } = await call('memory_store', {
      content: `Fact number ${i}`,
      on_duplicate: 'store',
      ...labels,
    });
    assert.equal(isError, false, text);
    const found = await call('memory_list', { limit: 100, ...labels });
    assert.equal((found.structured.memories as unknown as unknown[]).length, i + 1, one.codePointAt(0)!.toString(16));
  }
  const { items } = await opened.engine.listMemories(caller, { filter: { project: 'shop' } });
  assert.deepEqual([...new Set(items.map(({ tags, type }) => `${tags.join()} ${type}`))], ['tag note']);
  const { isError } = await call('memory_store', { content: 'Fact without a name', project: '\u3164\u202e' });
  assert.equal(isError, true, 'nothing is left of it');
});

test('what hooks and packets call a project has none, and neither has the heading of a context', async () => {
  const project = `har${ALL.join('')}bour`;
  const happened = { agent: 'codex\u202e', session: 's\u001b1', project, directory: null };
  await opened.engine.recordEvents(caller, [
    { ...happened, key: 'k1', at: 1, event: 'prompt', text: 'Please mend the crane of the harbour.' },
    { ...happened, key: 'k2', at: 2, event: 'turn', text: 'We decided to weld the crane. Next: paint the crane.' },
  ]);
  const { items } = await opened.engine.listObservations(caller, {});
  const name = items[0]!.project!;
  assert.match(name, /^har ?bour$/);
  assert.deepEqual([items[0]!.agent, items[0]!.session], ['codex', 's1']);
  for (const asked of [project, name]) {
    const { context } = await opened.engine.getContext(caller, { project: asked, preview: true, timeoutMs: 10_000 });
    assert.match(context!, /Notes from earlier sessions in "har ?bour"/);
  }
  const packet = makePacket({ project: { name: `pi${UNSEEN.join('')}er` } });
  await opened.engine.savePacket(caller, { raw: JSON.stringify(packet) });
  const { items: packets } = await opened.engine.listPackets(caller, { project: 'pier' });
  assert.equal(packets.length, 1);
});

test('a workspace and the paths of its notes have none; a path with a control is refused', async () => {
  const place = { machine: 'lap\u202etop', tool: 'claude\u180e-code', project: 'qu\u3164ay' };
  const { workspaceId: workspace_id, writeToken: write_token } = await opened.engine.registerWorkspace(caller, {
    ...place,
    wantsToken: true,
  });
  assert.equal(workspace_id, 'laptop-claude-code-quay');
  for (const [i, one] of UNSEEN.entries()) {
    const path = `no${one}te-${i}.md`;
    const put = await call('upload_knowledge', { workspace_id, write_token, path, content: `Note ${i}` });
    assert.equal(put.isError, false, put.text);
    const got = await call('read_knowledge', { workspace_id, path });
    assert.match(got.text, new RegExp(`Note ${i}`));
  }
  const { text, structured } = await call('list_knowledge', { workspace_id });
  for (const form of [text, JSON.stringify(structured)]) {
    assert.match(form, /note-0\.md/);
    for (const one of UNSEEN) assert.equal(form.includes(one), false, one.codePointAt(0)!.toString(16));
  }
  const refused = await call('upload_knowledge', { workspace_id, write_token, path: 'a\u001bb.md', content: 'x' });
  assert.equal(refused.isError, true);
});

test('a project that is named after its folder or its package has none', (t) => {
  const home = mkdtempSync(join(tmpdir(), 'ltm-names-'));
  t.after(() => rmSync(home, { recursive: true }));
  mkdirSync(join(home, 'pi\u202eer', '.git'), { recursive: true });
  assert.equal(projectIn(join(home, 'pi\u202eer')), 'pier');
  writeFileSync(join(home, 'pi\u202eer', 'package.json'), JSON.stringify({ name: 'qu\u001b\u3164ay' }));
  assert.equal(projectIn(join(home, 'pi\u202eer')), 'quay');
});
