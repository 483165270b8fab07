import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { PLAIN_ENV, PROGRAM, stoppedBy } from './program.ts';

let home: string;
let env: Record<string, string>;
const started: ChildProcessWithoutNullStreams[] = [];
before(() => {
  home = mkdtempSync(join(tmpdir(), 'ltm-service-'));
  mkdirSync(join(home, 'bin'));
  mkdirSync(join(home, '.codex'));
  env = { ...PLAIN_ENV, HOME: home, PATH: `${join(home, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin` };
});
after(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

function ltm(...words: string[]): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], { env, encoding: 'utf8' });
  return { code: status, stdout, stderr };
}

function start(...words: string[]): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [PROGRAM, ...words], { env });
  started.push(child);
  return child;
}

async function serve(...words: string[]): Promise<{ url: string; stop(): Promise<void> }> {
  const child = start('serve', '--port', '0', '--json', ...words);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    url: (JSON.parse(line) as { url: string }).url,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      assert.deepEqual(await ended, stoppedBy('SIGTERM'));
    },
  };
}

describe('the service', { skip: process.platform !== 'linux' }, () => {
  const unit = () => join(home, '.config', 'systemd', 'user', 'ltm.service');
  const calls = () => readFileSync(join(home, 'calls'), 'utf8').trim().split('\n');

  it('is a unit of the user, started at once, that writes a log file', () => {
    writeFileSync(join(home, 'bin', 'systemctl'), `#!/bin/sh\necho "$@" >> "${join(home, 'calls')}"\n`, {
      mode: 0o755,
    });
    const { code, stderr } = ltm('setup', '--yes', '--service', '--agents', 'codex');
    assert.equal(code, 0, stderr);
    const text = readFileSync(unit(), 'utf8');
    const log = join(home, '.local', 'share', 'ltm', 'logs', 'ltm.log');
    assert.ok(text.includes(`ExecStart="${process.execPath}" "${PROGRAM}" "serve" "--log-file" "${log}"\n`), text);
    assert.match(text, /Restart=on-failure/);
    assert.deepEqual(calls(), [
      '--user daemon-reload',
      '--user enable --now ltm.service',
      '--user restart ltm.service',
    ]);
  });

  it('is stopped and removed with everything else', () => {
    const { code } = ltm('setup', '--undo', '--yes');
    assert.equal(code, 0);
    assert.equal(existsSync(join(home, '.config', 'systemd')), false);
    assert.equal(calls().at(-1), '--user disable --now ltm.service');
    assert.equal(existsSync(join(home, '.codex', 'config.toml')), false);
  });

  it('is told how to start by hand where the service manager cannot be reached', () => {
    writeFileSync(join(home, 'bin', 'systemctl'), '#!/bin/sh\necho "Failed to connect to bus" >&2\nexit 1\n', {
      mode: 0o755,
    });
    const { code, stderr } = ltm('setup', '--yes', '--service', '--agents', 'codex');
    assert.equal(code, 1);
    assert.match(stderr, /Failed to connect to bus/);
    assert.match(stderr, /systemctl --user enable --now ltm\.service/);
    assert.ok(existsSync(unit()));
    ltm('setup', '--undo', '--yes');
  });
});

describe('the log of the server', () => {
  const log = () => join(home, 'logs', 'x.log');

  it('goes to log_file instead of stderr, and ltm logs shows its last lines', async () => {
    assert.equal(ltm('logs', '--config', 'none.json').code, 3);
    ltm('config', 'set', 'log_file', log());
    const server = await serve();
    await fetch(`${server.url}/api/v1/memories`);
    await server.stop();
    assert.equal(statSync(log()).mode & 0o777, 0o600);
    const { code, stdout } = ltm('logs');
    assert.equal(code, 0);
    assert.match(stdout, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d info {2}listening url=http:/m);
    const lines = ltm('logs', '-n', '1', '--json').stdout.trim().split('\n');
    assert.equal(lines.length, 1);
    assert.equal(typeof JSON.parse(lines[0]!).event, 'string');
  });

  it('is followed line by line, across the start of a new file', async () => {
    const child = start('logs', '-f', '-n', '1', '--json');
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    await lines.next();
    appendFileSync(log(), '{"event":"one"}\n{"event":');
    assert.equal((await lines.next()).value, '{"event":"one"}');
    appendFileSync(log(), '"two"}\n');
    assert.equal((await lines.next()).value, '{"event":"two"}');
    renameSync(log(), `${log()}.1`);
    writeFileSync(log(), '{"event":"three"}\n');
    assert.equal((await lines.next()).value, '{"event":"three"}');
    child.kill();
    await once(child, 'exit');
    assert.deepEqual(ltm('logs', '-n', '2', '--json').stdout.trim().split('\n'), [
      '{"event":"two"}',
      '{"event":"three"}',
    ]);
  });
});

describe('a machine that is wired to a server', () => {
  it('keeps the token with the sign-ins alone, names itself, and goes back to its own database on undo', async () => {
    const server = await serve('--db', join(home, 'there.db'));
    const token = readFileSync(join(home, 'owner-token'), 'utf8').trim();
    const before = ltm('config', 'get', 'server').stdout;
    const wrong = ltm('setup', '--yes', '--agents', 'codex', '--url', server.url, '--token', 'x'.repeat(48));
    assert.equal(wrong.code, 4);
    assert.equal(existsSync(join(home, '.codex', 'config.toml')), false);
    const { code, stderr } = ltm(
      'setup',
      '--yes',
      '--agents',
      'codex',
      '--url',
      `${server.url}/mcp`,
      '--token',
      token,
      '--machine',
      'laptop',
    );
    assert.equal(code, 0, stderr);
    const kept = join(home, '.config', 'ltm', 'credentials');
    assert.equal(statSync(kept).mode & 0o777, 0o600);
    assert.equal(JSON.parse(readFileSync(kept, 'utf8')).hosts[server.url].machine, 'laptop');
    assert.ok(!readFileSync(join(home, '.codex', 'config.toml'), 'utf8').includes(token));
    assert.ok(!readFileSync(join(home, '.local', 'share', 'ltm', 'setup', 'setup.json'), 'utf8').includes(token));
    const stored = JSON.parse(ltm('store', 'wired to a server', '--json').stdout);
    assert.equal(stored.memory.source.host, 'laptop');
    assert.equal(ltm('setup', '--undo', '--yes').code, 0);
    assert.equal(ltm('config', 'get', 'server').stdout, before);
    assert.ok(!readFileSync(kept, 'utf8').includes(token));
    assert.equal(ltm('auth', server.url, token).code, 0);
    await server.stop();
    const gone = ltm('setup', '--yes', '--agents', 'codex', '--url', server.url);
    assert.notEqual(gone.code, 0);
    assert.equal(existsSync(join(home, '.codex', 'config.toml')), false);
  });

  it('needs a token it does not have yet, and a server for one it is given', () => {
    assert.match(ltm('setup', '--yes', '--url', 'http://127.0.0.1:9').stderr, /--url needs --token/);
    assert.match(ltm('setup', '--yes', '--token', 'x').stderr, /--token needs --url/);
  });
});
