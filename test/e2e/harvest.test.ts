import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Answer, startMcpProcess } from './mcp-process.ts';
import { PLAIN_ENV, PROGRAM } from './program.ts';
import { makeServeFolder, removeFolder, startServe } from './serve-process.ts';

const home = mkdtempSync(join(tmpdir(), 'ltm-harvest-'));
after(() => rmSync(home, { recursive: true, force: true }));
const shop = join(home, 'shop');
mkdirSync(join(shop, '.git'), { recursive: true });
const transcripts = join(home, '.claude', 'projects', shop.replaceAll(/[^a-zA-Z0-9]/g, '-'));
mkdirSync(transcripts, { recursive: true });

const PASSWORD = 'Tr0ub4dor&3-horse';

interface Turn {
  by: 'user' | 'assistant';
  text: string;
}

function writeSession(session: string, at: string, turns: readonly Turn[]): void {
  const lines = turns.map(({ by, text }, i) =>
    JSON.stringify({
      type: by,
      uuid: `${session}-${i}`,
      sessionId: session,
      cwd: shop,
      timestamp: at,
      message: { role: by, content: by === 'user' ? text : [{ type: 'text', text }] },
    }),
  );
  writeFileSync(join(transcripts, `${session}.jsonl`), `${lines.join('\n')}\n`);
}

writeSession('one', '2026-03-01T10:00:00.000Z', [
  { by: 'user', text: 'From now on run pnpm in this repository, never npm.' },
  {
    by: 'assistant',
    text: `We decided to keep the job queue in SQLite because one file is easier to back up.\n\nThe root cause was that DB_PASSWORD=${PASSWORD} had expired on the staging server.`,
  },
  { by: 'assistant', text: 'Let me run the tests once more and look at the logs.' },
]);

