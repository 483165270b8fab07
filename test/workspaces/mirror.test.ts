// Rows F4, F14 to F16, F20, F21, F23, F26 and F27 of the federated server's checklist, as far as they are about its folder.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { openMirror } from '../../src/features/workspaces/mirror/mirror-files.ts';
import { mirrorOnce, mirrorSource } from '../../src/features/workspaces/mirror/mirror-folder.ts';
import { PLAIN_ENV, PROGRAM, stoppedBy } from '../e2e/program.ts';
import { openTestEngine } from '../open-test-engine.ts';
import { clientOf } from '../verb-client.ts';
import { LAPTOP, SYNC_TOKEN, startFederated } from './federated-server.ts';
import { makeTranscript } from './make-transcript.ts';

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-mirror-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The folder follows the memory within moments; a test waits for what it expects, as long as it takes. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(50);
}

const ID = 'mymachine-claude-code-myproject';

test('F4, F15, F16, F26 and F27: MEMORY_ROOT holds the layout after use, and survives a restart', async (t) => {
  const root = join(makeFolder(t), 'memory');
  const server = await startFederated(t, { env: { MEMORY_ROOT: root } });
  const sync = await server.open(SYNC_TOKEN);
  const { write_token } = await sync.call('register_workspace', LAPTOP);
  const ref = { workspace_id: ID, write_token };
  const content = makeTranscript(500);
  await sync.call('upload_knowledge', { ...ref, path: 'deep/plan.md', content: 'first\r\n' });
  await sync.call('upload_session', { ...ref, session_id: '0198c1a2-aaaa', content });
  await sync.call('upload_session', { ...ref, session_id: 'again', content });
  const agent = await server.open();
  await agent.call('register_workspace', LAPTOP);
  await agent.call('write_overview', { content: '# Mine\n' });
  const top = join(root, 'workspaces', ID);
  const session = join(top, 'sessions/2026/03/0198c1a2-aaaa.jsonl.gz');
  const text = (...names: string[]): string =>
    existsSync(join(top, ...names)) ? readFileSync(join(top, ...names), 'utf8') : '';
  await until(() => text('overview.md') === '# Mine\n' && existsSync(session) && text('knowledge/deep/plan.md') !== '');
  assert.equal(text('knowledge/deep/plan.md'), 'first\r\n');
  assert.equal(gunzipSync(readFileSync(session)).toString(), content);
  assert.deepEqual(readdirSync(join(top, 'sessions/2026/03')).sort(), [
    '0198c1a2-aaaa.jsonl.gz',
    '0198c1a2-aaaa.meta.json',
  ]);
  const identity = JSON.parse(text('identity.json'));
  assert.deepEqual([identity.workspace_id, identity.machine, 'write_token' in identity], [ID, 'mymachine', false]);
  await until(
    () => JSON.parse(readFileSync(join(root, '_meta/workspaces.json'), 'utf8')).workspaces[0].session_count === 1,
  );
  await sync.call('upload_knowledge', { ...ref, path: 'deep/plan.md', content: 'second' });
  await until(() => text('knowledge/deep/plan.md') === 'second');
  const versions = () => readdirSync(join(top, 'knowledge/.versions/deep')).sort();
  await until(() => existsSync(join(top, 'knowledge/.versions/deep')));
  assert.match(versions()[0]!, /^plan\.md\.\d{8}T\d{6}Z\.[0-9a-f]{8}\.md$/);
  assert.equal(text('knowledge/.versions/deep', versions()[0]!), 'first\r\n');
  await agent.call('delete_knowledge', { path: 'deep/plan.md' });
  await until(() => text('knowledge/deep/plan.md') === '' && versions().length === 2);
  writeFileSync(join(top, 'knowledge/by-hand.md'), 'by hand');
  const listed = async (): Promise<string[]> =>
    (await sync.call('list_knowledge', { workspace_id: ID })).notes.map(({ path }: { path: string }) => path);
  while (!(await listed()).includes('by-hand.md')) await pause(50);
  await server.stop();
  const again = await startFederated(t, { env: { MEMORY_ROOT: root }, folder: server.folder });
  const { workspaces } = await (await again.open()).call('list_workspaces');
  assert.equal(workspaces[0].workspace_id, ID);
});

