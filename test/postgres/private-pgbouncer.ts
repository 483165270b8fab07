import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { chooseRunner, findFreePort } from './private-postgres.ts';

/** `PGBOUNCER` names another version than Debian's. */
const PROGRAMS = [process.env.PGBOUNCER ?? '', '/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'];
const START_LIMIT_MS = 300_000;

export interface PrivatePgBouncer {
  /** The same address, by way of the pooler. */
  through(url: string): string;
  stop(): Promise<void>;
}

/** Where the program is, or a sentence that says why the tests that need it are skipped. */
export function findPgBouncer(): { program: string } | { missing: string } {
  const program = PROGRAMS.find((path) => existsSync(path));
  return program === undefined
    ? { missing: 'PgBouncer is not installed here; scripts/install-test-tools.sh installs it.' }
    : { program };
}

/** A pooler of our own before a PostgreSQL, with few connections, so that clients take turns on them. */
export async function startPgBouncer(
  server: string,
  mode: 'session' | 'transaction',
  settings: readonly string[] = [],
): Promise<PrivatePgBouncer> {
  const found = findPgBouncer();
  if ('missing' in found) throw new Error(found.missing);
  const { hostname, port, username, password } = new URL(server);
  const folder = mkdtempSync(join(tmpdir(), 'ltm-pgbouncer-'));
  const runner = chooseRunner(folder);
  const ownPort = await findFreePort();
  writeFileSync(join(folder, 'users'), `"${username}" "${password}"\n`, { mode: 0o644 });
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${port}`,
    '[pgbouncer]',

    'listen_addr = 127.0.0.1',
    `listen_port = ${ownPort}`,
    'unix_socket_dir =',
    'auth_type = scram-sha-256',
    `auth_file = ${join(folder, 'users')}`,
    `pool_mode = ${mode}`,
    `default_pool_size = ${mode === 'session' ? 40 : 4}`,
    ...settings,
  ];
  writeFileSync(join(folder, 'pgbouncer.ini'), `${lines.join('\n')}\n`, { mode: 0o644 });
  const child = spawn(...runner(found.program, ['-q', join(folder, 'pgbouncer.ini')]), { stdio: 'ignore' });
  const through = (url: string) => {
    const moved = new URL(url);
    moved.port = String(ownPort);
    return moved.href;
  };
  await waitFor(through(server));
  return {
    through,
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGQUIT');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function waitFor(url: string): Promise<void> {
  for (const limit = performance.now() + START_LIMIT_MS; ; ) {
    const client = new pg.Client(url);
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (performance.now() > limit) throw error;
      await sleep(50);
    }
  }
}
