import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, type TestContext, test } from 'node:test';
import { expectMode } from '../expect-mode.ts';
import { findPostgres, startPrivatePostgres } from '../postgres/private-postgres.ts';
import { runLtm } from './packet-server.ts';
import { startServe } from './serve-process.ts';

interface Home {
  home: string;
  db: string;
  folder: string;
  ltm(...args: string[]): ReturnType<typeof runLtm>;
}

function makeHome(context: TestContext): Home {
  const home = mkdtempSync(join(tmpdir(), 'ltm-backup-'));
  context.after(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const db = join(home, 'memory.db');
  return { home, db, folder: join(home, 'backups'), ltm: (...args) => runLtm(home, [...args, '--db', db]) };
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** Every record with its versions and relations as the export has them, without the first and last lines, which say when it was made. */
async function exported(ltm: Home['ltm'], ...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await ltm('export', '-', ...args);
  assert.equal(code, 0, stderr);
  return linesOf(stdout).slice(1, -1).sort();
}

test('backups go to the folder of backup_dir and are kept for backup_keep_days, as those of mcp-memory-service did', async (context) => {
  const { home, db, ltm } = makeHome(context);
  await ltm('store', 'The harbour opens at six');
  const folder = join(home, 'elsewhere');
  for (const [name, value] of [
    ['LTM_BACKUP_DIR', folder],
    ['MCP_MEMORY_BACKUPS_PATH', folder],
  ] as const) {
    const made = await runLtm(home, ['backup', 'create', '--json', '--db', db], { env: { [name]: value } });
    assert.equal(made.code, 0, made.stderr);
    assert.equal(dirname(JSON.parse(made.stdout).backup.path), folder);
  }
  const listed = await runLtm(home, ['backup', 'list', '--json', '--db', db], { env: { LTM_BACKUP_DIR: folder } });
  assert.equal(JSON.parse(listed.stdout).backups.length, 2);
  for (const one of JSON.parse(listed.stdout).backups) {
    const facts = `${one.path}.json`;
    writeFileSync(facts, readFileSync(facts, 'utf8').replace(/2\d{3}-\d{2}-/, '2020-01-'));
  }
  const env = { LTM_BACKUP_DIR: folder, LTM_BACKUP_KEEP_DAYS: '7' };
  const pruned = await runLtm(home, ['backup', 'create', '--json', '--db', db], { env });
  assert.equal(JSON.parse(pruned.stdout).removed.length, 2, pruned.stdout);
});

test('what was purged or rejected since the backup was made does not come back with it', async (context) => {
  const { home, db, ltm } = makeHome(context);
  const store = async (text: string) => JSON.parse((await ltm('store', text, '--json')).stdout).memory.id as string;
  const purged = await store('The purged harbour password hint is mauve');
  const rejected = await store('The harbour opens at five');
  await store('Deploys go out on Thursdays');
  assert.equal((await ltm('backup', 'create')).code, 0);
  await ltm('purge', purged, '--yes');
  await ltm('reject', rejected, '--note', 'it is six');
  const restored = await ltm('backup', 'restore', '--yes', '--json');
  assert.equal(restored.code, 0, restored.stderr);
  assert.equal(JSON.parse(restored.stdout).kept_out, 2);
  const { memories } = JSON.parse((await ltm('list', '--json')).stdout);
  assert.deepEqual(
    memories.map(({ content }: { content: string }) => content),
    ['Deploys go out on Thursdays'],
  );
  assert.ok(!readFileSync(db).includes('mauve'), 'nothing of it is in the file');
  for (const [text, why] of [
    ['THE HARBOUR opens at five.', /it is six/],
    ['the purged harbour password hint is Mauve', /rejected on/],
  ] as const) {
    const refused = await ltm('store', text);
    assert.equal(refused.code, 4, refused.stdout);
    assert.match(refused.stderr, why);
  }
  const elsewhere = join(home, 'drill.db');
  const asIs = await runLtm(home, ['backup', 'restore', '--to', join(home, 'backups'), '--db', elsewhere, '--yes']);
  assert.equal(asIs.code, 0, asIs.stderr);
});

test('a backup is restored to the very same records, and what was there is a backup, too', async (context) => {
  const { db, folder, ltm } = makeHome(context);
  for (const text of ['The harbour opens at six', 'Deploys go out on Thursdays']) await ltm('store', text);
  await ltm('store', 'Tests run on two cores', '--key', 'tests');
  await ltm('store', 'Tests run on four cores', '--key', 'tests');
  const before = await exported(ltm);
  const made = await ltm('backup', 'create', '--json');
  assert.equal(made.code, 0, made.stderr);
  const { backup } = JSON.parse(made.stdout);
  assert.deepEqual([backup.records, backup.versions, backup.damaged], [3, 1, 0]);
  expectMode(folder, 0o700);
  expectMode(backup.path, 0o600);
  await ltm('store', 'Written after the backup');
  await ltm('delete', '--key', 'tests', '--yes');
  const after = await exported(ltm);

  const restored = await ltm('backup', 'restore', '--yes', '--json');
  assert.equal(restored.code, 0, restored.stderr);
  assert.deepEqual(await exported(ltm), before);
  const { restore_point: restorePoint } = JSON.parse(restored.stdout);
  assert.equal((await ltm('backup', 'restore', restorePoint.path, '--yes')).code, 0);
  assert.deepEqual(await exported(ltm), after);
  assert.equal((await ltm('doctor')).code, 0);
  assert.equal(statSync(`${db}-wal`, { throwIfNoEntry: false })?.size ?? 0, 0);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('.')),
    [],
  );
});

