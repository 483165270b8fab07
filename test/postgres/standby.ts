import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { chooseRunner, findFreePort, findPostgres, type PrivatePostgres } from './private-postgres.ts';

const START_LIMIT_MS = 300_000;

export interface Standby {
  url: string;
  /** SQL as the superuser. */
  admin(sql: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

/** A hot standby of a private server, streaming from it. */
export async function startStandby(primary: PrivatePostgres): Promise<Standby> {
  const found = findPostgres();
  if ('missing' in found) throw new Error(found.missing);
  const folder = mkdtempSync(join(tmpdir(), 'ltm-standby-'));
  const runner = chooseRunner(folder);
  const data = join(folder, 'data');
  const source = primary.url({ superuser: true, database: 'postgres' });
  execFileSync(
    ...runner(join(found.folder, 'pg_basebackup'), ['-R', '--no-sync', '-c', 'fast', '-D', data, '-d', source]),
    { stdio: 'ignore' },
  );
  const port = await findFreePort();
  const options = [
    'fsync=off',
    'max_connections=200',
    'max_prepared_transactions=20',
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
  ];
  const child = spawn(
    ...runner(join(found.folder, 'postgres'), ['-D', data, ...options.flatMap((option) => ['-c', option])]),
    { stdio: 'ignore' },
  );
  const urlOf = (options: Parameters<PrivatePostgres['url']>[0]) => primary.url(options).replace(/:\d+\//, `:${port}/`);
  async function admin(sql: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client(urlOf({ superuser: true }));
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }
  for (const limit = performance.now() + START_LIMIT_MS; ; ) {
    try {
      await admin('SELECT 1');
      break;
    } catch (error) {
      if (performance.now() > limit) throw error;
      await sleep(50);
    }
  }
  return {
    url: urlOf({}),
    admin,
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGQUIT');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
