// Row 76 of mcp-memory-service's checklist: what is told of backups is what happens, over REST and in the terminal, on both databases.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLAIN_ENV, PROGRAM } from '../e2e/program.ts';
import { makeFolder } from '../open-test-engine.ts';
import { onBothDatabases } from './both-databases.ts';
import { type Json, KEY, startService } from './rest-client.ts';

/** cron itself is not part of it: this keeps the table as crontab does. */
function makeCrontab(home: string): string {
  const table = join(home, 'table');
  writeFileSync(table, '0 1 * * * backup-photos # mine\n');
  writeFileSync(join(home, 'crontab'), `#!/bin/sh\nif [ "$1" = -l ]; then cat '${table}'; else cat > '${table}'; fi\n`);
  chmodSync(join(home, 'crontab'), 0o755);
  return table;
}

onBothDatabases(
  'row 76: the status says whether backups are made by themselves, how often, when next, and for how long they are kept',
  async (t, given) => {
    const home = makeFolder();
    const table = makeCrontab(home);
    const db = given ?? join(home, 'memory.db');
    const env = {
      PATH: `${home}:${PLAIN_ENV.PATH}`,
      HOME: home,
      LTM_CONFIG_DIR: home,
      LTM_BACKUP_DIR: join(home, 'own'),
    };
    const rest = await startService({ ...env, MCP_API_KEY: KEY, LTM_DB: db });
    t.after(() => rest.close());
    const status = async (): Promise<Json> => (await rest.send('GET', '/api/backup/status')).body;
    const ltm = (...args: string[]): Json => {
      const run = spawnSync(process.execPath, [PROGRAM, 'backup', ...args, '--json', '--db', db], {
        env: { ...PLAIN_ENV, ...env },
        encoding: 'utf8',
      });
      assert.equal(run.status, 0, run.stderr);
      return JSON.parse(run.stdout);
    };
    const picture = async () => {
      const { enabled, interval, retention_days: kept, scheduler_running: isOn, next_backup_at: next } = await status();
      const told = ltm('status');
      assert.deepEqual(
        [told.enabled, told.interval, told.retention_days, told.next_at],
        [enabled, interval, kept, next],
      );
      return { enabled, interval, kept, isOn, next };
    };
    const off = { enabled: false, interval: null, kept: null, isOn: false, next: null };
    assert.deepEqual(await picture(), off);
    assert.deepEqual([(await status()).backup_count, (await status()).last_backup_time], [0, null]);

    const elsewhere = join(home, 'elsewhere');
    ltm('schedule', '--by', 'cron', '--at', '04:05', '--keep-days', '14', '--to', elsewhere);
    const on = await picture();
    const next = new Date(on.next);
    assert.deepEqual({ ...on, next: null }, { ...off, enabled: true, interval: 'daily', kept: 14, isOn: true });
    assert.deepEqual([next.getHours(), next.getMinutes()], [4, 5]);
    assert.ok(next.getTime() > Date.now() && next.getTime() <= Date.now() + 25 * 3_600_000);

    ltm('create', '--to', elsewhere);
    const made = await rest.send('POST', '/api/backup/now', {});
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const told = await status();
    assert.deepEqual(
      [told.backup_count, told.last_backup, told.backup_directory],
      [2, made.body.created_at, elsewhere],
    );
    assert.ok(told.total_size_bytes > 0 && told.time_since_last_seconds >= 0);
    assert.ok(Math.abs(told.last_backup_time - Date.parse(made.body.created_at) / 1000) < 0.001);
    const { body: listed } = await rest.send('GET', '/api/backup/list');
    assert.deepEqual([listed.total_count, listed.backups[0].age_days], [2, 0]);

    // somebody takes the line away by hand: what was arranged once is no truth
    const kept = readFileSync(table, 'utf8');
    writeFileSync(table, '0 1 * * * backup-photos # mine\n');
    assert.deepEqual(await picture(), off);
    writeFileSync(table, kept);
    assert.equal((await picture()).enabled, true);
    ltm('schedule', '--by', 'cron', '--off');
    assert.deepEqual(await picture(), off);
  },
);