test('a backup made while others write has everything that was acknowledged before it began', async (context) => {
  const { home, ltm } = makeHome(context);
  const served = await startServe(home, ['--db', join(home, 'memory.db')]);
  const token = readFileSync(join(home, 'owner-token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const acknowledged: string[] = [];
  let isOver = false;
  const writer = (async () => {
    while (!isOver) {
      const answer = await fetch(`${served.url}/api/v1/memories`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ content: `Note ${acknowledged.length} of a busy day` }),
      });
      acknowledged.push(((await answer.json()) as { memory: { id: string } }).memory.id);
    }
  })();
  try {
    while (acknowledged.length < 20) await new Promise((resolve) => setTimeout(resolve, 10));
    const before = [...acknowledged];
    const made = await ltm('backup', 'create');
    assert.equal(made.code, 0, made.stderr);
    assert.ok(acknowledged.length > before.length, 'somebody wrote meanwhile');
    const askedBefore = [...acknowledged];
    const asked = await fetch(`${served.url}/api/backup/now`, { method: 'POST', headers });
    assert.equal(asked.status, 200);
    assert.ok(acknowledged.length > askedBefore.length, 'somebody wrote meanwhile');
    const { filename } = (await asked.json()) as { filename: string };
    const [remade, remadeTo] = [join(home, 'backups', filename), join(home, 'remade.db')];
    const again = await runLtm(home, ['backup', 'restore', remade, '--yes', '--db', remadeTo]);
    assert.equal(again.code, 0, again.stderr);
    const remadeText = (await runLtm(home, ['export', '-', '--db', remadeTo])).stdout;
    for (const id of askedBefore) assert.ok(remadeText.includes(id), id);
    const held = await ltm('backup', 'restore', '--yes');
    assert.equal(held.code, 5);
    assert.match(held.stderr, /Another program has the database open/);
    const copy = join(home, 'copy.db');
    const there = await runLtm(home, ['backup', 'restore', '--yes', '--db', copy, '--to', join(home, 'backups')]);
    assert.equal(there.code, 0, there.stderr);
    const text = (await runLtm(home, ['export', '-', '--db', copy])).stdout;
    for (const id of before) assert.ok(text.includes(id), id);
  } finally {
    isOver = true;
    await writer;
    await served.stop();
  }
});

