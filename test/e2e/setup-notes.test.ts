import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { PLAIN_ENV, PROGRAM } from './program.ts';

const TOKEN = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3gH6'}`;
let base: string;
let home: string;
before(() => {
  base = mkdtempSync(join(tmpdir(), 'ltm-notes-'));
  home = join(base, 'home');
  put('.claude.json', JSON.stringify({ projects: { [join(home, 'work', 'shop')]: {} } }));
  put('.claude/CLAUDE.md', `Always answer in short sentences.\nThe token is ${TOKEN}.\n<private>my diary</private>\n`);
  put(
    `.claude/projects/${join(home, 'work', 'shop').replace(/[^a-zA-Z0-9]/g, '-')}/memory/MEMORY.md`,
    'The shop deploys on Thursdays.',
  );
  put('.claude/skills/review/SKILL.md', 'How to review a change.');
  put('.codex/AGENTS.md', 'Prefer small commits.');
  put('work/shop/.git/HEAD', 'ref: x');
  put('work/shop/CLAUDE.md', 'Use tabs in this repository.');
  put('work/shop/AGENTS.md', 'x'.repeat(51 * 1024));
  put('work/node_modules/a/CLAUDE.md', 'Not mine.');
  put('work/shop/a/b/c/CLAUDE.md', 'Too deep.');
  writeFileSync(join(base, 'outside.md'), 'A secret of somebody else.');
  mkdirSync(join(home, 'work', 'linked'));
  symlinkSync(join(base, 'outside.md'), join(home, 'work', 'linked', 'CLAUDE.md'));
});
after(() => rmSync(base, { recursive: true, force: true }));

function put(name: string, text: string): void {
  mkdirSync(dirname(join(home, name)), { recursive: true });
  writeFileSync(join(home, name), text);
}

function ltm(...words: string[]) {
  const { status, stdout } = spawnSync(process.execPath, [PROGRAM, ...words, '--json'], {
    env: { ...PLAIN_ENV, HOME: home, PATH: dirname(process.execPath) },
    encoding: 'utf8',
  });
  return { code: status, answer: JSON.parse(stdout) };
}

const memories = () =>
  ltm('list', '--tags', 'ecosystem', '-n', '50').answer.memories as {
    content: string;
    project: string | null;
    trust: string;
    metadata: { path: string };
    revision: number;
  }[];

describe('what people have written for agents', () => {
  it('is not taken in unless somebody asks for it', () => {
    const { code, answer } = ltm('setup', '--yes', '--agents', 'codex');
    assert.equal(code, 0);
    assert.equal(answer.notes, null);
  });

  it('becomes memories of theirs, screened, with the project it is about; large files and links out of the home stay out', () => {
    const { code, answer } = ltm('setup', '--yes', '--agents', 'codex', '--notes');
    assert.equal(code, 0);
    assert.deepEqual([answer.notes.found, answer.notes.ingested, answer.notes.unchanged], [5, 5, 0]);
    assert.deepEqual(
      answer.notes.skipped.map(({ path, reason }: { path: string; reason: string }) => [
        path.slice(home.length),
        reason,
      ]),
      [
        ['/work/linked/CLAUDE.md', 'a link that leads out of your home'],
        ['/work/shop/AGENTS.md', 'larger than 50 KB'],
      ],
    );
    const found = memories();
    assert.deepEqual(new Set(found.map(({ trust }) => trust)), new Set(['user']));
    const byPath = (end: string) => found.find(({ metadata }) => metadata.path.endsWith(end))!;
    assert.equal(byPath('MEMORY.md').project, 'shop');
    assert.equal(byPath('shop/CLAUDE.md').project, 'shop');
    const global = byPath('.claude/CLAUDE.md');
    assert.equal(global.project, null);
    assert.match(global.content, /short sentences/);
    assert.doesNotMatch(global.content, /diary/);
    assert.ok(!global.content.includes(TOKEN));
    const file = readFileSync(join(home, '.local', 'share', 'ltm', 'memory.db'), 'latin1');
    for (const text of [TOKEN, 'my diary', 'somebody else', 'Not mine', 'Too deep'])
      assert.ok(!file.includes(text), text);
  });

  it('is looked through again by every later set-up: unchanged is left alone, changed replaced in its place', () => {
    put('.codex/AGENTS.md', 'Prefer large commits.');
    const { answer } = ltm('setup', '--yes', '--agents', 'codex');
    assert.deepEqual([answer.notes.ingested, answer.notes.unchanged], [1, 4]);
    const found = memories();
    assert.equal(found.length, 5);
    const changed = found.find(({ metadata }) => metadata.path.endsWith('.codex/AGENTS.md'))!;
    assert.equal(changed.content, 'Prefer large commits.');
    assert.ok(changed.revision > 1);
  });
});
