import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { makeTranscript } from '../workspaces/make-transcript.ts';
import type { Answer } from './mcp-process.ts';
import { PLAIN_ENV, PROGRAM } from './program.ts';

const home = mkdtempSync(join(tmpdir(), 'ltm-import-'));
after(() => rmSync(home, { recursive: true, force: true }));
const db = join(home, 'memory.db');

interface Ran {
  code: number | null;
  out: Answer;
  said: string;
}

function run(words: readonly string[], env: Record<string, string> = {}): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...words, '--json'], {
    env: { ...PLAIN_ENV, HOME: home, ...env },
    encoding: 'utf8',
  });
  return { code: status, out: stdout.trim() === '' ? {} : (JSON.parse(stdout) as Answer), said: stderr };
}

const here = (...words: string[]): Ran => run([...words, '--db', db]);

const foreign = join(home, 'sqlite_vec.db');
const made = new DatabaseSync(foreign);
made.exec(`CREATE TABLE memories (id INTEGER PRIMARY KEY, content_hash TEXT UNIQUE, content TEXT, tags TEXT, memory_type TEXT, metadata TEXT,
    created_at REAL, updated_at REAL, deleted_at REAL);
  INSERT INTO memories VALUES (1, 'h1', 'Deploys go out on Thursday', 'release', 'decision', '{}', 1700000000, 1700000000, NULL),
    (2, 'h2', 'The key is STRIPE_KEY=sk_live_51Habcdefghijklmnopqrstuv', '', 'note', NULL, 1700000001, 1700000001, NULL)`);
made.close();

test('a database of another system is named, the command that imports it is printed, and it is not touched', () => {
  const before = readFileSync(foreign);
  for (const name of ['LTM_DB_PATH', 'MCP_MEMORY_SQLITE_PATH']) {
    const { code, said } = run(['list'], { [name]: foreign });
    assert.notEqual(code, 0);
    assert.match(said, /database of mcp-memory-service/);
    assert.ok(said.includes(`ltm import --from mcp-memory-service ${foreign}`), said);
  }
  assert.deepEqual(readFileSync(foreign), before);
});

test('the index of basic-memory is named, with the folder of its notes', () => {
  const index = join(home, 'basic.db');
  const notes = join(home, 'basic-memory');
  const made = new DatabaseSync(index);
  made.exec(`CREATE TABLE project (id INTEGER PRIMARY KEY, name TEXT, path TEXT, is_default BOOLEAN);
    CREATE TABLE entity (id INTEGER PRIMARY KEY, title TEXT, entity_type TEXT, project_id INTEGER, permalink TEXT, file_path TEXT);
    CREATE TABLE observation (id INTEGER PRIMARY KEY, entity_id INTEGER, content TEXT, category TEXT, tags TEXT);
    INSERT INTO project VALUES (1, 'main', '${notes}', 1)`);
  made.close();
  for (const { code, said } of [run(['list'], { LTM_DB_PATH: index }), here('import', index)]) {
    assert.notEqual(code, 0);
    assert.match(said, /basic-memory/);
    assert.ok(said.includes(`ltm import ${notes}`), said);
  }
});

test('a dry run writes nothing; an import keeps times and types, replaces secrets and says where it came from; again, it brings nothing', () => {
  const dry = here('import', foreign, '--dry-run');
  assert.deepEqual([dry.code, dry.out.imported, dry.out.dry_run], [0, 2, true]);
  assert.equal(here('list').out.total ?? 0, 0);
  const { out } = here('import', foreign);
  assert.deepEqual([out.system, out.imported, out.redacted.length], ['mcp-memory-service', 2, 1]);
  const { memories } = here('list').out;
  const decision = memories.find(({ type }: Answer) => type === 'decision');
  assert.deepEqual(
    [decision.created_at, decision.tags, decision.trust, decision.source.door, decision.source.client],
    ['2023-11-14T22:13:20.000Z', ['release'], 'agent', 'import', 'mcp-memory-service'],
  );
  assert.equal(JSON.stringify(memories).includes('sk_live_51H'), false);
  assert.deepEqual(
    ['imported', 'unchanged'].map((name) => here('import', foreign).out[name]),
    [0, 2],
  );
});

