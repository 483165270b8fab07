// A folder of workspaces belongs to one memory: no other one may take what it lacks for deleted.
import assert from 'node:assert/strict';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { openMirror } from '../../src/features/workspaces/mirror/mirror-files.ts';
import { type MirrorSource, mirrorOnce, mirrorSource } from '../../src/features/workspaces/mirror/mirror-folder.ts';
import { failServe, makeServeFolder, removeFolder } from '../e2e/serve-process.ts';
import { makeFolder, openTestEngine } from '../open-test-engine.ts';
import { clientOf } from '../verb-client.ts';
import { AI_TOKEN, LAPTOP, SYNC_TOKEN, startFederated } from './federated-server.ts';
import { makeTranscript } from './make-transcript.ts';
import { runLtm } from './run-ltm.ts';

const ID = 'mymachine-claude-code-myproject';
const SESSION = 'sessions/2026/03/s1.jsonl.gz';

/** Every file below a folder with its bytes, for telling whether anything was changed. */
function snapshot(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((path) => [relative(folder, path), `${statSync(path).mtimeMs} ${readFileSync(path, 'base64')}`]),
  );
}

/** A memory of its own with the same workspace as every other one of this file. */
async function openMemory(t: TestContext, path?: string) {
  const { engine } = await openTestEngine(t, path === undefined ? {} : { path });
  const client = clientOf(engine);
  const { workspaceId: workspace, writeToken } = await client.registerWorkspace(LAPTOP);
  const source: MirrorSource = mirrorSource(client);
  const upload = (session: string, content: string) =>
    client.uploadTranscript({ workspace, writeToken, session, content });
  const note = (name: string, content: string) => client.uploadNote({ workspace, writeToken, path: name, content });
  return { client, source, upload, note, workspace };
}

async function fill({ upload, note, client, workspace }: Awaited<ReturnType<typeof openMemory>>): Promise<void> {
  await note('plan.md', 'the plan');
  await upload('s1', makeTranscript(20));
  await client.writeOverview({ workspace, content: '# Mine\n' });
}

test('another memory with the same workspace is refused, and changes nothing in the folder', async (t) => {
  const folder = join(makeFolder(), 'mirror');
  const first = await openMemory(t);
  await fill(first);
  await mirrorOnce(first.source, openMirror(folder));
  const before = snapshot(folder);
  assert.ok(before[`workspaces/${ID}/knowledge/plan.md`] && before[`workspaces/${ID}/${SESSION}`]);
  const other = await openMemory(t);
  await assert.rejects(mirrorOnce(other.source, openMirror(folder)), (error: { code: string; hint: string }) => {
    assert.equal(error.code, 'conflict');
    assert.match(error.hint, /_meta\/state\.json/);
    return true;
  });
  assert.deepEqual(snapshot(folder), before);
  const { warnings, removed } = await mirrorOnce(first.source, openMirror(folder));
  assert.deepEqual([warnings, removed], [[], []]);
});

test('an earlier state of the same database, such as a backup that was put back, is refused as well', async (t) => {
  const [home, folder] = [makeFolder(), join(makeFolder(), 'mirror')];
  const file = join(home, 'ltm.db');
  const run = (...words: string[]) => runLtm(home, [...words, '--db', file]);
  const early = await openTestEngine(t, { path: file });
  const client = clientOf(early.engine);
  const { workspaceId: workspace, writeToken } = await client.registerWorkspace(LAPTOP);
  await client.uploadNote({ workspace, writeToken, path: 'old.md', content: 'old' });
  await early.store.backup(join(home, 'copy.db'));
  await client.uploadNote({ workspace, writeToken, path: 'new.md', content: 'new' });
  await early.engine.close();
  assert.equal((await run('mirror', folder)).code, 0);
  for (const ending of ['-wal', '-shm']) rmSync(`${file}${ending}`, { force: true });
  copyFileSync(join(home, 'copy.db'), file);
  const before = snapshot(folder);
  const { code, err } = await run('mirror', folder);
  assert.equal(code, 4, err);
  assert.match(err, /backup/);
  assert.deepEqual(snapshot(folder), before);
});

