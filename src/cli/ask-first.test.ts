import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { main } from './main.ts';

const folder = mkdtempSync(join(tmpdir(), 'ltm-ask-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** One command on a terminal whose person types this. */
async function ltm(argv: readonly string[], typed = ''): Promise<{ code: number; out: string; err: string }> {
  const stdin = Object.assign(Readable.from([typed]), { isTTY: true });
  const [stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY: true })];
  const env = { HOME: folder, LTM_DB: join(folder, 'memory.db') };
  const [out, err] = [text(stdout), text(stderr)];
  const code = await main(argv, env, { stdin, stdout, stderr });
  stdout.end();
  stderr.end();
  return { code, out: await out, err: await err };
}

async function count(): Promise<number> {
  return JSON.parse((await ltm(['list', '--json'])).out).total;
}

test('ltm purge shows what would go and does it only after a yes', async () => {
  for (const content of ['first', 'second']) await ltm(['store', content, '--session', 's']);
  const no = await ltm(['purge', '--session', 's'], 'n\n');
  assert.match(no.out, /first[\s\S]*second|second[\s\S]*first/);
  assert.match(no.err, /Purge 2 records for good\? \[y\/N\]/);
  assert.deepEqual([no.code === 0, await count()], [false, 2]);
  assert.equal((await ltm(['purge', '--session', 's'], 'y\n')).code, 0);
  assert.equal(await count(), 0);
  assert.match((await ltm(['purge', '--session', 's'], 'n\n')).err, /Nothing to purge/);
});

test('ltm teams rm asks', async () => {
  await ltm(['teams', 'create', 'crew']);
  const no = await ltm(['teams', 'rm', 'crew'], '\n');
  assert.match(no.err, /Delete the team crew with everything its members saved in it\?/);
  assert.match((await ltm(['teams'])).out, /crew/);
  assert.equal((await ltm(['teams', 'rm', 'crew'], 'yes\n')).code, 0);
  assert.doesNotMatch((await ltm(['teams'])).out, /crew/);
});

test('ltm users rm asks, and with --purge says how much would go', async () => {
  await ltm(['users', 'add', 'ada', '--name', 'Ada']);
  const no = await ltm(['users', 'rm', 'ada'], 'n\n');
  assert.match(no.err, /Remove Ada with tokens, password, memberships and public links\? \[y\/N\]/);
  assert.match(
    (await ltm(['users', 'rm', 'ada', '--purge'], 'n\n')).err,
    /purge 0 records of their own and 0 that they/,
  );
  assert.match((await ltm(['users'])).out, /ada/);
  assert.match((await ltm(['users', 'rm', 'ada'], 'y\n')).out, /Removed ada.*stay; `ltm users rm ada --purge`/);
  assert.match((await ltm(['users', 'rm', 'ada', '--purge'], 'y\n')).out, /Purged 0 records/);
  assert.match((await ltm(['users', 'rm', 'nobody', '--purge'], 'y\n')).err, /no such person/);
});
