import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { PLAIN_ENV, PROGRAM, stoppedBy } from './program.ts';

const ROOT = dirname(dirname(import.meta.dirname));
const isOnUnix = process.platform !== 'win32';
let folder: string;
let env: Record<string, string>;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'ltm-server-'));
  env = { ...PLAIN_ENV, HOME: folder, LTM_CONFIG: join(folder, 'config.json'), LTM_LOG_LEVEL: 'warn' };
});
after(() => rmSync(folder, { recursive: true, force: true }));

function ltm(words: readonly string[], input = ''): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], { env, encoding: 'utf8', input });
  return { code: status, stdout, stderr };
}

async function start(
  ...words: string[]
): Promise<{ child: ChildProcessWithoutNullStreams; url: string; complaints(): string }> {
  const child = spawn(process.execPath, [PROGRAM, 'server', '--addr', '127.0.0.1:0', '--json', ...words], { env });
  let text = '';
  child.stderr.on('data', (chunk) => (text += chunk));
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, url: (JSON.parse(line) as { url: string }).url, complaints: () => text };
}

async function stop(child: ChildProcessWithoutNullStreams): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual(await ended, stoppedBy('SIGTERM'));
}

describe('ltm server', () => {
  const db = () => join(folder, 'data', 'deep', 'memory.db');
  let first = '';

  it('does not start where nobody could get in, says what to do, and leaves nothing behind', () => {
    const { code, stdout, stderr } = ltm(['server', '--db', db()]);
    assert.notEqual(code, 0);
    assert.equal(stdout, '');
    assert.match(stderr, /ltm server init/);
    assert.equal(existsSync(dirname(db())), false);
  });

  it('init makes a private database and prints the token alone, which the database knows as a hash only', () => {
    const { code, stdout, stderr } = ltm(['server', 'init', '--db', db()]);
    assert.equal(code, 0);
    assert.match(stdout, /^[A-Za-z0-9]{48}\n$/);
    first = stdout.trim();
    assert.ok(!stderr.includes(first));
    if (isOnUnix) assert.deepEqual([statSync(dirname(db())).mode & 0o777, statSync(db()).mode & 0o777], [0o700, 0o600]);
    const bytes = readFileSync(db());
    assert.equal(bytes.includes(first), false);
    assert.ok(bytes.includes(createHash('sha256').update(first).digest('hex')));
  });

  it('init once more gives the same owner another token', () => {
    const { stdout } = ltm(['server', 'init', '--db', db()]);
    assert.notEqual(stdout.trim(), first);
    const { users } = JSON.parse(ltm(['users', '--db', db(), '--json']).stdout) as { users: { id: string }[] };
    assert.deepEqual(
      users.map(({ id }) => id),
      ['owner'],
    );
  });

  it('issue-token gives one person several tokens that see the same, and another person none of it', async () => {
    const issue = (...words: string[]) => ltm(['server', 'issue-token', ...words, '--db', db()]).stdout.trim();
    const [laptop, ci, ada, adaToo] = [
      issue('laptop'),
      issue('ci'),
      issue('ada', '--email', 'ada@example.org'),
      issue('ada-phone', '--email', 'ADA@example.org'),
    ];
    const { child, url } = await start('--db', db());
    const call = (token: string, path: string, init: RequestInit = {}) =>
      fetch(`${url}/api/v1${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      });
    const store = (token: string, content: string) =>
      call(token, '/memories', { method: 'POST', body: JSON.stringify({ content }) });
    assert.equal((await store(laptop, 'the owner keeps bees')).status, 201);
    assert.equal((await store(ada, 'ada keeps goats')).status, 201);
    const see = async (token: string) => (await (await call(token, '/memories')).text()).match(/bees|goats/g) ?? [];
    assert.deepEqual(await Promise.all([laptop, ci, first, ada, adaToo].map(see)), [
      ['bees'],
      ['bees'],
      ['bees'],
      ['goats'],
      ['goats'],
    ]);

    assert.equal((await call(ci, '/whoami')).status, 200);
    assert.match(ltm(['tokens', 'revoke', 'ci', '--db', db()]).stdout, /Revoked/);
    assert.equal((await call(ci, '/whoami')).status, 401, 'revoked by another process, at once');
    ltm(['users', 'suspend', 'ada@example.org', '--db', db()]);
    assert.equal((await call(ada, '/whoami')).status, 401);
    ltm(['users', 'resume', 'ada@example.org', '--db', db()]);
    assert.equal((await call(ada, '/whoami')).status, 200);
    await stop(child);
  });

  it('answers a wrong token and none with 401, and the state to everybody', async () => {
    const { child, url, complaints } = await start('--db', db());
    for (const authorization of [undefined, 'Bearer wrong', `Basic ${first}`, `Bearer ${first}x`]) {
      for (const path of ['/api/v1/memories', '/v1/packets', '/mcp']) {
        const answer = await fetch(url + path, { headers: authorization === undefined ? {} : { authorization } });
        assert.equal(answer.status, 401, path);
        const body = (await answer.json()) as { error?: unknown; code?: unknown };
        assert.ok(body.error ?? body.code, path);
      }
    }
    assert.deepEqual(await (await fetch(`${url}/v1/healthz`)).json(), { ok: true, version: '0.2' });
    const page = readFileSync(join(ROOT, 'docs', 'tokens.md'), 'utf8');
    const documented = /^failregex = (.*)$/m.exec(page)![1]!.replace('<HOST>', String.raw`127\.0\.0\.1`);
    const refused = complaints()
      .split('\n')
      .filter((line) => new RegExp(documented).test(line));
    assert.ok(refused.length >= 6, complaints());
    assert.ok(!complaints().includes(first));
    await stop(child);
  });

  it('reads passwords from a pipe and shows them nowhere', () => {
    const weak = ltm(['users', 'passwd', 'ada@example.org', '--db', db()], 'password12\n');
    assert.equal(weak.code, 2);
    const { code, stdout, stderr } = ltm(
      ['users', 'passwd', 'ada@example.org', '--db', db()],
      'four unrelated words\n',
    );
    assert.equal(code, 0, stderr);
    assert.doesNotMatch(stdout + stderr, /unrelated/);
    assert.equal(readFileSync(db()).includes('unrelated'), false);
  });

  it('tells in the audit log who did what, without secrets', () => {
    const { entries } = JSON.parse(ltm(['audit', '--db', db(), '--json']).stdout) as {
      entries: { op: string; actor: string }[];
    };
    const ops = new Set(entries.map(({ op }) => op));
    for (const op of ['add_user', 'add_token', 'revoke_token', 'update_user', 'set_password'])
      assert.ok(ops.has(op as never), op);
    assert.ok(entries.every(({ actor }) => actor === 'operator'));
  });

  it('starts with a tokens file in place of tokens, and follows its changes', async () => {
    const file = join(folder, 'user_tokens.json');
    const other = join(folder, 'networked.db');
    writeFileSync(file, '{"', { mode: 0o600 });
    const broken = ltm(['server', '--db', other, '--tokens-file', file]);
    assert.notEqual(broken.code, 0);
    assert.match(broken.stderr, /tokens file/);
    writeFileSync(file, '{"tok-a":"alice","tok-b":"bob"}', { mode: 0o600 });
    const { child, url } = await start('--db', other, '--tokens-file', file);
    const status = async (token: string) =>
      (await fetch(`${url}/api/v1/whoami`, { headers: { authorization: `Bearer ${token}` } })).status;
    assert.deepEqual([await status('tok-a'), await status('tok-b'), await status('tok-c')], [200, 200, 401]);
    writeFileSync(file, '{"tok-a":"alice","tok-c":"carol"}', { mode: 0o600 });
    while ((await status('tok-b')) === 200) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(await status('tok-b'), 401);
    assert.deepEqual([await status('tok-a'), await status('tok-c')], [200, 200]);
    await stop(child);
  });
});