test('a folder of an earlier release is bound to the memory it meets, and loses nothing', async (t) => {
  const folder = join(makeFolder(), 'mirror');
  const first = await openMemory(t);
  await fill(first);
  await first.note('both.md', 'of the first');
  await mirrorOnce(first.source, openMirror(folder));
  const state = join(folder, '_meta/state.json');
  const { memory: _, changes: __, overviews: ___, ...unbound } = JSON.parse(readFileSync(state, 'utf8'));
  writeFileSync(state, JSON.stringify(unbound));
  const other = await openMemory(t);
  await other.note('both.md', 'of the other');
  await other.upload('s1', makeTranscript(5));
  const { removed } = await mirrorOnce(other.source, openMirror(folder));
  assert.deepEqual(removed, []);
  const top = join(folder, 'workspaces', ID);
  const text = (name: string): string => readFileSync(join(top, name), 'utf8');
  assert.deepEqual([text('knowledge/plan.md'), text('knowledge/both.md')], ['the plan', 'of the other']);
  const beside = (of: string, name: RegExp) => join(of, readdirSync(join(top, of)).find((one) => name.test(one))!);
  assert.equal(text(beside('knowledge', /^both\.conflict-/)), 'of the first');
  assert.equal(text(beside('.', /^overview\.conflict-/)), '# Mine\n');
  const lines = (name: string): number =>
    gunzipSync(readFileSync(join(top, name)))
      .toString()
      .split('\n').length - 1;
  assert.equal(lines(SESSION), 5);
  assert.equal(lines(beside('sessions/2026/03', /^s1\.conflict-.*\.gz$/)), 20);
  assert.equal(JSON.parse(readFileSync(state, 'utf8')).memory, (await other.client.identifyMemory({})).memory);
  await assert.rejects(mirrorOnce(first.source, openMirror(folder)), { code: 'conflict' });
});

test('with a database of this machine, ltm mirror writes transcripts to the byte', async (t) => {
  const home = makeFolder();
  const file = join(home, 'ltm.db');
  const memory = await openTestEngine(t, { path: file });
  const client = clientOf(memory.engine);
  const { workspaceId: workspace, writeToken } = await client.registerWorkspace(LAPTOP);
  const content = makeTranscript(1500);
  await client.uploadTranscript({ workspace, writeToken, session: 's1', content });
  await memory.engine.close();
  const folder = join(home, 'mirror');
  const { code, err } = await runLtm(home, ['mirror', folder, '--db', file]);
  assert.equal(code, 0, err);
  assert.equal(gunzipSync(readFileSync(join(folder, 'workspaces', ID, SESSION))).toString(), content);
});

test('a server whose MEMORY_ROOT is not usable ends with the reason, and answers nobody', async (t) => {
  const home = makeServeFolder(null);
  t.after(() => removeFolder(home));
  const tokens = { MCP_TOKEN: AI_TOKEN, SYNC_TOKEN };
  const start = (root: string, ...args: string[]) =>
    failServe(home, ['--embedder', 'none', ...args], { ...tokens, MEMORY_ROOT: root });
  const foreign = join(home, 'foreign');
  mkdirSync(foreign);
  writeFileSync(join(foreign, 'precious.md'), 'precious');
  for (const args of [[], ['--workers', '2']]) {
    const { code, output } = await start(foreign, ...args);
    assert.equal(code, 4, output);
    assert.match(output, /was not written by ltm/);
  }
  assert.deepEqual(readdirSync(foreign), ['precious.md']);
  const onFile = await start(join(foreign, 'precious.md'));
  assert.equal(onFile.code, 2, onFile.output);
  assert.match(onFile.output, /precious\.md/);
  const nowhere = await start('/proc/ltm/mirror');
  assert.notEqual(nowhere.code, 0);
  assert.match(nowhere.output, /\/proc\/ltm/);
});

test('a server whose database was reset does not start on the folder of the one before', async (t) => {
  const root = join(makeFolder(), 'root');
  const env = { MEMORY_ROOT: root };
  const server = await startFederated(t, { env });
  const sync = await server.open(SYNC_TOKEN);
  const { write_token } = await sync.call('register_workspace', LAPTOP);
  const note = join(root, 'workspaces', ID, 'knowledge', 'a.md');
  await sync.call('upload_knowledge', { workspace_id: ID, write_token, path: 'a.md', content: 'a' });
  while (!existsSync(note) || !existsSync(join(root, '_meta/state.json'))) await pause(50);
  await server.stop();
  const before = snapshot(root);
  const reset = makeServeFolder(null);
  t.after(() => removeFolder(reset));
  const { code, output } = await failServe(reset, ['--embedder', 'none'], {
    MCP_TOKEN: AI_TOKEN,
    SYNC_TOKEN,
    ...env,
  });
  assert.equal(code, 4, output);
  assert.match(output, /another memory/);
  assert.deepEqual(snapshot(root), before);
});
