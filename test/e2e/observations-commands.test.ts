import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { expectMode } from '../expect-mode.ts';
import { KEY, type ObservationServer, startObservationServer } from './observation-server.ts';
import { PLAIN_ENV, PROGRAM } from './program.ts';

let folder: string;
let db: string;
let server: ObservationServer;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ltm-obs-cli-'));
  db = join(folder, 'memory.db');
  server = await startObservationServer(folder, ['--db', db]);
  await server.post('/prompt', { session_id: 's1', project: 'web', text: 'Fix the flaky login test' });
  await server.observe({ tool_name: 'Edit', tool_input: { file_path: 'src/login.ts' }, tool_output: 'a-raw-output' });
  await server.observe({ session_id: 's2', project: 'api', tool_input: { command: 'npm run migrate' } });
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

function ltm(words: readonly string[], env: Record<string, string> = { LTM_DB: db }) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], {
    env: { ...PLAIN_ENV, HOME: folder, ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('M39: sessions and observations are shown, near and far, and what is missing ends with a code of its own', () => {
  const far = { LTM_SERVER: server.url, LTM_TOKEN: KEY };
  for (const env of [{ LTM_DB: db }, far]) {
    assert.match(ltm(['observations'], env).stdout, /#3 .* · Bash · api\n {2}.*\n#2 .* · Edit · web\n/);
    assert.match(ltm(['observations', 'flaky login'], env).stdout, /^#1 .*prompt/);
    assert.match(ltm(['observations', 'get', '#2'], env).stdout, /output +a-raw-output/);
    assert.match(ltm(['sessions', '--project', 'web'], env).stdout, /^Fix the flaky login test {2}s1\n/);
    assert.deepEqual(ltm(['observations', 'stats'], env).stdout.split('\n').slice(0, 3), [
      'Sessions: 2',
      'Observations: 3',
      'User observations: 0',
    ]);
  }
  assert.equal(ltm(['observations', 'get', '99']).status, 3);
  assert.equal(ltm(['observations', 'get']).status, 2);
});

test('M39: the export takes project, days, format, raw texts and a file', () => {
  const file = join(folder, 'web.json');
  assert.equal(ltm(['observations', 'export', '-p', 'web', '-d', '7', '-r', '-o', file]).status, 0);
  const { sessions, observations, options } = JSON.parse(readFileSync(file, 'utf8'));
  assert.deepEqual(options, { project: 'web', days: 7, format: 'json', includeRaw: true });
  assert.deepEqual([sessions.length, observations.length], [1, 2]);
  assert.ok(JSON.stringify(observations).includes('a-raw-output'));
  expectMode(file, 0o600);
  const plain = ltm(['observations', 'export']).stdout;
  assert.equal(JSON.parse(plain).observations.length, 3);
  assert.ok(!plain.includes('a-raw-output'));
  assert.match(ltm(['observations', 'export', '-f', 'markdown']).stdout, /^# Memory export: all projects\n/);
  for (const days of ['0', '366', 'x']) assert.equal(ltm(['observations', 'export', '-d', days]).status, 2, days);
});

test('an observation, or a session with all of it, is forgotten', () => {
  assert.match(ltm(['observations', 'forget', '3']).stderr, /Forgot 1 record/);
  assert.equal(ltm(['observations', 'forget', '3']).status, 3);
  assert.match(ltm(['observations', 'forget', '--session', 's1']).stderr, /Forgot 3 records/);
  assert.doesNotMatch(ltm(['sessions']).stdout, /flaky/);
});