test('F23: what came and went between two rounds, or before the folder was there, lies among the versions', async (t) => {
  const client = clientOf((await openTestEngine(t)).engine);
  const { workspaceId: workspace } = await client.registerWorkspace(LAPTOP);
  for (const content of ['first', 'second']) await client.uploadNote({ workspace, path: 'deep/plan.md', content });
  await client.deleteNote({ workspace, path: 'deep/plan.md' });
  const folder = join(makeFolder(t), 'mirror');
  const files = openMirror(folder);
  await mirrorOnce(mirrorSource(client), files);
  const deep = join(folder, 'workspaces', ID, 'knowledge/.versions/deep');
  const texts = () => readdirSync(deep).map((name) => readFileSync(join(deep, name), 'utf8'));
  assert.deepEqual(texts().toSorted(), ['first', 'second']);
  const { notes } = await client.listNotes({ workspace, deleted: true });
  assert.deepEqual(
    [notes.map(({ path }) => path), (await client.listNotes({ workspace })).notes],
    [['deep/plan.md'], []],
  );
  const again = await mirrorOnce(mirrorSource(client), files);
  assert.deepEqual([again.written, again.removed, again.warnings, texts().length], [[], [], [], 2]);
});

test('F15: the texts that an overview had lie among the versions', async (t) => {
  const client = clientOf((await openTestEngine(t)).engine);
  const { workspaceId: workspace } = await client.registerWorkspace(LAPTOP);
  const folder = join(makeFolder(t), 'mirror');
  const files = openMirror(folder);
  const top = join(folder, 'workspaces', ID);
  const texts = () =>
    readdirSync(join(top, '.versions')).map((name) => readFileSync(join(top, '.versions', name), 'utf8'));
  for (const content of ['first', 'second']) await client.writeOverview({ workspace, content });
  await mirrorOnce(mirrorSource(client), files);
  assert.deepEqual([readFileSync(join(top, 'overview.md'), 'utf8'), texts().filter(Boolean)], ['second', ['first']]);
  await client.writeOverview({ workspace, content: 'third' });
  await mirrorOnce(mirrorSource(client), files);
  assert.deepEqual(texts().filter(Boolean).toSorted(), ['first', 'second']);
  assert.match(readdirSync(join(top, '.versions')).at(-1)!, /^overview\.md\.\d{8}T\d{6}Z\.[0-9a-f]{8}\.md$/);
});

test('F14 and F20: hostile names stay inside the folder, links are not followed, a foreign folder is left alone', async (t) => {
  const [folder, outside] = [makeFolder(t), makeFolder(t)];
  writeFileSync(join(outside, 'precious.md'), 'precious');
  assert.throws(() => openMirror(outside), { code: 'conflict' });
  const files = openMirror(folder);
  symlinkSync(outside, join(folder, 'link'));
  mkdirSync(join(folder, 'a'));
  symlinkSync(join(outside, 'precious.md'), join(folder, 'a', 'precious.md'));
  for (const path of ['../x.md', 'link/x.md', 'link/precious.md', 'a/precious.md', '../../etc/passwd'])
    assert.throws(() => files.write(path, 'evil'), { code: 'forbidden' }, path);
  assert.deepEqual(files.list('a'), []);
  assert.deepEqual(
    [readdirSync(outside), readFileSync(join(outside, 'precious.md'), 'utf8')],
    [['precious.md'], 'precious'],
  );
});

