import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { expectMode } from '../expect-mode.ts';
import { type Machine, makeMachine } from './hook-process.ts';

const machines: Machine[] = [];
after(() => {
  for (const { remove } of machines) remove();
});

function machine(env: Record<string, string> = {}): Machine {
  const made = makeMachine(env);
  machines.push(made);
  return made;
}

const prompt = (text: string, id = text) => ({ hook_event_name: 'UserPromptSubmit', prompt: text, prompt_id: id });
const tool = (id: string, response: unknown = 'done', more = {}) => ({
  hook_event_name: 'PostToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'make' },
  tool_response: response,
  tool_use_id: id,
  ...more,
});
const silent = { code: 0, stdout: '', stderr: '' };
const ofEnded = ({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }) => ({
  code,
  stdout,
  stderr,
});

test('prompts, tools and turns are spooled for their owner alone, without a word on stdout (M33)', async () => {
  const { hook, waiting, spool } = machine();
  for (const event of [
    prompt('Fix the build'),
    tool('t1'),
    { hook_event_name: 'Stop', last_assistant_message: 'Fixed.' },
  ])
    assert.deepEqual(ofEnded(await hook(event, { words: ['--agent', 'claude-code'] })), silent);
  assert.deepEqual(
    waiting().map(({ event, agent, project }) => [event, agent, project]),
    [
      ['prompt', 'claude-code', 'shop'],
      ['tool', 'claude-code', 'shop'],
      ['turn', 'claude-code', 'shop'],
    ],
  );
  expectMode(spool, 0o700);
  for (const name of readdirSync(spool)) expectMode(join(spool, name), 0o600);
  assert.deepEqual(ofEnded(await hook(tool('t2', 'x', { tool_name: 'mcp__ltm__memory_search' }))), silent);
  assert.equal(waiting().length, 3);
});

test('whatever stdin holds, the hook ends with 0 and says nothing (M33)', async () => {
  const { hook, waiting, spool } = machine();
  for (const input of [
    '',
    'no JSON {',
    '[]',
    'null',
    '"text"',
    '{"hook_event_name":"Stop"',
    JSON.stringify({ hook_event_name: 'Unheard' }),
    '{"hook_event_name":{}}',
    Buffer.from([0xff, 0xfe, 0x00]),
  ])
    assert.deepEqual(ofEnded(await hook(input)), silent, String(input));
  assert.deepEqual(waiting(), []);
  assert.match(readFileSync(join(spool, 'hook.log'), 'utf8'), /unreadable_input/);
});

test('LONGMEM_DRY_RUN reads what it is given and does nothing, as LongMem does', async () => {
  const { hook, waiting, home } = machine();
  // Beside what Node keeps of the compiled hook.
  const listHome = () =>
    readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) => !/^\.cache/.test(name));
  const before = listHome();
  for (const LONGMEM_DRY_RUN of ['1', 'true'])
    for (const input of [prompt('Fix the build'), tool('t1'), prompt('Leave this out #skip'), 'no JSON {'])
      assert.deepEqual(ofEnded(await hook(input, { env: { LONGMEM_DRY_RUN } })), silent);
  assert.deepEqual([waiting(), listHome()], [[], before]);
  await hook(tool('t2'), { env: { LONGMEM_DRY_RUN: '0' } });
  assert.equal(waiting().length, 1);
});

test('a stdin that never ends, and one of many megabytes, are bounded, and what has come is kept', async () => {
  const { hook, waiting } = machine();
  const plain = await hook(tool('t0'));
  const open = await hook(tool('t1'), { neverEnds: true });
  assert.deepEqual(ofEnded(open), silent);
  assert.ok(open.ms < plain.ms + 1000, `${open.ms} beside ${plain.ms}`);
  const half = await hook(`{"session_id":"s1","hook_event_name":"UserPromptSubmit","prompt":"${'word '.repeat(1000)}`, {
    neverEnds: true,
  });
  assert.deepEqual(ofEnded(half), silent);
  assert.ok(half.ms < plain.ms * 3 + 1000, `${half.ms} beside ${plain.ms}`);
  const huge = await hook(tool('t2', 'line\n'.repeat(6 << 20)));
  assert.deepEqual(ofEnded(huge), silent);
  const events = waiting();
  assert.deepEqual(events.map(({ key }) => key.split(':')[3]?.slice(0, 2)).slice(0, 2), ['t0', 't1']);
  assert.match(events[2]!.text!, /^word word/);
  assert.deepEqual(events[2]!.screened, ['incomplete']);
  assert.match(events[3]!.tool!.output, /^line\nline\n[\s\S]*truncated \d+ chars\]$/);
});

test('two sessions on stdin are two, structured results are text, and what is delivered twice is stored once (M34)', async () => {
  const { hook, stored } = machine();
  const events = [
    prompt('continue', 'p1'),
    prompt('continue', 'p2'),
    tool('t1', { stdout: 'all 12 tests passed', stderr: '', interrupted: false }),
    tool('t2', [{ type: 'text', text: 'two rows' }]),
    { ...prompt('Another matter', 'p1'), session_id: 's2' },
  ];
  for (const event of [...events, ...events]) await hook(event);
  const observations = await stored('observation');
  assert.equal(observations.length, 5);
  assert.equal((await stored('session')).length, 2);
  const text = JSON.stringify(observations);
  assert.ok(text.includes('all 12 tests passed') && text.includes('two rows') && !text.includes('[object Object]'));
  for (const event of events) await hook(event);
  assert.equal((await stored('observation')).length, 5);
});