test('what has changed there is brought again, what was changed here stays, a folder of notes just works', () => {
  const notes = join(home, 'notes');
  mkdirSync(notes);
  const write = (name: string, text: string): void => writeFileSync(join(notes, name), text);
  write('plan.md', '# Plan\nShip in March. See [[team]].');
  write('team.md', '# Team\nAda and Grace.');
  const first = here('import', notes).out;
  assert.deepEqual([first.imported, first.relations], [2, 1]);
  write('plan.md', '# Plan\nShip in April. See [[team]].');
  const team = here('search', 'Ada and Grace', '--limit', '1').out.hits[0];
  assert.equal(here('edit', team.id, '--content', '# Team\nAda, Grace and Edith.').code, 0);
  write('team.md', '# Team\nAda alone.');
  const again = here('import', notes);
  assert.deepEqual([again.out.updated, again.code === 0, again.out.conflicts.length], [1, false, 1]);
  assert.match(again.out.conflicts[0], /changed here since/);
  write('plan.md', '# Plan\nShip in May. See [[team]].');
  assert.equal(here('import', notes).out.updated, 1, 'as often as it changes there');
  const texts = here('list', '--project', 'notes').out.memories.map(({ content }: Answer) => content);
  assert.ok(texts.some((text: string) => text.includes('May')) && texts.some((text: string) => text.includes('Edith')));
});

test('what is nothing is said so, with a way out', () => {
  const folder = join(home, 'nothing');
  mkdirSync(folder);
  const unknown = here('import', folder);
  assert.ok(unknown.code !== 0 && unknown.said.includes('--from SYSTEM'), unknown.said);
  assert.match(here('import', '--from', 'notion', folder).said, /It knows mcp-memory-service/);
  assert.match(here('import', join(home, 'missing.jsonl')).said, /There is no file/);
});

test('a federated folder comes with its transcripts, to the byte and once, and a bomb among them holds up no other', () => {
  const root = join(home, 'federated');
  const sessions = join(root, 'workspaces', 'desk-codex-shop', 'sessions', '2026', '03');
  mkdirSync(sessions, { recursive: true });
  mkdirSync(join(root, '_meta'));
  writeFileSync(join(root, '_meta', 'workspaces.json'), '{}');
  const identity = { machine: 'desk', tool: 'codex', project: 'shop' };
  writeFileSync(join(root, 'workspaces', 'desk-codex-shop', 'identity.json'), JSON.stringify(identity));
  const text = makeTranscript(200);
  writeFileSync(join(sessions, 'first.jsonl.gz'), gzipSync(text));
  const facts = { session_id: '0198c1a2-0001', started_at: '2026-03-05T10:00:00Z', source: 'codex' };
  writeFileSync(join(sessions, 'first.meta.json'), JSON.stringify(facts));
  writeFileSync(join(sessions, 'bomb.jsonl.gz'), gzipSync(Buffer.alloc(64 << 20)));
  writeFileSync(join(sessions, 'broken.jsonl.gz'), gzipSync(text).subarray(0, 500));
  const { code, out, said } = here('import', root);
  assert.equal(code, 0, said);
  assert.deepEqual([out.transcripts, out.left_out.length], [1, 2]);
  const [listed] = here('transcripts').out.transcripts;
  assert.deepEqual(
    [listed.workspace_id, listed.session_id, Date.parse(listed.started_at), listed.bytes, listed.source],
    ['desk-codex-shop', facts.session_id, Date.parse(facts.started_at), text.length, 'codex'],
  );
  const { stdout } = spawnSync(
    process.execPath,
    [PROGRAM, 'transcript', 'desk-codex-shop', '--session', facts.session_id, '--db', db],
    { env: { ...PLAIN_ENV, HOME: home }, encoding: 'utf8' },
  );
  assert.ok(stdout === text);
  assert.deepEqual([here('import', root).out.transcripts, here('transcripts').out.total], [0, 1]);
});
