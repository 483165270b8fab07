import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openPostgresStore } from '../../src/stores/postgres/open-postgres-store.ts';
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from '../postgres/private-postgres.ts';
import { ACTOR, put, vector } from '../stores/contract/sample-records.ts';
import { type FullStore, headOf } from '../stores/contract/store-under-test.ts';
import { CLOCK, SILENT } from '../stores/sqlite/fixtures/temp-store.ts';
import { openShell, readCommands, type Shell } from './document-commands.ts';
import { startServe } from './serve-process.ts';

const found = findPostgres();
const SPACES = ['ann', 'bob', 'crew'];

/** So many that wrong guesses of the planner would take a statement past its limit. */
const RECORDS = 20_000;
const AT_ONCE = 500;

async function fill(store: FullStore): Promise<void> {
  for (let i = 0; i < RECORDS; i += AT_ONCE) {
    const some = Array.from({ length: AT_ONCE }, (_, k) =>
      put({ content: `Light ${i + k}` }, { vectors: [vector(0)] }),
    );
    headOf(await store.commit('ann', some, ACTOR));
  }
}

describe('docs/postgres.md, run as it stands', { skip: 'missing' in found ? found.missing : false }, () => {
  let postgres: PrivatePostgres;
  let shell: Shell;
  let commands: (name: string) => string;
  let store: FullStore;
  before(async () => {
    // What the server would do by itself some time later is nothing to rely on.
    postgres = await startPrivatePostgres({ settings: ['autovacuum=off'] });
    const { host, password } = new URL(postgres.url({ superuser: true }));
    shell = openShell('folder' in found ? found.folder : '', { PGPASSWORD: password });
    const replacements = {
      ADMIN_PASSWORD: 'one',
      "'PASSWORD'": "'two'",
      ':PASSWORD@': ':two@',
      'db.example:5432': host,
    };
    commands = (name) => readCommands('postgres.md', name, replacements);
    for (const sql of commands('roles').split(';\n')) await postgres.admin(sql);
    await shell.run(commands('tables'));
    store = await openPostgresStore(`postgres://ltm:two@${host}/ltm`, { clock: CLOCK, log: SILENT });
    await fill(store);
  });
  after(async () => {
    await store?.close();
    await postgres?.stop();
    shell?.remove();
  });

  /** What is kept of each of these records, to the last bit of its text. */
  async function readHashes(database: string, ids: readonly string[]): Promise<unknown[]> {
    return postgres.admin(
      `SELECT r.space_id, r.id, r.content_hash, encode(r.checksum, 'hex') AS checksum, md5(r.content) AS content,
         (SELECT count(*) FROM ltm.passages AS p WHERE p.space_id = r.space_id AND p.record_id = r.id) AS passages
       FROM ltm.records AS r WHERE id IN (${ids.map((id) => `'${id}'`).join()}) ORDER BY r.space_id, r.id`,
      database,
    );
  }

  async function expectHealthy(db: string): Promise<void> {
    const key = 'a-key-of-this-test-alone-0123456789';
    const serving = await startServe(shell.folder, ['--db', db], { LTM_API_KEY: key });
    try {
      const health = await fetch(`${serving.url}/api/v1/health`, { headers: { authorization: `Bearer ${key}` } });
      equal(health.status, 200);
      equal(((await health.json()) as { status: string }).status, 'healthy');
    } finally {
      await serving.stop();
    }
  }

  test('sets up a role that serves and can do nothing else', async () => {
    deepEqual((await store.inspect('ann')).rowSecurity?.stands, 'fully');
  });

  test('backs up and restores, while others write, everything that was acknowledged before the backup began', async () => {
    const acknowledged: string[] = [];
    let stopped = false;
    const writers = SPACES.map(async (space) => {
      while (!stopped) {
        const change = put({ content: `${space} ${acknowledged.length} ${'\u{1F980}é'.repeat(20)}` });
        headOf(await store.commit(space, [change], ACTOR));
        acknowledged.push(change.id);
      }
    });
    try {
      while (acknowledged.length < 60) await new Promise((resolve) => setTimeout(resolve, 5));
      const before = [...acknowledged];
      await shell.run(commands('backup'));
      ok(acknowledged.length > before.length, 'somebody wrote meanwhile');
      await shell.run(commands('restore'));
      const kept = await readHashes('restored', before);
      equal(kept.length, before.length);
      deepEqual(kept, await readHashes('ltm', before));
      const known = await postgres.admin(
        "SELECT DISTINCT tablename FROM pg_stats WHERE schemaname = 'ltm'",
        'restored',
      );
      ok(
        known.some(({ tablename }) => tablename === 'vectors'),
        'the planner knows what is in the tables',
      );
      await expectHealthy(`postgres://ltm:two@${new URL(postgres.url()).host}/restored`);
    } finally {
      stopped = true;
      await Promise.all(writers);
    }
  });

  test('restores on a server where the roles have other names', async () => {
    const { host } = new URL(postgres.url());
    await postgres.createRole('someone', 'LOGIN');
    const database = await postgres.createDatabase();
    const [url, served] = ['postgres', 'someone'].map((role) => postgres.url({ role, database }));
    await shell.run(`pg_restore --no-owner --no-privileges --exit-on-error --dbname='${url}' ltm.dump
      ltm server roles --owner elsewhere --serve someone --yes --db '${url}'
      ltm doctor --db '${served}'`);
    await rejects(shell.run(`ltm doctor --db 'postgres://ltm:two@${host}/${database}'`), /ltm server roles/);
  });

  test('never makes an empty dump: one as the role that serves fails, with row-level security too', async () => {
    const { host } = new URL(postgres.url());
    const dump = `--file=wrong.dump 'postgres://ltm:two@${host}/ltm'`;
    await rejects(shell.run(`pg_dump --schema=ltm ${dump}`), /row-level security/);
    await rejects(shell.run(`pg_dump --schema=ltm --enable-row-security ${dump}`), /ltm\.space/);
  });
});
