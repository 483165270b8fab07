import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { expectMode } from '../expect-mode.ts';
import { PLAIN_ENV, PROGRAM, stoppedBy } from './program.ts';

let folder: string;
let env: Record<string, string>;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'ltm-e2e-'));
  env = {
    ...PLAIN_ENV,
    HOME: folder,
    LTM_DB: join(folder, 'memory.db'),
    LTM_CONFIG: join(folder, 'config.json'),
  };
});
after(() => rmSync(folder, { recursive: true, force: true }));

function ltm(...words: string[]): string {
  return execFileSync(process.execPath, [PROGRAM, ...words], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function start(...words: string[]): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [PROGRAM, ...words], { env });
}

describe('the program', () => {
  test('ends quietly when its reader leaves', async () => {
    ltm('store', 'a long memory '.repeat(8000));
    const child = start('get', (JSON.parse(ltm('list', '--json')) as { memories: { id: string }[] }).memories[0]!.id);
    child.stdout.destroy();
    let complaint = '';
    child.stderr.on('data', (chunk) => (complaint += chunk));
    const [code] = await once(child, 'exit');
    assert.deepEqual([code, complaint], [0, '']);
  });

  test('shares one database between the command line, MCP over stdio and HTTP', async () => {
    ltm('store', 'The deploy key is rotated on Mondays', '--tags', 'ops');

    const agent = start('mcp');
    const lines = createInterface({ input: agent.stdout })[Symbol.asyncIterator]();
    const ask = async (method: string, params: object): Promise<string> => {
      agent.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`);
      return (await lines.next()).value as string;
    };
    await ask('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    agent.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    assert.match(
      await ask('tools/call', { name: 'memory_search', arguments: { query: 'deploy key' } }),
      /rotated on Mondays/,
    );

    const server = start('serve', '--port', '0', '--json');
    const [line] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
    const { url, token, token_file } = JSON.parse(line) as { url: string; token: string; token_file: string };
    expectMode(token_file, 0o600);
    assert.equal(ltm('token', '--show').trim(), token);
    const answer = await fetch(`${url}/api/v1/search?q=deploy+key`, { headers: { authorization: `Bearer ${token}` } });
    assert.match(await answer.text(), /rotated on Mondays/);

    const ended = [once(agent, 'exit'), once(server, 'exit')];
    agent.stdin.end();
    server.kill('SIGTERM');
    assert.deepEqual(await Promise.all(ended), [[0, null], stoppedBy('SIGTERM')]);
  });

  test('shows the token once, and where it is afterwards', async () => {
    const server = start('serve', '--port', '0');
    const shown = createInterface({ input: server.stdout });
    let text = '';
    for await (const line of shown) {
      text += `${line}\n`;
      if (line.startsWith('Stop with')) break;
    }
    const ended = once(server, 'exit');
    server.kill('SIGINT');
    assert.match(text, /listening on http:\/\/127\.0\.0\.1:\d+[\s\S]*token +in .*owner-token[\s\S]*claude mcp add/);
    assert.doesNotMatch(text, /ltmk|ltm_pat_/);
    assert.deepEqual(await ended, stoppedBy('SIGINT'));
  });

  test('does not outlive an npm that was stopped', {
    skip: process.platform === 'win32' && 'on Windows a process is never told that its parent is gone',
  }, async () => {
    const npm = `require('node:child_process').spawnSync(process.execPath, process.argv.slice(1), { stdio: 'inherit' })`;
    const parent = spawn(process.execPath, ['-e', npm, PROGRAM, 'serve', '--port', '0', '--json'], {
      env: { ...env, npm_lifecycle_event: 'start' },
    });
    const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
    const { url } = JSON.parse(line) as { url: string };
    parent.kill('SIGTERM');
    await once(parent.stdout, 'close');
    await assert.rejects(fetch(`${url}/health`));
  });
});
