// One person's commands beside the database and through the server that has it: the same JSON, and a word where they look at this machine alone.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PLAIN_ENV, PROGRAM } from './program.ts';
import { makeServeFolder, removeFolder, type ServeProcess, startServe } from './serve-process.ts';

const home = makeServeFolder(null);
const db = join(home, 'memory.db');
let server: ServeProcess;

function ltm(...words: string[]): { code: number | null; stdout: string; stderr: string } {
  const env = { ...PLAIN_ENV, HOME: home, LTM_CONFIG_DIR: home };
  const ran = spawnSync(process.execPath, [PROGRAM, ...words], { env, encoding: 'utf8' });
  return { code: ran.status, stdout: ran.stdout, stderr: ran.stderr };
}

before(async () => {
  server = await startServe(home, ['--db', db]);
  const token = readFileSync(join(home, 'owner-token'), 'utf8').trim();
  const signedIn = ltm('auth', server.url, token);
  assert.equal(signedIn.code, 0, signedIn.stderr);
  writeFileSync(join(home, 'pier.md'), '# Pier\n\nThe pier opens at six.\n');
  for (const text of ['The crane lifts ten tonnes', 'The ferry leaves at nine', 'The dock is closed on Sundays'])
    assert.equal(ltm('store', text).code, 0);
  assert.equal(ltm('ingest', join(home, 'pier.md')).code, 0);
});
after(async () => {
  await server?.stop();
  removeFolder(home);
});

for (const words of [['list'], ['list', '--limit', '1'], ['documents'], ['sessions'], ['observations'], ['timeline']])
  test(`ltm ${words.join(' ')} --json says the same near and far`, () => {
    const near = ltm(...words, '--json', '--db', db);
    const far = ltm(...words, '--json');
    assert.deepEqual([near.code, far.code, far.stderr], [0, 0, `On ${server.url}\n`]);
    assert.equal(far.stdout, near.stdout);
  });

test('what looks at this machine says so while one is signed in elsewhere, and only then', () => {
  const note = `On this machine, not on ${server.url}\n`;
  const migration = ['migrate', '--from', db, '--to', join(home, 'copy.db'), '--dry-run'];
  for (const words of [['doctor'], ['embedder'], ['embedder', 'list'], migration, ['backup', 'list']]) {
    const told = ltm(...words);
    assert.equal(told.code, 0, told.stderr);
    assert.ok(told.stderr.startsWith(note), `${words[0]}: ${told.stderr}`);
    const named = ltm(...words, words[0] === 'migrate' ? '--local' : `--db=${db}`);
    assert.equal(named.code, 0, named.stderr);
    assert.ok(!named.stderr.includes('On this machine'), `${words[0]}: ${named.stderr}`);
    assert.ok(!ltm(...words, '--quiet').stderr.includes('On this machine'), words[0]);
  }
});
