import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { findPostgres, startPrivatePostgres } from '../postgres/private-postgres.ts';
import { type ObservationServer, startObservationServer } from './observation-server.ts';

const NO_POSTGRES = 'missing' in findPostgres() ? 'PostgreSQL is not installed here' : false;
const EVENTS = 60;

/** Two servers on one database; every event is sent to both at the same moment. */
async function sendToBoth(db: string, folder: string): Promise<void> {
  const servers: ObservationServer[] = [];
  for (const name of ['a', 'b']) {
    const home = join(folder, name);
    mkdirSync(home, { recursive: true });
    servers.push(await startObservationServer(home, ['--db', db]));
  }
  try {
    const send = (n: number, which: number) =>
      servers[which]!.post('/api/v1/session-events', {
        events: [
          {
            key: `e${n}`,
            event: 'prompt',
            at: 1_790_000_000_000 + n,
            agent: 'codex',
            session: `s${n % 3}`,
            project: 'web',
            directory: null,
            text: `Prompt number ${n}`,
          },
        ],
      });
    const all = Array.from({ length: EVENTS }, (_, n) => n);
    const answers = await Promise.all(all.flatMap((n) => [send(n, 0), send(n, 1)]));
    assert.deepEqual(
      answers.filter(({ status }) => status !== 200),
      [],
    );
    const recorded = answers.reduce((sum, { body }) => sum + body.recorded, 0);
    assert.equal(recorded, EVENTS);
    const { body } = await servers[1]!.get(`/api/v1/observations?limit=${EVENTS + 10}`);
    const numbers = (body.observations as { number: number }[]).map(({ number }) => number).sort((a, b) => a - b);
    assert.deepEqual(
      numbers,
      all.map((n) => n + 1),
    );
    assert.equal((await servers[0]!.get('/stats')).body.totalSessions, 3);
  } finally {
    for (const server of servers) await server.stop();
  }
}

test('two processes on one file record each event once, with numbers without gap or repetition', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-obs-nodes-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  await sendToBoth(join(folder, 'memory.db'), folder);
});

test('the same on PostgreSQL', { skip: NO_POSTGRES }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'ltm-obs-nodes-'));
  const postgres = await startPrivatePostgres();
  t.after(async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  await sendToBoth(postgres.url(), folder);
});
