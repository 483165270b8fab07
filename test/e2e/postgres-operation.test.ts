import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { main } from '../../src/cli/main.ts';
import { loadConfig } from '../../src/features/config.ts';
import { startServer } from '../../src/server/start-server.ts';
import { findPostgres, startPrivatePostgres } from '../postgres/private-postgres.ts';
import { SILENT } from '../stores/sqlite/fixtures/temp-store.ts';

const found = findPostgres();
const skip = 'missing' in found ? found.missing : false;
const folder = mkdtempSync(join(tmpdir(), 'ltm-operation-'));
after(() => rmSync(folder, { recursive: true, force: true }));

async function ltm(db: string, ...argv: string[]): Promise<{ code: number; output: string }> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = Promise.all([text(stdout), text(stderr)]);
  const env = { HOME: folder, LTM_DB: db, LTM_CONFIG: join(folder, 'config.json') };
  const code = await main(argv, env, { stdin: Object.assign(Readable.from([]), { isTTY: true }), stdout, stderr });
  stdout.end();
  stderr.end();
  return { code, output: (await output).join('\n') };
}

test('doctor repairs a PostgreSQL database only when told that there is a backup', { skip }, async () => {
  const postgres = await startPrivatePostgres();
  try {
    const db = postgres.url({ superuser: true });
    assert.equal((await ltm(db, 'store', 'The harbour opens at six.')).code, 0);
    assert.equal((await ltm(db, 'store', 'The harbour opens at seven.', '--key', 'opening')).code, 0);
    assert.equal((await ltm(db, 'store', 'The harbour opens at eight.', '--key', 'opening')).code, 0);
    await postgres.admin("UPDATE ltm.records SET content = 'flipped bits' WHERE key = 'opening'");
    const refused = await ltm(db, 'doctor', '--repair');
    assert.equal(refused.code, 5, refused.output);
    assert.match(refused.output, /makes no copy of a PostgreSQL database[\s\S]*pg_dump[\s\S]*--no-backup/);
    assert.deepEqual(await postgres.admin("SELECT content FROM ltm.records WHERE key = 'opening'"), [
      { content: 'flipped bits' },
    ]);
    const repaired = await ltm(db, 'doctor', '--repair', '--no-backup');
    assert.match(repaired.output, /Repaired:/, repaired.output);
    assert.deepEqual(await postgres.admin("SELECT content FROM ltm.records WHERE key = 'opening'"), [
      { content: 'The harbour opens at seven.' },
    ]);
    assert.equal((await ltm(db, 'doctor', '--repair', '--no-backup', '--backup', 'x')).code, 2);
  } finally {
    await postgres.stop();
  }
});

test('the server says 503 while its PostgreSQL is stopped', { skip }, async () => {
  const postgres = await startPrivatePostgres();
  const config = loadConfig({ flags: { db: postgres.url(), port: '0' }, env: {}, file: join(folder, 'serve.json') });
  const server = await startServer(config, SILENT);
  const health = async () => {
    const answer = await fetch(`${server.url}/health`);
    return [answer.status, ((await answer.json()) as { status: string }).status];
  };
  assert.deepEqual(await health(), [200, 'ok']);
  await postgres.stop();
  let seen = await health();
  while (seen[0] === 200) seen = await health();
  assert.deepEqual(seen, [503, 'unavailable']);
  await server.close();
});
