// Rows F31 to F35 of the federated server's checklist: the client.
import assert from 'node:assert/strict';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { AI_TOKEN, type Federated, SYNC_TOKEN, startFederated } from './federated-server.ts';
import { makeTranscript } from './make-transcript.ts';
import { makeMachine } from './sync-machine.ts';

const TRIPLE = { machine: 'laptop', tool: 'claude-code', project: 'shop' };
const MANIFEST = {
  workspace_id: 'laptop-claude-code-shop',
  ...TRIPLE,
  tracked: [{ local: '~/work/shop/CLAUDE.md', upload: 'claude.md' }],
  tracked_dirs: [{ local: '~/notes', upload_prefix: 'auto/', glob: '*.md' }],
};
const WORKSPACE = MANIFEST.workspace_id;

/** Requests that carried something to be kept. */
function countUploads(server: Federated): number {
  return server
    .log()
    .split('\n')
    .filter((line) => /"(PUT|POST)"/.test(line) && /note"|chunks"/.test(line)).length;
}

test('F31 and F32: what a manifest names is uploaded under its names; unchanged, nothing; touched, one', async (t) => {
  const server = await startFederated(t);
  const machine = makeMachine(t, server.url);
  machine.write('.memory-sync/manifests/shop.json', JSON.stringify(MANIFEST));
  machine.write('work/shop/CLAUDE.md', '# Shop\r\n');
  const plan = machine.write('notes/plan.md', 'first');
  machine.write('notes/ignored.txt', 'no');
  machine.write('notes/.hidden.md', 'no');
  machine.write('.memory-sync/manifests/broken.json', '{"machine":');
  const first = await machine.sync(['run']);
  assert.equal(first.code, 1, first.err);
  assert.deepEqual(first.answer.uploaded.sort(), ['auto/plan.md', 'claude.md']);
  assert.match(first.answer.failed[0], /broken\.json/);
  const agent = await server.open();
  const { notes } = await agent.call('list_knowledge', { workspace_id: WORKSPACE });
  assert.deepEqual(
    notes.map(({ path }: { path: string }) => path),
    ['auto/plan.md', 'claude.md'],
  );
  const read = await agent.call('read_knowledge', { workspace_id: WORKSPACE, path: 'claude.md' });
  assert.equal(read.content, '# Shop\r\n');
  const before = countUploads(server);
  await machine.sync(['run']);
  assert.equal(countUploads(server), before);
  utimesSync(plan, new Date(), new Date(Date.now() + 5000));
  await machine.sync(['run']);
  assert.equal(countUploads(server), before);
  writeFileSync(plan, 'second');
  assert.deepEqual((await machine.sync(['run'])).answer.uploaded, ['auto/plan.md']);
  assert.equal(countUploads(server), before + 1);
});

test('notes go both ways, and what was changed on both sides lies side by side', async (t) => {
  const server = await startFederated(t);
  const machine = makeMachine(t, server.url);
  machine.write('.memory-sync/manifests/shop.json', JSON.stringify({ ...MANIFEST, tracked: [] }));
  machine.write('notes/plan.md', 'one');
  await machine.sync(['run']);
  const sync = await server.open(SYNC_TOKEN);
  const { write_token } = await sync.call('register_workspace', TRIPLE);
  const upload = (path: string, content: string) =>
    sync.call('upload_knowledge', { workspace_id: WORKSPACE, write_token, path, content });
  await upload('auto/plan.md', 'from elsewhere');
  await upload('auto/new.md', 'new there');
  await upload('elsewhere.md', 'not of this folder');
  assert.deepEqual((await machine.sync(['run'])).answer.downloaded.sort(), ['auto/new.md', 'auto/plan.md']);
  assert.deepEqual([machine.read('notes/plan.md'), machine.read('notes/new.md')], ['from elsewhere', 'new there']);
  machine.write('notes/plan.md', 'mine');
  await upload('auto/plan.md', 'theirs');
  const { answer } = await machine.sync(['run']);
  assert.deepEqual([answer.conflicts, answer.uploaded], [['auto/plan.md'], ['auto/plan.md']]);
  const beside = readdirSync(join(machine.home, 'notes')).find((name) => /^plan\.conflict-[0-9a-f]{8}\.md$/.test(name));
  assert.equal(machine.read(`notes/${beside}`), 'theirs');
  assert.equal(machine.read('notes/plan.md'), 'mine');
  const current = await sync.call('read_knowledge', { workspace_id: WORKSPACE, path: 'auto/plan.md' });
  assert.deepEqual([current.content, current.versions.length], ['mine', 4]);
  const { notes } = await sync.call('list_knowledge', { workspace_id: WORKSPACE, prefix: 'auto/' });
  assert.equal(notes.length, 2);
});

test('F33: the hook sends the transcript of its event, and ends with 0 and no word even where nobody answers', async (t) => {
  const server = await startFederated(t);
  const machine = makeMachine(t, server.url);
  const text = makeTranscript(200);
  const transcript_path = machine.write('.claude/projects/-work-shop/0198c1a2-1111.jsonl', text);
  const event = JSON.stringify({
    session_id: '0198c1a2-1111',
    transcript_path,
    cwd: '/work/shop',
    hook_event_name: 'SessionEnd',
  });
  const { code, out, err } = await machine.sync(['claude-hook'], { stdin: event });
  assert.deepEqual([code, out, err], [0, '', '']);
  const agent = await server.open();
  const [found] = (await agent.call('list_sessions')).sessions;
  assert.deepEqual([found.session_id, found.lines, found.bytes], ['0198c1a2-1111', 200, text.length]);
  assert.match(found.workspace_id, /-claude-code-shop$/);
  for (const stdin of [event, 'no json', '']) {
    const down = await machine.sync(['claude-hook'], { stdin, env: { MCP_MEMORY_URL: 'http://127.0.0.1:1' } });
    assert.deepEqual([down.code, down.out, down.err], [0, '', '']);
  }
});