test('a file that is no database any more is moved aside, and the newest backup takes its place', async (context) => {
  const { home, db, ltm } = makeHome(context);
  await ltm('store', 'The harbour opens at six');
  const before = await exported(ltm);
  await ltm('backup', 'create');
  for (const ending of ['-wal', '-shm', '-last']) rmSync(`${db}${ending}`, { force: true });
  writeFileSync(db, 'This was a database once.');
  const restored = await ltm('backup', 'restore', '--yes', '--json');
  assert.equal(restored.code, 0, restored.stderr);
  const { moved_to: movedTo, restore_point: restorePoint } = JSON.parse(restored.stdout);
  assert.equal(readFileSync(movedTo, 'utf8'), 'This was a database once.');
  assert.equal(restorePoint, null);
  assert.deepEqual(await exported(ltm), before);
  assert.ok(movedTo.startsWith(home));
});

test('a database that this release cannot open is moved aside by a restore, not overwritten', async (context) => {
  const { db, ltm } = makeHome(context);
  await ltm('store', 'The harbour opens at six');
  await ltm('backup', 'create');
  await ltm('store', 'Written by a later release');
  const later = new DatabaseSync(db);
  later.exec('PRAGMA user_version = 1000');
  later.close();
  assert.equal((await ltm('list')).code, 5);
  const restored = await ltm('backup', 'restore', '--yes', '--json');
  assert.equal(restored.code, 0, restored.stderr);
  const { moved_to: movedTo, restore_point: restorePoint } = JSON.parse(restored.stdout);
  assert.equal(restorePoint, null);
  const kept = new DatabaseSync(movedTo, { readOnly: true });
  assert.equal(kept.prepare('SELECT count(*) AS n FROM records').get()!.n, 2);
  kept.close();
});

test('a backup that was changed on its disk is refused, and nothing changes', async (context) => {
  const { ltm } = makeHome(context);
  await ltm('store', 'The harbour opens at six');
  const { backup } = JSON.parse((await ltm('backup', 'create', '--json')).stdout);
  await ltm('store', 'Written after the backup');
  const bytes = readFileSync(backup.path);
  bytes[bytes.length >> 1]! ^= 4;
  writeFileSync(backup.path, bytes);
  const before = await exported(ltm);
  for (const words of [['verify'], ['restore', '--yes'], ['restore', '--dry-run']]) {
    const { code, stderr } = await ltm('backup', ...words);
    assert.equal(code, 5, words.join(' '));
    assert.match(stderr, /is damaged: its checksum/);
  }
  assert.deepEqual(await exported(ltm), before);
});

test('bad words are told before anything is done', async (context) => {
  const { folder, ltm } = makeHome(context);
  assert.equal((await ltm('backup', 'create')).code, 3);
  await ltm('store', 'The harbour opens at six');
  for (const [words, code, told] of [
    [['destroy'], 2, /cannot destroy/],
    [['restore', '--yes'], 3, /There is no backup/],
    [['restore', 'elsewhere.db.zst', '--yes'], 3, /There is no backup/],
    [['create', '--keep-days', '0'], 2, /keep-days/],
    [['schedule', '--at', '25:00', '--dry-run'], 2, /not a time/],
    [['schedule', '--by', 'magic', '--dry-run'], 2, /not a scheduler/],
  ] as const) {
    const ended = await ltm('backup', ...words);
    assert.equal(ended.code, code, `${words.join(' ')}: ${ended.stderr}`);
    assert.match(ended.stderr, told);
  }
  await ltm('backup', 'create');
  const unasked = await ltm('backup', 'restore');
  assert.equal(unasked.code, 2);
  assert.match(unasked.stderr, /--yes/);
  assert.equal(readdirSync(folder).length, 2);
});

