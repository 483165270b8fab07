import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { makeFolder } from '../open-test-engine.ts';
import { findPgBouncer, startPgBouncer } from '../postgres/private-pgbouncer.ts';
import { findPostgres, type PrivatePostgres, startPrivatePostgres } from '../postgres/private-postgres.ts';
import { PLAIN_ENV, PROGRAM } from './program.ts';
import { openRawStream } from './raw-sse.ts';
import { type ServeNodes, startNodes } from './serve-nodes.ts';

const found = [findPostgres(), findPgBouncer()].find((one) => 'missing' in one);
/** A lost hint is made up for by a look after five seconds; a node that beats every second says how much of them has passed for itself. */
const HEARD_BEATS = 2;
const MOST_TRIES = 10;

async function tryNodes({ nodes, token }: ServeNodes): Promise<void> {
  const [first, second] = nodes;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const stream = await openRawStream(`${second!.url}/api/v1/events`, headers);
  assert.equal((await stream.next())?.event, 'connection_established');
  try {
    // The first may be written before the other node listens.
    let beats = Number.POSITIVE_INFINITY;
    for (let number = 0; number === 0 || beats > HEARD_BEATS; number++) {
      assert.ok(number < MOST_TRIES, `${beats} beats before the event`);
      const body = JSON.stringify({ content: `Lighthouse ${number} is red.` });
      const stored = await fetch(`${first!.url}/api/v1/memories`, { method: 'POST', headers, body });
      assert.equal(stored.status, 201);
      let seen = 0;
      for (let event = await stream.next(); event?.event !== 'memory_stored'; event = await stream.next()) {
        assert.ok(event, 'the stream has ended');
        seen++;
      }
      if (number > 0) beats = seen;
      const search = await fetch(`${second!.url}/api/v1/search`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ query: `lighthouse ${number}` }),
      });
      assert.match(await search.text(), new RegExp(`Lighthouse ${number}`));
    }
  } finally {
    await stream.close();
  }
}

describe('two nodes behind PgBouncer', {
  skip: found !== undefined && 'missing' in found ? found.missing : false,
}, () => {
  let postgres: PrivatePostgres;
  before(async () => {
    postgres = await startPrivatePostgres();
  });
  after(() => postgres?.stop());

  for (const mode of ['session', 'transaction'] as const) {
    test(`in ${mode} mode find and hear at once what the other has stored${mode === 'transaction' ? ', and a database moves there and back' : ''}`, async (t) => {
      const pooler = await startPgBouncer(postgres.url(), mode);
      t.after(() => pooler.stop());
      const direct = postgres.url({ database: await postgres.createDatabase() });
      const db = pooler.through(direct);
      const flags = ['--embedder', 'none', '--event-heartbeat-seconds', '1'];
      const nodes = await startNodes(db, 2, mode === 'transaction' ? [...flags, '--db-listen-url', direct] : flags);
      try {
        await tryNodes(nodes);
      } finally {
        await nodes.stop();
      }
      if (mode === 'session') return;
      const folder = makeFolder();
      const env = { ...PLAIN_ENV, HOME: folder, LTM_CONFIG_DIR: folder };
      const run = (...args: string[]) =>
        promisify(execFile)(process.execPath, [PROGRAM, ...args], { cwd: folder, env });
      await run('migrate', '--from', db, '--to', join(folder, 'memory.db'));
      const moved = pooler.through(postgres.url({ database: await postgres.createDatabase() }));
      await run('migrate', '--from', join(folder, 'memory.db'), '--to', moved);
      const { stdout } = await run('search', 'lighthouse 1', '--db', moved);
      assert.match(stdout, /Lighthouse 1 is red/);
    });
  }
});
