import { equal, match, notEqual } from 'node:assert/strict';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from '../postgres/private-postgres.ts';
import { runLtm } from './packet-server.ts';
import { removeFolder, startServe } from './serve-process.ts';

const newHome = (context?: TestContext): string => {
  const home = mkdtempSync(join(tmpdir(), 'ltm-migrated-'));
  context?.after(() => removeFolder(home));
  return home;
};

async function ltm(home: string, ...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runLtm(home, words);
  equal(code, 0, `${words.join(' ')}: ${stderr}`);
  return stdout;
}

/** Serves the database from a folder of its own and asks as a client with this token; what it logged. */
async function ask(home: string, db: string, token: string): Promise<{ status: number; log: string }> {
  const serving = await startServe(home, ['--db', db]);
  try {
    const authorization = `Bearer ${token}`;
    const { status } = await fetch(`${serving.url}/api/v1/memories`, { headers: { authorization } });
    return { status, log: serving.log() };
  } finally {
    await serving.stop();
  }
}

const readToken = (home: string): string => readFileSync(join(home, 'owner-token'), 'utf8').trim();

/** A database that has been served, and the token of its clients. */
async function servedDatabase(): Promise<{ db: string; token: string }> {
  const home = newHome();
  const db = join(home, 'memory.db');
  await ltm(home, 'store', 'The harbour opens at six', '--db', db);
  const serving = await startServe(home, ['--db', db]);
  await serving.stop();
  return { db, token: readToken(home) };
}

test('clients of a file stay signed in when it is migrated and served without its token file', async (context) => {
  const { db, token } = await servedDatabase();
  const home = newHome(context);
  const moved = join(home, 'moved.db');
  await ltm(home, 'migrate', '--from', db, '--to', moved);
  const first = await ask(home, moved, token);
  equal(first.status, 200);
  match(first.log, /earlier_owner_token_works/);
  const further = readToken(home);
  notEqual(further, token);
  equal((await ask(home, moved, further)).status, 200);
  equal((await ask(home, moved, token)).status, 200, 'after further starts, too');
});

test('the owner’s token is replaced as docs/security.md says: revoked, and made anew by the next start', async (context) => {
  const { db, token } = await servedDatabase();
  const home = join(db, '..');
  context.after(() => removeFolder(home));
  await ltm(home, 'tokens', 'revoke', 'owner', '--db', db);
  equal((await ask(home, db, token)).status, 401);
  notEqual(readToken(home), token);
  equal((await ask(home, db, readToken(home))).status, 200);
});

const found = findPostgres();
describe('on PostgreSQL', { skip: 'missing' in found ? found.missing : false }, () => {
  let postgres: PrivatePostgres;
  before(async () => {
    postgres = await startPrivatePostgres();
  });
  after(() => postgres.stop());

  test('clients stay signed in when a database is migrated there, and back', async (context) => {
    const { db, token } = await servedDatabase();
    const [home, back] = [newHome(context), newHome(context)];
    const url = postgres.url({ schema: 'there' });
    await ltm(home, 'migrate', '--from', db, '--to', url);
    equal((await ask(home, url, token)).status, 200);
    const again = join(back, 'memory.db');
    await ltm(back, 'migrate', '--from', url, '--to', again);
    equal((await ask(back, again, token)).status, 200);
    equal((await ask(back, again, readToken(back))).status, 200);
  });
});
