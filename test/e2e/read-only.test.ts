import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { PROGRAM } from './program.ts';

/** Whoever may do everything is not stopped by modes: then the program runs as somebody else. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

function run(home: string, args: readonly string[], as: { uid?: number; gid?: number } = {}) {
  const env = { PATH: process.env.PATH ?? '', HOME: home };
  return spawnSync(process.execPath, [PROGRAM, ...args], { env, encoding: 'utf8', cwd: tmpdir(), ...as });
}

function whyNot(): string | false {
  if (process.platform === 'win32') return 'Windows has no modes of this kind';
  return run(tmpdir(), ['version'], NOBODY).status === 0 ? false : 'another user may not start the program here';
}

function makeDatabase(context: TestContext): { home: string; db: string; elsewhere: string } {
  const home = mkdtempSync(join(tmpdir(), 'ltm-read-only-'));
  context.after(() => {
    chmodSync(join(home, 'data'), 0o755);
    rmSync(home, { recursive: true, force: true });
  });
  chmodSync(home, 0o755);
  mkdirSync(join(home, 'data'));
  mkdirSync(join(home, 'elsewhere'), { mode: 0o777 });
  chmodSync(join(home, 'elsewhere'), 0o777);
  const db = join(home, 'data', 'memory.db');
  assert.equal(run(home, ['store', 'Staging runs on port 8443', '--db', db]).status, 0);
  return { home, db, elsewhere: join(home, 'elsewhere') };
}

test('a database that may only be read is searched, listed, exported and checked, and says that it cannot be written to', {
  skip: whyNot(),
}, (context) => {
  const { home, db, elsewhere } = makeDatabase(context);
  chmodSync(db, 0o444);
  chmodSync(join(home, 'data'), 0o555);
  for (const command of [['search', 'port'], ['list'], ['export', '-']]) {
    const { status, stdout, stderr } = run(elsewhere, [...command, '--db', db], NOBODY);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /port 8443/);
  }
  assert.match(run(elsewhere, ['doctor', '--db', db], NOBODY).stdout, /Everything is sound/);
  const refused = run(elsewhere, ['store', 'more', '--db', db], NOBODY);
  assert.notEqual(refused.status, 0);
  assert.match(refused.stderr, /cannot be written to/);
});

test("another user's database is named as such", {
  skip: NOBODY.uid === undefined ? 'needs a second user' : whyNot(),
}, (context) => {
  const { db, elsewhere } = makeDatabase(context);
  chmodSync(db, 0o600);
  const { status, stderr } = run(elsewhere, ['list', '--db', db], NOBODY);
  assert.notEqual(status, 0);
  assert.match(stderr, /belongs to another user and cannot be read/);
});
