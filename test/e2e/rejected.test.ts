import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Answer, startMcpProcess } from './mcp-process.ts';
import { PLAIN_ENV, PROGRAM } from './program.ts';

const home = mkdtempSync(join(tmpdir(), 'ltm-rejected-'));
after(() => rmSync(home, { recursive: true, force: true }));
const shop = join(home, 'shop');
mkdirSync(join(shop, '.git'), { recursive: true });
const transcripts = join(home, '.claude', 'projects', shop.replaceAll(/[^a-zA-Z0-9]/g, '-'));
mkdirSync(transcripts, { recursive: true });

const WRONG = 'We decided to keep the job queue in SQLite because one file is easier to back up.';
const RIGHT = 'The root cause was that the staging certificate had expired.';
let db = '';
const line = JSON.stringify({
  type: 'assistant',
  uuid: 'u1',
  sessionId: 'one',
  cwd: shop,
  timestamp: '2026-03-01T10:00:00.000Z',
  message: { role: 'assistant', content: [{ type: 'text', text: `${WRONG}\n\n${RIGHT}` }] },
});
writeFileSync(join(transcripts, 'one.jsonl'), `${line}\n`);
const options = { cwd: shop, env: { ...PLAIN_ENV, HOME: home } };

function run(...words: string[]): Answer {
  const out = execFileSync(process.execPath, [PROGRAM, ...words, '--json', '--db', db], {
    ...options,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(out.toString()) as Answer;
}

function refused(...words: string[]): { code: string; message: string; status: number | null } {
  const { status, stdout } = spawnSync(process.execPath, [PROGRAM, ...words, '--json', '--db', db], options);
  const { error } = JSON.parse(stdout.toString()) as Answer;
  return { code: error.code, message: error.message, status };
}

const list = (): string[] => run('list').memories.map(({ content }: Answer) => content);
const idOf = (content: string): string => run('list').memories.find((memory: Answer) => memory.content === content).id;

test('a wrong harvested fact stays gone: after a deletion, a rejection and a purge, by command and by agent', async () => {
  const agent = await startMcpProcess();
  after(() => agent.close());
  db = agent.db;
  assert.equal(run('harvest', '--yes').results[0].stored, 2);
  run('delete', idOf(WRONG));
  assert.deepEqual([run('harvest', '--yes').results[0].rejected, list()], [1, [RIGHT]]);
  const { memory } = run('store', WRONG);
  const { rejections } = run('reject', memory.id, '--note', 'it is Redis');
  assert.equal(rejections[0].why, 'it is Redis');
  assert.deepEqual([run('harvest', '--yes').results[0].rejected, list()], [1, [RIGHT]]);
  const { code, message, status } = refused('store', WRONG.toUpperCase());
  assert.deepEqual([code, status], ['rejected', 4]);
  assert.match(message, /rejected on \d{4}-\d\d-\d\d: it is Redis/);
  assert.deepEqual(
    run('rejected').rejections.map(({ text }: Answer) => text),
    [WRONG],
  );
  assert.equal((await agent.fail('memory_store', { content: `  ${WRONG} ` })).code, 'rejected');
  run('purge', memory.id, '--yes');
  assert.equal(refused('store', WRONG).code, 'rejected');
  assert.equal(run('rejected').rejections[0].text, null);
  const exported = join(home, 'all.jsonl');
  execFileSync(process.execPath, [PROGRAM, 'export', exported, '--db', db], { ...options, stdio: 'ignore' });
  assert.doesNotMatch(readFileSync(exported, 'utf8'), /keep the job queue/);
  assert.equal(run('rejected', 'lift', rejections[0].id).lifted.length, 1);
  assert.equal(run('store', WRONG).outcome, 'stored');
  run('delete', '--forever', '--note', 'no', idOf(WRONG));
  assert.match(refused('store', WRONG).message, /: no$/);
});
