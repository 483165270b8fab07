import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { openMemory } from '../../src/index.ts';
import { runLtm } from './packet-server.ts';
import { type ServeProcess, startServe } from './serve-process.ts';

const DAY = 86_400_000;
const folder = mkdtempSync(join(tmpdir(), 'ltm-clock-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const db = join(folder, 'memory.db');

function clock(shiftMs: number): Record<string, string> {
  const file = pathToFileURL(join(import.meta.dirname, 'wrong-clock.ts')).href;
  return { NODE_OPTIONS: `--import=${file}`, LTM_TEST_CLOCK_MS: String(shiftMs) };
}

const ltm = (words: readonly string[], shiftMs = 0) => runLtm(folder, [...words, '--db', db], { env: clock(shiftMs) });
const deleted = async () => JSON.parse((await ltm(['list', '--deleted', '--json'])).stdout).total as number;

/** A server that has done several rounds of upkeep. */
async function serveFor(
  shiftMs: number,
  visit: (server: ServeProcess) => Promise<void> = async () => {},
): Promise<void> {
  const server = await startServe(folder, ['--db', db, '--upkeep-seconds', '1', '--log-level', 'info'], clock(shiftMs));
  if (shiftMs === 0) await pause(2500);
  else while (!server.log().includes('clock_jumped')) await pause(100);
  await visit(server);
  await server.stop();
}

async function readHealth({ url }: ServeProcess): Promise<{ status: string; notices: string[] }> {
  const token = readFileSync(join(folder, 'owner-token'), 'utf8').trim();
  const response = await fetch(`${url}/api/v1/health`, { headers: { authorization: `Bearer ${token}` } });
  return (await response.json()) as { status: string; notices: string[] };
}

test('a server that starts with a clock ten years ahead purges nothing, says what it holds back, and a command confirms it', async () => {
  const memory = await openMemory({ database: db });
  for (let i = 0; i < 25; i++) await memory.store({ content: `memory ${i}`, tags: ['gone'] });
  await memory.store('kept');
  assert.equal(await memory.delete({ tags: ['gone'] }), 25);
  await memory.close();
  await serveFor(0);
  assert.equal(await deleted(), 25);

  await serveFor(3650 * DAY, async (server) => {
    const { status, notices } = await readHealth(server);
    assert.equal(status, 'healthy');
    assert.match(notices.join(), /^25 deleted records are past keep_deleted_days.*`ltm purge --expired` confirms/);
  });
  assert.equal(await deleted(), 25);
  await serveFor(-20_000 * DAY);
  assert.equal(await deleted(), 25);
  await serveFor(0, async (server) => assert.deepEqual((await readHealth(server)).notices, []));
  assert.equal(await deleted(), 25);

  const ahead = 40 * DAY;
  assert.match((await ltm(['stats'], ahead)).stdout, /25 deleted records are past keep_deleted_days/);
  const look = await ltm(['purge', '--expired', '--dry-run', '--json'], ahead);
  assert.deepEqual(JSON.parse(look.stdout).count, 25);
  assert.equal(await deleted(), 25);
  const done = await ltm(['purge', '--expired', '--yes', '--json'], ahead);
  assert.deepEqual([JSON.parse(done.stdout).outcome, JSON.parse(done.stdout).count], ['purged', 25]);
  assert.equal(await deleted(), 0);
});
