import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { PLAIN_ENV, PROGRAM } from './program.ts';

let home: string;
let env: Record<string, string>;
let child: ChildProcess | undefined;
before(() => {
  home = mkdtempSync(join(tmpdir(), 'ltm-status-'));
  mkdirSync(join(home, '.gemini'));
  writeFileSync(join(home, '.gemini', 'settings.json'), '{}');
  env = { ...PLAIN_ENV, HOME: home, PATH: dirname(process.execPath) };
});
after(() => {
  child?.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

function ltm(...words: string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], { env, encoding: 'utf8' });
  return { code: status, stdout, stderr };
}

function status(): { code: number | null; found: ReturnType<typeof JSON.parse> } {
  const { code, stdout } = ltm('status', '--json');
  return { code, found: JSON.parse(stdout) };
}

function hook(event: object): void {
  const script = join(dirname(PROGRAM), 'ltm-hook.js');
  spawnSync(process.execPath, [script, '--agent', 'gemini'], { env, input: JSON.stringify(event) });
}

const spool = () => join(home, '.local', 'share', 'ltm', 'spool');

describe('ltm status', () => {
  it('says that no agent is connected, what to do about it, and makes no database', () => {
    const { code, found } = status();
    assert.equal(code, 1);
    assert.equal(found.ok, false);
    assert.deepEqual(found.agents, [
      { name: 'gemini', title: 'Gemini CLI', state: 'not set up', hooks: false, problem: null },
    ]);
    assert.deepEqual(found.problems, [{ message: 'No agent is connected.', hint: 'Run `ltm setup`.' }]);
    assert.throws(() => readFileSync(join(home, '.local', 'share', 'ltm', 'memory.db')), { code: 'ENOENT' });
  });

  it('says that all is well after set-up, and counts what was captured today and what waits', () => {
    ltm('setup', '--yes');
    hook({ hook_event_name: 'BeforeAgent', session_id: 's1', cwd: home, prompt: 'Why does the login fail?' });
    const waiting = status();
    assert.equal(waiting.code, 0);
    assert.equal(waiting.found.agents[0].state, 'connected');
    assert.equal(waiting.found.agents[0].hooks, true);
    assert.equal(waiting.found.spool.waiting, 1);
    ltm('store', 'makes the database');
    const { code, found } = status();
    assert.equal(code, 0);
    assert.deepEqual(found.today, { observations: 1, sessions: 1 });
    assert.equal(found.spool.waiting, 0);
    assert.match(ltm('status').stdout, /All is well\./);
  });

  it('knows the server that runs here, and notices when it is silent', async () => {
    child = spawn(process.execPath, [PROGRAM, 'serve', '--port', '0', '--json'], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
    const { url } = JSON.parse(line);
    assert.deepEqual(status().found.running, { url, pid: child.pid, answers: true });
    child.kill('SIGSTOP');
    const { code, found } = status();
    assert.equal(code, 1);
    assert.match(found.problems[0].message, /does not answer/);
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.equal(status().found.running, null);
  });

  it('names what could not be taken in, what was dropped, and a set-up that was changed', () => {
    mkdirSync(join(spool(), 'refused'), { recursive: true });
    writeFileSync(join(spool(), 'refused', 'x.jsonl'), '{"half\n');
    writeFileSync(join(spool(), 'dropped'), '..');
    const settings = join(home, '.gemini', 'settings.json');
    writeFileSync(settings, readFileSync(settings, 'utf8').replace('"AfterTool"', '"Other"'));
    const { code, found } = status();
    assert.equal(code, 1);
    assert.equal(found.agents[0].state, 'outdated');
    assert.equal(found.problems.length, 3);
    assert.ok(found.problems.every(({ hint }: { hint: string }) => hint !== ''));
    rmSync(join(spool(), 'refused'), { recursive: true });
    rmSync(join(spool(), 'dropped'));
    ltm('setup', '--yes');
    assert.equal(status().code, 0);
  });

  it('says so when the server in use cannot be reached, and what has waited too long', () => {
    ltm('config', 'set', 'server', 'http://127.0.0.1:9');
    hook({ hook_event_name: 'BeforeAgent', session_id: 's2', cwd: home, prompt: 'And now?' });
    const waiting = join(spool(), 'events.jsonl');
    writeFileSync(waiting, readFileSync(waiting, 'utf8').replace(/"at":\d+/, '"at":1000000000000'));
    status();
    const { code, found } = status();
    assert.equal(code, 1);
    assert.equal(found.server, 'http://127.0.0.1:9');
    assert.equal(found.today, null);
    assert.equal(found.problems.length, 2);
    assert.match(found.problems[1].message, /1 captured event could not be taken in/);
  });
});