test('F34: sessions of Codex and Claude Code are found, sent once, and only what they have grown by', async (t) => {
  const server = await startFederated(t);
  const machine = makeMachine(t, server.url);
  const meta = { type: 'session_meta', payload: { id: '0198aaaa-bbbb', cwd: '/work/api' } };
  const said = {
    type: 'response_item',
    payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Why is it slow' }] },
  };
  const rollout = `${JSON.stringify(meta)}\n${JSON.stringify(said)}\n`;
  machine.write('.codex/sessions/2026/03/05/rollout-2026-03-05T10-00-00-0198aaaa-bbbb.jsonl', rollout);
  const text = makeTranscript(3000);
  const half = text.slice(0, text.indexOf('\n', text.length / 2) + 1);
  const file = machine.write('.claude/projects/-work-shop/0198c1a2-2222.jsonl', half);
  const first = await machine.sync(['run']);
  assert.equal(first.code, 0, first.err);
  assert.equal(first.answer.sessions.length, 2);
  const agent = await server.open();
  const { sessions } = await agent.call('list_sessions');
  const codex = sessions.find(({ session_id }: { session_id: string }) => session_id === '0198aaaa-bbbb');
  assert.match(codex.workspace_id, /-codex-api$/);
  assert.equal(codex.title, 'Why is it slow');
  const before = countUploads(server);
  assert.deepEqual((await machine.sync(['run'])).answer.sessions, []);
  assert.equal(countUploads(server), before);
  writeFileSync(file, text);
  const [grown] = (await machine.sync(['run'])).answer.sessions;
  assert.equal(grown.bytes, text.length);
  assert.ok(grown.sent <= text.length - half.length, `${grown.sent} bytes were sent`);
});

test('F35: a schedule and a hook are added once, with what was there kept; init and test say what they found', async (t) => {
  const server = await startFederated(t);
  const machine = makeMachine(t, server.url);
  const settings =
    '{\n  // mine\n  "model": "opus",\n  "hooks": { "SessionEnd": [{ "hooks": [{ "type": "command", "command": "other" }] }] }\n}\n';
  machine.write('.claude/settings.json', settings);
  const once = await machine.sync(['install-schedule', '--by', 'systemd']);
  const files = [
    '.config/systemd/user/ltm-sync.service',
    '.config/systemd/user/ltm-sync.timer',
    '.claude/settings.json',
  ];
  const written = files.map((file) => machine.read(file));
  assert.match(written[1]!, /30min/);
  assert.match(written[2]!, /sync claude-hook/);
  assert.match(written[2]!, /\/\/ mine[\s\S]*"command": "other"/);
  assert.equal(machine.read('.claude/settings.json.before-ltm-sync'), settings);
  await machine.sync(['install-schedule', '--by', 'systemd']);
  assert.deepEqual(
    files.map((file) => machine.read(file)),
    written,
    once.err,
  );
  const init = await machine.sync([
    'init',
    '--tool',
    'claude-code',
    '--project',
    'Shop',
    '--machine',
    'laptop',
    '--cwd',
    '/work/shop',
  ]);
  assert.equal(init.answer.workspace_id, 'laptop-claude-code-shop');
  const manifest = JSON.parse(machine.read('.memory-sync/manifests/laptop-claude-code-shop.json')!);
  assert.deepEqual(manifest.tracked_dirs, [
    { local: join(machine.home, '.claude/projects/-work-shop/memory'), upload_prefix: 'auto/', glob: '*.md' },
  ]);
  assert.equal(
    (await machine.sync(['init', '--machine', 'laptop', '--project', 'Shop', '--cwd', '/work/shop'])).answer.created,
    false,
  );
  assert.deepEqual((await machine.sync(['test'])).answer.workspaces, 0);
  const wrong = await machine.sync(['test'], { env: { SYNC_TOKEN: 'wrong', MCP_MEMORY_TOKEN: AI_TOKEN } });
  assert.notEqual(wrong.code, 0);
});

test('two runs at a time: one works, the other says so', async (t) => {
  const server = await startFederated(t);
  const machine = makeMachine(t, server.url);
  machine.write('.memory-sync/lock', `${process.pid} ${Date.now()}\n`);
  assert.equal((await machine.sync(['run'])).answer.outcome, 'busy');
  machine.write('.memory-sync/lock', '999999999 1\n');
  assert.equal((await machine.sync(['run'])).answer.outcome, 'synced');
});

test('with another memory, everything is sent that was sent to the one before', async (t) => {
  const [first, second] = [await startFederated(t), await startFederated(t)];
  const machine = makeMachine(t, first.url);
  machine.write('.memory-sync/manifests/shop.json', JSON.stringify({ ...MANIFEST, tracked: [] }));
  machine.write('notes/plan.md', 'the plan');
  machine.write('.claude/projects/-work-shop/s1.jsonl', makeTranscript(5));
  const run = (url: string) => machine.sync(['run'], { env: { MCP_MEMORY_URL: `${url}/mcp` } });
  for (const { url } of [first, second]) {
    const { code, err, answer } = await run(url);
    assert.deepEqual([code, answer.uploaded, answer.sessions.length], [0, ['auto/plan.md'], 1], err);
    const again = await run(url);
    assert.deepEqual([again.answer.uploaded, again.answer.sessions], [[], []]);
  }
});