test('what a taker has recorded and not deleted before it was killed is recorded once', async () => {
  const { hook, stored, spool } = machine();
  await hook(prompt('Fix the build'));
  await hook(tool('t1'));
  cpSync(join(spool, 'events.jsonl'), join(spool, '..', 'copy'));
  assert.equal((await stored('observation')).length, 2);
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  renameSync(join(spool, '..', 'copy'), join(spool, `events-${pid}-abc.taking`));
  assert.equal((await stored('observation')).length, 2);
  assert.deepEqual(
    readdirSync(spool).filter((name) => /taking|jsonl/.test(name)),
    [],
  );
});

test('#skip leaves out the whole turn, and the next prompt is captured again', async () => {
  const { hook, waiting } = machine();
  for (const event of [
    prompt('Look at the payroll #skip'),
    tool('t1'),
    { hook_event_name: 'Stop', last_assistant_message: 'x' },
  ])
    await hook(event);
  assert.deepEqual(waiting(), []);
  await hook(prompt('Now the tests'));
  await hook(tool('t2'));
  assert.deepEqual(
    waiting().map(({ event }) => event),
    ['prompt', 'tool'],
  );
});

test('settings exclude tools, paths and projects, and patterns of the person are replaced', async () => {
  const { hook, waiting, home, db } = machine();
  const write = (settings: object) => writeFileSync(join(home, 'config.json'), JSON.stringify({ db, ...settings }));
  write({
    capture_exclude_tools: ['mcp__jira__*'],
    capture_exclude_paths: ['*.tfstate'],
    privacy_patterns: ['ACME-\\d{4}', '.*'],
  });
  await hook(tool('t1', 'x', { tool_name: 'mcp__jira__get' }));
  assert.deepEqual(waiting(), []);
  await hook(tool('t2', 'password: x', { tool_input: { command: 'cat prod.tfstate' } }));
  await hook(prompt('Do ACME-1234'));
  const [denied, said] = waiting();
  assert.deepEqual(denied!.tool!.input, { path: 'prod.tfstate' });
  assert.equal(said!.text, 'Do [redacted:custom]');
  write({ capture_exclude_projects: ['shop'] });
  await hook(prompt('Nothing of this'));
  assert.equal(waiting().length, 2);
});

/** A server that takes connections and never says a word. */
async function listenSilently(): Promise<{ url: string; close(): void }> {
  const server = createServer(() => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}

test('with the port held by somebody silent, nothing waits longer than it may, and nothing is lost', async (context) => {
  const { hook, waiting, spool, home } = machine();
  const plain = await hook(tool('t0'));
  const port = await listenSilently();
  context.after(port.close);
  writeFileSync(join(home, 'token'), 'ltm_x');
  writeFileSync(
    join(spool, 'server.json'),
    JSON.stringify({ url: port.url, pid: process.pid, tokenFile: join(home, 'token') }),
  );
  for (const event of [prompt('Hello'), { hook_event_name: 'SessionStart', source: 'startup' }, tool('t1')]) {
    const ended = await hook(event);
    assert.deepEqual(ofEnded(ended), silent);
    assert.ok(ended.ms < plain.ms * 3 + 1000, `${ended.ms} beside ${plain.ms}`);
  }
  assert.equal(waiting().length, 4);
});

test('a server that was killed is not asked, and what it has left is removed', async () => {
  const { hook, spool } = machine();
  mkdirSync(spool);
  const { pid } = spawnSync(process.execPath, ['-e', '0']);
  writeFileSync(join(spool, 'server.json'), JSON.stringify({ url: 'http://127.0.0.1:9', pid, tokenFile: null }));
  assert.deepEqual(ofEnded(await hook(prompt('Hello'))), silent);
  assert.ok(!readdirSync(spool).includes('server.json'));
});

test('a spool that cannot be written to holds nobody up', async () => {
  const { hook } = machine({ LTM_SPOOL: join(import.meta.filename, 'spool') });
  assert.deepEqual(ofEnded(await hook(tool('t1'))), silent);
  assert.deepEqual(ofEnded(await hook(prompt('Hello'))), silent);
});

test('on a full disk the reserve takes what comes, and afterwards everything is there', {
  skip: !canMount() && 'needs to mount a small file system',
}, async (context) => {
  const { hook, waiting, stored, home, spool } = machine();
  mkdirSync(spool);
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', spool]);
  context.after(() => spawnSync('umount', ['-l', spool]));
  await hook(tool('t0'));
  assert.throws(() => writeFileSync(join(spool, 'filler'), Buffer.alloc(8 << 20)), /ENOSPC/);
  for (let i = 1; i <= 5; i++) assert.deepEqual(ofEnded(await hook(tool(`t${i}`))), silent);
  assert.equal(waiting().length, 6);
  rmSync(join(spool, 'filler'));
  assert.equal((await stored('observation')).length, 6);
  assert.equal(statSync(join(spool, 'reserve')).size, 1 << 20);
  assert.ok(home);
});

function canMount(): boolean {
  const { status } = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']);
  return process.platform === 'linux' && process.getuid?.() === 0 && status === 0;
}

test('what is compiled of a hook is kept for the next event, in a clone too', async () => {
  const { hook, home } = machine();
  const cache = join(home, 'kept');
  for (const text of ['Fix the build', 'And the tests'])
    assert.deepEqual(
      ofEnded(await hook(prompt(text), { env: { LTM_CACHE_DIR: cache, NODE_COMPILE_CACHE: '' } })),
      silent,
    );
  const files = readdirSync(join(cache, 'compiled'), { recursive: true, encoding: 'utf8' });
  assert.ok(files.length > 1, `${files}`);
});
