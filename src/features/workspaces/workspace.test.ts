import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EngineError } from '../../model/errors.ts';
import { checkWorkspaceId, slugOf, workspaceIdOf } from '../../model/workspace-id.ts';
import { checkNotePath, versionNameOf } from './workspace.ts';

test('whatever a name holds, its slug has letters, digits and single dashes, and is never empty or long', () => {
  const table: [string, string][] = [
    ...([
      ['MyMachine', 'mymachine'],
      ['claude code', 'claude-code'],
      ['../../etc/passwd', 'etc-passwd'],
      ['..', 'default'],
      ['', 'default'],
    ] as [string, string][]),
    ...([
      ['日本語', 'default'],
      ['a--b__c', 'a-b-c'],
      ['-x-', 'x'],
      ['C:\\Users\\me', 'c-users-me'],
      ['ÅNGSTRÖM 1', 'ngstr-m-1'],
    ] as [string, string][]),
  ];
  for (const [name, slug] of table) assert.equal(slugOf(name), slug, name);
  for (const length of [63, 64, 65, 500]) {
    assert.equal(slugOf('a'.repeat(length)).length, Math.min(length, 64));
    assert.match(slugOf(`${'a'.repeat(length)} b`), /^[a-z0-9]+(-[a-z0-9]+)*$/);
  }
  const triple = { machine: 'mymachine', tool: 'claude-code', project: 'myproject' };
  assert.equal(workspaceIdOf(triple), 'mymachine-claude-code-myproject');
});

test('a path of a note means one place below its workspace, on every system, or is refused', () => {
  const good = [
    'a.md',
    'a/b/c.md',
    'Über uns.md',
    '日本/語.md',
    'a-b_c.1.md',
    'console.md',
    'a..b.md',
    `${'x'.repeat(252)}.md`,
  ];
  for (const path of good) assert.equal(checkNotePath(path), path);
  assert.equal(checkNotePath('u\u0308ber.md'), 'über.md');
  const bad = [
    '',
    '.md',
    '..',
    '../a.md',
    'a/../b.md',
    'a/..',
    '/a.md',
    '//a.md',
    'a//b.md',
    './a.md',
    'a/./b.md',
    'a/',
    'a.MD',

    'a\\b.md',
    'C:a.md',
    'C:\\a.md',
    '\\\\server\\a.md',
    'a\u0000.md',
    'a\n.md',
    'a\u007f.md',
    '\u2028.md',
    'a\ud800.md',

    '.a.md',
    'a/.b/c.md',
    '~/.ssh/../a.txt',
    'a',
    'a.txt',
    'a.md/b',
    'a.md/',
    'nul.md',
    'COM1.md',
    'lpt9.x.md',
    'aux/a.md',
    'a /b.md',
    ' a.md',
    'a./b.md',
    `${'x'.repeat(254)}.md`,
    `${'x/'.repeat(520)}a.md`,
    'a:stream.md',
    'conin$.md',
  ];
  for (const path of bad)
    assert.throws(
      () => checkNotePath(path),
      (error) => error instanceof EngineError && error.code === 'invalid_input',
      path,
    );
});

test('the id of a workspace is nothing but a slug', () => {
  assert.equal(checkWorkspaceId('laptop-claude-code-shop'), 'laptop-claude-code-shop');
  for (const id of ['', 'A', 'a--b', '-a', 'a-', '../a', 'a/b', 'a b', 'a.b', 'x'.repeat(300), 'a\u0000'])
    assert.throws(() => checkWorkspaceId(id), EngineError, id);
});

test('a version is named by when it was replaced and by its hash', () => {
  assert.equal(versionNameOf(Date.UTC(2026, 0, 31, 10, 15), `1a2b3c4d${'0'.repeat(56)}`), '20260131T101500Z.1a2b3c4d');
});
