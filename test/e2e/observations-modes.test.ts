import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { startChatService } from '../stub-chat-service.ts';
import { startObservationServer } from './observation-server.ts';
import { PLAIN_ENV, PROGRAM } from './program.ts';

const SECRET = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'}`;

for (const [redact, isKept] of [
  ['replace', false],
  ['off', true],
] as const)
  test(`M27: with redact ${redact} a secret is ${isKept ? 'kept' : 'replaced'}, and what is private or denied never is`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'ltm-modes-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const server = await startObservationServer(folder, [], {
      LTM_REDACT: redact,
      LTM_PRIVACY_PATTERNS: JSON.stringify([{ name: 'ticket', pattern: 'ACME-\\d+' }]),
    });
    t.after(() => server.stop());
    const number = await server.observe({
      tool_input: { command: `login ${SECRET}` },
      tool_output: `ok ${SECRET} <private>mine</private> ACME-1`,
    });
    const [row] = (await server.get(`/observation/${number}`)).body.observations;
    for (const text of [row.tool_input, row.tool_output]) assert.equal(text.includes(SECRET), isKept, text);
    assert.doesNotMatch(row.tool_output, /mine|ACME-1/);
    assert.equal(JSON.parse(row.tool_input).command.startsWith('login '), true);
    const denied = { session_id: 's', tool_name: 'Bash', tool_input: { command: 'cat .env' }, tool_output: 'KEY=1' };
    assert.equal((await server.post('/observe', denied)).body.reason, 'path_denylist');
  });

for (const workers of ['1', '2'])
  test(`M17 and M36: with ${workers} worker(s) the health says what waits for the model, and that it is left in peace`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'ltm-waiting-'));
    const service = await startChatService({ summary: 'What happened', type: 'change', files: [], concepts: [] });
    service.answers.push(...Array.from({ length: 20 }, () => 401));
    const args = ['--embedder', 'none', '--workers', workers, '--upkeep-seconds', '1'];
    const server = await startObservationServer(folder, args, { LTM_SUMMARIZER_URL: service.url });
    t.after(async () => {
      await server.stop();
      service.close();
      rmSync(folder, { recursive: true, force: true });
    });
    const ask = async () => {
      const answers = [await server.get('/health', null), await server.get('/status')];
      return answers.map(({ body: { pending, circuit_open } }) => ({ pending, circuit_open }));
    };
    const rests = { pending: 0, circuit_open: false };
    assert.deepEqual(await ask(), [rests, rests]);
    for (const n of [1, 2, 3])
      await server.observe({ tool_name: 'Edit', tool_input: { file_path: `src/${n}.ts` }, tool_output: `done ${n}` });
    const waits = { pending: 3, circuit_open: true };
    for (let tries = 0; !isDeepStrictEqual(await ask(), [waits, waits]); tries++) {
      assert.ok(tries < 100, JSON.stringify(await ask()));
      await pause(200);
    }
    assert.equal((await server.get('/stats')).body.pendingCompressions, 3);
  });

test('the settings of the old system are taken over with its memories, where ltm has none of its own', (t) => {
  const home = mkdtempSync(join(tmpdir(), 'ltm-old-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const old = join(home, '.longmem');
  mkdirSync(old);
  const database = new DatabaseSync(join(old, 'memory.db'));
  database.exec('CREATE TABLE sessions (id INTEGER, opencode_session_id TEXT, project TEXT)');
  database.close();
  const privacy = { mode: 'none', excludeTools: ['Read'], excludePaths: ['*.tfstate'] };
  writeFileSync(join(old, 'settings.json'), JSON.stringify({ privacy }));
  const config = join(home, 'config.json');
  writeFileSync(config, JSON.stringify({ capture_exclude_paths: ['*.mine'] }));
  const env = { ...PLAIN_ENV, HOME: home, LTM_DB: join(home, 'memory.db'), LTM_CONFIG: config };
  const ltm = (...words: string[]) =>
    spawnSync(process.execPath, [PROGRAM, 'import', old, ...words], { env, encoding: 'utf8' });
  const dry = ltm('--dry-run');
  assert.match(dry.stderr + dry.stdout, /capture_exclude_tools/);
  assert.deepEqual(JSON.parse(readFileSync(config, 'utf8')), { capture_exclude_paths: ['*.mine'] });
  const done = ltm();
  assert.equal(done.status, 0, done.stderr);
  assert.deepEqual(JSON.parse(readFileSync(config, 'utf8')), {
    capture_exclude_paths: ['*.mine'],
    capture_exclude_tools: ['Read'],
  });
  assert.match(done.stderr, /ltm config set redact off/);
});
