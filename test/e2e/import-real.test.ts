import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { Answer } from './mcp-process.ts';
import { PLAIN_ENV, PROGRAM } from './program.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures', 'foreign');
const home = mkdtempSync(join(tmpdir(), 'ltm-import-real-'));
after(() => rmSync(home, { recursive: true, force: true }));

/** A file that the system itself has written, alone in a folder. */
function unpack(name: string, as: string): string {
  const folder = join(home, name);
  mkdirSync(folder);
  const file = join(folder, as);
  writeFileSync(file, gunzipSync(readFileSync(join(FIXTURES, `${name}.gz`))));
  return file;
}

function ltm(db: string, ...words: string[]): Answer {
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...words, '--json', '--db', `${db}.ltm`], {
    env: { ...PLAIN_ENV, HOME: home },
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout) as Answer;
}

/** Imported twice: nothing comes twice, and beside the source is what was there before. */
function importTwice(file: string): Answer {
  const folder = join(file, '..');
  const bytes = readFileSync(file);
  const db = join(home, `${readdirSync(home).length}`);
  const first = ltm(db, 'import', file);
  const again = ltm(db, 'import', file);
  const sum = ({ imported, packets, events, updated }: Answer) => imported + packets + events + updated;
  assert.deepEqual([sum(again), again.unchanged], [0, sum(first)]);
  assert.deepEqual(readdirSync(folder), [file.slice(folder.length + 1)]);
  assert.deepEqual(readFileSync(file), bytes);
  return { ...first, db };
}

describe('what the real programs have written', () => {
  it('mcp-memory-service: its database, with times, types, tags and deletions, a token replaced', () => {
    const { system, imported, redacted, db } = importTwice(unpack('mcp-memory-service-12.4.0.db', 'sqlite_vec.db'));
    assert.deepEqual([system, imported, redacted.length], ['mcp-memory-service', 5, 1]);
    const { memories, total } = ltm(db, 'list');
    assert.equal(total, 4, 'what was deleted there is deleted here');
    const decision = memories.find(({ type }: Answer) => type === 'decision');
    assert.deepEqual(
      [decision.content, decision.tags, decision.created_at, decision.metadata.hostname],
      ['Deploys go out on Thursday after the stand-up', ['release', 'team'], '2023-11-14T22:13:20.500Z', 'build-1'],
    );
    assert.equal(ltm(db, 'search', 'cannot sign in').hits[0].type, 'error');
  });

  it('mcp-memory-service: its export', () => {
    const { system, imported } = importTwice(unpack('mcp-memory-service-12.4.0.json', 'export.json'));
    assert.deepEqual([system, imported], ['mcp-memory-service', 4]);
  });

  it('the Go ltm server: packets that are not deleted', () => {
    const { system, packets, left_out, db } = importTwice(unpack('ltm-server-0.11.0.db', 'ltm.db'));
    assert.deepEqual([system, packets], ['ltm-server', 2]);
    assert.ok(left_out.some(({ why }: Answer) => why === 'it was deleted there'));
    assert.equal(ltm(db, 'ls').packets.length, 2);
  });

  it('LongMem: a session with what was asked and done', () => {
    const { system, events, db } = importTwice(unpack('longmem-1.0.0.db', 'memory.db'));
    assert.deepEqual([system, events], ['longmem', 3]);
    const { sessions } = ltm(db, 'sessions');
    assert.deepEqual([sessions.length, sessions[0].project, sessions[0].counts.observations], [1, 'shop', 3]);
  });

  it('the reference server: entities with their observations, and relations', () => {
    const { system, imported, relations } = importTwice(unpack('server-memory-2026.8.31.jsonl', 'memory.jsonl'));
    assert.deepEqual([system, imported, relations], ['knowledge-graph', 3, 2]);
  });
});