function run(...words: string[]): Answer {
  const out = execFileSync(process.execPath, [PROGRAM, ...words, '--json', '--db', join(home, 'memory.db')], {
    cwd: shop,
    env: { ...PLAIN_ENV, HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(out.toString()) as Answer;
}

test('45: a dry run shows what was found, by type and confidence, and stores nothing', () => {
  const { dry_run, results } = run('harvest');
  assert.equal(dry_run, true);
  assert.deepEqual(
    [results[0].session_id, results[0].total_messages, results[0].found, results[0].stored, results[0].by_type],
    ['one', 3, 3, 0, { convention: 1, decision: 1, bug: 1 }],
  );
  assert.deepEqual(results[0].candidates[1].tags, ['session-harvest', 'harvest:decision']);
  assert.ok(results[0].candidates.every(({ confidence }: Answer) => confidence >= 0.6 && confidence <= 1));
  assert.equal(existsSync(join(home, 'memory.db')), false);
  assert.equal(run('harvest', '--type', 'bug').results[0].found, 1);
  assert.equal(run('harvest', '--min-confidence', '0.99').results[0].found, 0);
});

test('46: what is stored has tags, is believed no more than an agent, holds no secret, and is stored once', () => {
  assert.equal(run('harvest', '--yes').results[0].stored, 3);
  assert.equal(run('harvest', '--yes').results[0].stored, 0);
  const { memories, total } = run('list');
  assert.equal(total, 3);
  const decision = memories.find(({ type }: Answer) => type === 'decision');
  assert.deepEqual(
    [decision.project, decision.agent, decision.metadata.session_id, decision.trust],
    ['shop', 'claude-code', 'one', 'agent'],
  );
  assert.equal(decision.valid_from, '2026-03-01T10:00:00.000Z');
  for (const file of readdirSync(home).filter((name) => name.startsWith('memory.db')))
    assert.equal(readFileSync(join(home, file)).includes(PASSWORD), false, file);
});

test('46: what a later session says in nearly the same words takes the place of what was said before, never of what a person stored', () => {
  const decided = 'We decided to keep the job queue in SQLite because one file is easier to back up and to move.';
  writeSession('two', '2026-04-01T10:00:00.000Z', [{ by: 'assistant', text: decided }]);
  assert.equal(run('harvest', '--session', 'two', '--yes').results[0].stored, 1);
  const decisions = () => run('list', '--type', 'decision').memories.map(({ content }: Answer) => content);
  assert.deepEqual(decisions(), [decided]);
  run('harvest', '--yes');
  assert.deepEqual(decisions(), [decided], 'an older session that is read again changes nothing');

  const own = 'The release train leaves every second Thursday at noon from the main branch.';
  run('store', own);
  writeSession('three', '2026-05-01T10:00:00.000Z', [
    {
      by: 'assistant',
      text: `It turns out that the release train leaves every second Thursday at noon from the main branch.`,
    },
  ]);
  run('harvest', '--session', 'three', '--yes');
  const kept = run('list').memories.find(({ content }: Answer) => content === own);
  assert.deepEqual([kept?.trust, kept?.superseded_by], ['user', null]);
});

test('47: German and Portuguese are understood beside English', () => {
  writeSession('four', '2026-06-01T10:00:00.000Z', [
    { by: 'assistant', text: 'Wir haben uns für Postgres entschieden, weil wir Transaktionen brauchen.' },
    { by: 'assistant', text: 'A causa do travamento era um lock obtido duas vezes pela mesma thread.' },
  ]);
  assert.deepEqual(run('harvest', '--session', 'four').results[0].by_type, { decision: 1, bug: 1 });
});

test('45 and 46 over MCP: memory_harvest reads the sessions of this machine', async () => {
  const mcp = await startMcpProcess({ HOME: home, LTM_TOOLS: 'service' });
  try {
    const { tools } = await mcp.client.listTools();
    assert.ok(tools.some(({ name }) => name === 'memory_harvest'));
    const dry = await mcp.call('memory_harvest', { session_ids: ['one'] });
    assert.deepEqual([dry.dry_run, dry.results[0].found, dry.results[0].stored], [true, 3, 0]);
    const stored = await mcp.call('memory_harvest', { session_ids: ['one'], dry_run: false });
    assert.equal(stored.results[0].stored, 3);
    assert.equal((await mcp.call('memory_harvest', { session_ids: ['one'], dry_run: false })).results[0].stored, 0);
    assert.equal((await mcp.fail('memory_harvest', { types: ['gossip'] })).code, 'invalid_input');
  } finally {
    await mcp.close();
  }
});

test('memory_harvest reads the project where the agent runs, the one that is named, or all; a folder that is not there is an error', async () => {
  const config = join(home, 'claude-config');
  const projects = join(config, 'projects');
  const line = (text: string): string =>
    JSON.stringify({ type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text }] } });
  const keep = (folder: string, session: string, text: string): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${session}.jsonl`), `${line(text)}\n`);
  };
  const names = (folder: string): string => folder.replaceAll(/[^a-zA-Z0-9]/g, '-');
  const pier = join(home, 'pier');
  mkdirSync(pier);
  keep(join(projects, names(pier)), 'pier-1', 'We decided to use Kafka for the event stream because it scales better.');
  keep(
    join(projects, '-work-quay'),
    'quay-1',
    'We decided to keep the cache in Redis because one server is easier to run.',
  );
  keep(join(home, 'kept'), 'kept-1', 'We decided to use Postgres for the ledger because it has transactions.');
  const mcp = await startMcpProcess({ HOME: home, LTM_TOOLS: 'service', CLAUDE_CONFIG_DIR: config }, pier);
  const sessions = async (args: object): Promise<string[]> =>
    (await mcp.call('memory_harvest', { sessions: 50, ...args })).results.map((one: Answer) => one.session_id).sort();
  try {
    assert.deepEqual(await sessions({}), ['pier-1']);
    assert.deepEqual(await sessions({ project_path: '' }), ['pier-1']);
    assert.deepEqual(await sessions({ project_path: join(projects, '-work-quay') }), ['quay-1']);
    assert.deepEqual(await sessions({ project_path: '-work-quay' }), ['quay-1']);
    assert.deepEqual(await sessions({ project_path: pier }), ['pier-1']);
    assert.deepEqual(await sessions({ project_path: '~/kept' }), ['kept-1']);
    assert.deepEqual(await sessions({ all_projects: true }), ['pier-1', 'quay-1']);
    assert.deepEqual(await sessions({ session_ids: ['quay-1'] }), ['quay-1']);
    assert.deepEqual(await sessions({ session_ids: ['quay-1'], project_path: pier }), []);
    const missing = await mcp.fail('memory_harvest', { project_path: '/work/none' });
    assert.deepEqual([missing.code, /There is no folder \/work\/none/.test(missing.message)], ['not_found', true]);
    const empty = await mcp.call('memory_harvest', { project_path: shop });
    assert.deepEqual([empty.results, empty.warnings.length], [[], 1]);
    assert.equal((await mcp.call('memory_harvest', { agent_id: 'nobody' })).warnings.length, 1);
  } finally {
    await mcp.close();
  }
  const place = makeServeFolder(null);
  const server = await startServe(place, [], { MCP_API_KEY: 'a-key-that-is-long-enough', CLAUDE_CONFIG_DIR: config });
  const ask = async (path: string): Promise<[number, Answer]> => {
    const response = await fetch(`${server.url}/api/harvest`, {
      method: 'POST',
      headers: { 'x-api-key': 'a-key-that-is-long-enough', 'content-type': 'application/json' },
      body: JSON.stringify({ project_path: path }),
    });
    return [response.status, (await response.json()) as Answer];
  };
  try {
    const [status, { results }] = await ask('-work-quay');
    assert.deepEqual([status, results[0].session_id, results[0].found], [200, 'quay-1', 1]);
    assert.equal((await ask('-work-none'))[0], 404);
  } finally {
    await server.stop();
    removeFolder(place);
  }
});

test('`ltm harvest` takes a folder: that of a project, or one that holds transcripts', () => {
  assert.deepEqual(
    run('harvest', transcripts, '--session', 'one').results.map(({ session_id }: Answer) => session_id),
    ['one'],
  );
  assert.ok(run('harvest', shop).results.length > 1);
});