const WINDOWS = process.platform === 'win32' ? 'cron is for other systems' : false;
test('a daily backup is written into the table of cron once, beside what is there, and out of it', {
  skip: WINDOWS,
}, async (context) => {
  const { home, folder } = makeHome(context);
  // cron itself is not part of it: this keeps the table as crontab does
  const table = join(home, 'table');
  writeFileSync(table, '0 1 * * * backup-photos # mine\n');
  writeFileSync(join(home, 'crontab'), `#!/bin/sh\nif [ "$1" = -l ]; then cat '${table}'; else cat > '${table}'; fi\n`);
  chmodSync(join(home, 'crontab'), 0o755);
  const env = { PATH: `${home}:${process.env.PATH}` };
  const ltm = (...args: string[]) => runLtm(home, [...args, '--db', join(home, 'memory.db')], { env });
  for (const at of ['03:30', '4:05']) {
    const { code, stderr } = await ltm('backup', 'schedule', '--by', 'cron', '--at', at, '--keep-days', '14');
    assert.equal(code, 0, stderr);
  }
  const [mine, ours, ...more] = linesOf(readFileSync(table, 'utf8'));
  assert.equal(mine, '0 1 * * * backup-photos # mine');
  assert.match(ours!, new RegExp(`^5 4 \\* \\* \\* .*backup create --to ${folder} --keep-days 14`));
  assert.deepEqual(more, []);
  assert.equal((await ltm('backup', 'schedule', '--by', 'cron', '--off')).code, 0);
  assert.equal(readFileSync(table, 'utf8'), '0 1 * * * backup-photos # mine\n');
});

const found = findPostgres();
describe('PostgreSQL', { skip: 'missing' in found ? found.missing : false }, () => {
  test('the same commands back up a PostgreSQL database and restore it, to an empty one or to a file', async (context) => {
    const { home, folder } = makeHome(context);
    const postgres = await startPrivatePostgres();
    try {
      const from = postgres.url({ superuser: true });
      const at =
        (db: string) =>
        (...args: string[]) =>
          runLtm(home, [...args, '--db', db]);
      for (const text of ['The harbour opens at six', 'Deploys go out on Thursdays']) await at(from)('store', text);
      await at(from)('store', 'Tests run on two cores', '--key', 'tests');
      await at(from)('store', 'Tests run on four cores', '--key', 'tests');
      const before = await exported(at(from));
      const made = await at(from)('backup', 'create', '--to', folder, '--json');
      assert.equal(made.code, 0, made.stderr);
      assert.equal(JSON.parse(made.stdout).backup.store, 'postgres');
      const verified = await at(from)('backup', 'verify', folder);
      assert.equal(verified.code, 0, verified.stderr);
      const refused = await at(from)('backup', 'restore', folder, '--yes');
      assert.equal(refused.code, 4, refused.stderr);
      const empty = postgres.url({ superuser: true, database: await postgres.createDatabase() });
      for (const db of [empty, join(home, 'memory.db')]) {
        const restored = await at(db)('backup', 'restore', folder, '--yes');
        assert.equal(restored.code, 0, restored.stderr);
        assert.deepEqual(await exported(at(db)), before);
      }
      const wrong = JSON.parse((await at(from)('search', 'deploys Thursdays', '--json')).stdout).hits[0].id;
      assert.equal((await at(from)('reject', wrong, '--note', 'on Mondays')).code, 0);
      const instead = postgres.url({ superuser: true, database: await postgres.createDatabase() });
      const restored = await at(instead)('backup', 'restore', folder, '--replaces', from, '--yes', '--json');
      assert.equal(JSON.parse(restored.stdout).kept_out, 1, restored.stderr);
      const again = await at(instead)('store', 'Deploys go out on Thursdays');
      assert.match(again.stderr, /on Mondays/);
    } finally {
      await postgres.stop();
    }
  });
});
