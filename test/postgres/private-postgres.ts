import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

const DEBIAN_FOLDER = '/usr/lib/postgresql';
/** Ends what will never start; a machine that is busy may take its time. */
const START_LIMIT_MS = 300_000;
/** A test's data may be lost with the machine, so nothing waits for the disk; a killed server loses nothing of it. */
const SETTINGS = [
  'fsync=off',
  'full_page_writes=off',
  'max_connections=200',
  'shared_buffers=64MB',
  'max_prepared_transactions=20',
];

export interface PrivatePostgres {
  /** As the role that serves (`app`, which may take the place of `app_owner` to migrate), or as the superuser. */
  url(options?: { superuser?: boolean; role?: string; database?: string; schema?: string }): string;
  /** One more role, with the same password. */
  createRole(name: string, attributes: string): Promise<void>;
  createDatabase(): Promise<string>;
  /** SQL as the superuser, past every wall. */
  admin(sql: string, database?: string): Promise<Record<string, unknown>[]>;
  /** Stops the server as an operator would, or as a power cut would, and starts it again. */
  restart(how?: 'fast' | 'immediate'): Promise<void>;
  stop(): Promise<void>;
}

/** Where the server's programs are, or a sentence that says why the tests that need them are skipped. */
export function findPostgres(): { folder: string } | { missing: string } {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(DEBIAN_FOLDER, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ];
  const folder = folders.find((one) => existsSync(join(one, 'initdb')) && existsSync(join(one, 'postgres')));
  return folder === undefined
    ? { missing: 'PostgreSQL is not installed here; scripts/install-test-tools.sh installs it.' }
    : { folder };
}

/** A server of our own on a free port, in a folder of its own; both are gone after `stop`. */
export async function startPrivatePostgres({
  settings = [],
}: {
  settings?: readonly string[];
} = {}): Promise<PrivatePostgres> {
  const found = findPostgres();
  if ('missing' in found) throw new Error(found.missing);
  const programs = found.folder;
  const folder = mkdtempSync(join(tmpdir(), 'ltm-postgres-'));
  const password = randomBytes(12).toString('hex');
  const port = await findFreePort();
  const runner = chooseRunner(folder);
  writeFileSync(join(folder, 'password'), password, { mode: 0o644 });
  const data = join(folder, 'data');
  const initdb = [
    '--no-sync',
    '--no-instructions',
    '-E',
    'UTF8',
    '--locale=C',
    '-U',
    'postgres',
    '-A',
    'scram-sha-256',
  ];
  execFileSync(...runner(join(programs, 'initdb'), [...initdb, `--pwfile=${join(folder, 'password')}`, '-D', data]), {
    stdio: 'ignore',
  });
  const options = [
    ...SETTINGS,
    ...settings,
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
  ].flatMap((setting) => ['-c', setting]);

  const urlOf = (user: string, database: string) => `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
  async function admin(sql: string, database = 'postgres'): Promise<Record<string, unknown>[]> {
    const client = new pg.Client(urlOf('postgres', database));
    await client.connect();
    try {
      return (await client.query(sql)).rows ?? [];
    } finally {
      await client.end();
    }
  }
  async function start(): Promise<ChildProcess> {
    const child = spawn(...runner(join(programs, 'postgres'), ['-D', data, ...options]), {
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    for (const limit = performance.now() + START_LIMIT_MS; ; ) {
      try {
        await admin('SELECT 1');
        return child;
      } catch (error) {
        if (performance.now() > limit || child.exitCode !== null) throw error;
        await sleep(50);
      }
    }
  }
  async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
    const exited = child.exitCode === null ? once(child, 'exit') : null;
    child.kill(signal);
    await exited;
  }

  let server = await start();
  await admin(
    `CREATE ROLE app_owner NOLOGIN; CREATE ROLE app LOGIN NOINHERIT PASSWORD '${password}' IN ROLE app_owner`,
  );
  await admin('CREATE DATABASE app OWNER app_owner');
  let made = 0;
  return {
    url: ({ superuser = false, role = superuser ? 'postgres' : 'app', database = 'app', schema } = {}) =>
      urlOf(role, database) + (schema === undefined ? '' : `?schema=${schema}`),
    async createRole(name, attributes) {
      await admin(`CREATE ROLE ${name} ${attributes} PASSWORD '${password}'`);
    },
    async createDatabase() {
      const name = `fresh_${++made}`;
      await admin(`CREATE DATABASE ${name} OWNER app_owner`);
      return name;
    },
    admin: (sql, database = 'app') => admin(sql, database),
    async restart(how = 'fast') {
      await end(server, how === 'fast' ? 'SIGINT' : 'SIGQUIT');
      server = await start();
    },
    async stop() {
      await end(server, 'SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

type Command = [string, string[]];

/** PostgreSQL refuses to run as root: then the folder and the server belong to Debian's user `postgres`. It dies with the process that started it. */
export function chooseRunner(folder: string): (program: string, args: string[]) => Command {
  if (process.getuid?.() !== 0) return (program, args) => [program, args];
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' })));
  chownSync(folder, uid!, gid!);
  chmodSync(folder, 0o755);
  return (program, args) => [
    'setpriv',
    [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--pdeathsig=SIGQUIT', program, ...args],
  ];
}

/** Below those that systems give to connections: it stays free until somebody listens there, and while a server restarts. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    server.close();
    if (isFree) return port;
  }
}