test('a folder that is suddenly empty deletes nothing unless somebody says so', async (t) => {
  const client = clientOf((await openTestEngine(t)).engine);
  const { workspaceId: workspace } = await client.registerWorkspace(LAPTOP);
  for (let i = 0; i < 30; i++) await client.uploadNote({ workspace, path: `${i}.md`, content: `note ${i}` });
  const folder = join(makeFolder(t), 'mirror');
  const knowledge = join(folder, 'workspaces', ID, 'knowledge');
  await mirrorOnce(mirrorSource(client), openMirror(folder));
  assert.equal(readdirSync(knowledge).length, 30);
  writeFileSync(join(knowledge, '1.md'), 'edited');
  rmSync(join(knowledge, '2.md'));
  const { sent, removed } = await mirrorOnce(mirrorSource(client), openMirror(folder));
  assert.deepEqual([sent.length, removed.length], [1, 1]);
  assert.equal((await client.getNote({ workspace, path: '1.md' })).content, 'edited');
  await client.uploadNote({ workspace, path: '1.md', content: 'theirs' });
  writeFileSync(join(knowledge, '1.md'), 'mine');
  const { conflicts } = await mirrorOnce(mirrorSource(client), openMirror(folder));
  assert.equal(conflicts.length, 1);
  assert.equal(readFileSync(join(knowledge, '1.md'), 'utf8'), 'theirs');
  const beside = readdirSync(knowledge).find((name) => name.includes('.conflict-'))!;
  assert.equal(readFileSync(join(knowledge, beside), 'utf8'), 'mine');
  rmSync(knowledge, { recursive: true });
  const { warnings } = await mirrorOnce(mirrorSource(client), openMirror(folder));
  assert.match(warnings[0]!, /29 notes/);
  assert.equal((await client.listNotes({ workspace })).notes.length, 29);
  await mirrorOnce(mirrorSource(client), openMirror(folder), { removesMany: true });
  assert.equal((await client.listNotes({ workspace })).notes.length, 0);
});

test('ltm mirror writes the folder of a server that is far away', async (t) => {
  const server = await startFederated(t);
  const sync = await server.open(SYNC_TOKEN);
  const { write_token } = await sync.call('register_workspace', LAPTOP);
  const content = makeTranscript(1500);
  await sync.call('upload_session', { workspace_id: ID, write_token, session_id: 's1', content });
  await sync.call('upload_knowledge', { workspace_id: ID, write_token, path: 'a.md', content: 'a' });
  const home = makeFolder(t);
  const env = { ...PLAIN_ENV, HOME: home, LTM_SERVER: server.url, LTM_TOKEN: SYNC_TOKEN };
  const run = async (): Promise<number> => {
    const child = spawn(process.execPath, [PROGRAM, 'mirror', join(home, 'm'), '--once'], { env, stdio: 'ignore' });
    return ((await once(child, 'exit')) as [number])[0];
  };
  assert.equal(await run(), 0);
  const top = join(home, 'm', 'workspaces', ID);
  assert.equal(readFileSync(join(top, 'knowledge/a.md'), 'utf8'), 'a');
  assert.equal(gunzipSync(readFileSync(join(top, 'sessions/2026/03/s1.jsonl.gz'))).toString(), content);
  writeFileSync(join(top, 'knowledge/a.md'), 'edited here');
  assert.equal(await run(), 0);
  const read = await sync.call('read_knowledge', { workspace_id: ID, path: 'a.md' });
  assert.equal(read.content, 'edited here');
});

test('ltm mirror --watch follows both sides until it is told to stop, and ends in good order', async (t) => {
  const server = await startFederated(t);
  const sync = await server.open(SYNC_TOKEN);
  const { write_token } = await sync.call('register_workspace', LAPTOP);
  const upload = (path: string, content: string) =>
    sync.call('upload_knowledge', { workspace_id: ID, write_token, path, content });
  await upload('a.md', 'first');
  const home = makeFolder(t);
  const env = { ...PLAIN_ENV, HOME: home, LTM_SERVER: server.url, LTM_TOKEN: SYNC_TOKEN };
  const child = spawn(process.execPath, [PROGRAM, 'mirror', join(home, 'm'), '--watch'], { env, stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  const at = (name: string): string => join(home, 'm', 'workspaces', ID, 'knowledge', name);
  const text = (name: string): string => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : '');
  await until(() => text('a.md') === 'first');
  writeFileSync(at('a.md'), 'edited here');
  writeFileSync(at('b.md'), 'new here');
  const thereIs = async (path: string): Promise<string> => {
    const answer = await sync.invoke('read_knowledge', { workspace_id: ID, path });
    return answer.isError ? '' : answer.structuredContent.content;
  };
  while ((await thereIs('a.md')) !== 'edited here' || (await thereIs('b.md')) !== 'new here') await pause(100);
  await upload('c.md', 'new there');
  await upload('b.md', 'changed there');
  await until(() => text('c.md') === 'new there' && text('b.md') === 'changed there');
  child.kill('SIGTERM');
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  assert.deepEqual([code, signal], stoppedBy('SIGTERM'));
  assert.deepEqual(readdirSync(join(at('a.md'), '..')).toSorted(), ['.versions', 'a.md', 'b.md', 'c.md']);
});
