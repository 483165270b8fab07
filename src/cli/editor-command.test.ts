import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { editorCommand } from './editor-command.ts';
import { UsageError } from './report-error.ts';

const FILE = 'C:\\Users\\Ann Lee\\AppData\\Local\\Temp\\ltm-1\\memory.md';
const INSTALLED = [
  'C:\\Windows\\System32\\notepad.exe',
  'C:\\Program Files\\Microsoft VS Code\\bin\\code.cmd',
  'C:\\Program Files\\Notepad++\\notepad++.exe',
];
const env = {
  Path: 'C:\\Windows\\System32;;C:\\Program Files\\Microsoft VS Code\\bin',
  PATHEXT: '.com;.exe;.bat;.cmd',
  ComSpec: 'C:\\Windows\\System32\\cmd.exe',
};

function onWindows(editor: string, { file = FILE, more = [] as string[] } = {}) {
  const isFile = (path: string) => [...INSTALLED, ...more].some((one) => one.toLowerCase() === path.toLowerCase());
  return editorCommand(editor, file, { env, platform: 'win32', isFile });
}

/** What cmd.exe makes of a line outside of quotes: a caret takes the meaning from what follows it, and is gone. */
function readAsCmd(line: string): string {
  const [, inner = ''] = /^"(.*)"$/s.exec(line) ?? [];
  const bare = inner.replaceAll(/\^./gs, '');
  assert.doesNotMatch(bare, /[()%!^"<>&|]/, 'nothing is left that cmd.exe acts upon');
  return inner.replaceAll(/\^(.)/gs, '$1');
}

test('on Windows a program is found by PATH and PATHEXT and started without a shell', () => {
  assert.deepEqual(onWindows('notepad'), { program: INSTALLED[0], args: [FILE], isQuoted: false });
  assert.deepEqual(onWindows('NOTEPAD.EXE /A'), {
    program: 'C:\\Windows\\System32\\NOTEPAD.EXE',
    args: ['/A', FILE],
    isQuoted: false,
  });
});

test('on Windows a path may hold spaces, quoted or not, and its backslashes are no escapes', () => {
  for (const editor of [INSTALLED[2]!, ` ${INSTALLED[2]} `, `"${INSTALLED[2]}"`])
    assert.deepEqual(onWindows(editor), { program: INSTALLED[2], args: [FILE], isQuoted: false }, editor);
  assert.deepEqual(onWindows(`"${INSTALLED[2]}" -multiInst "a b" x"y z"`).args, ['-multiInst', 'a b', 'xy z', FILE]);
});

test('on Windows a batch file goes through cmd.exe, to which no character of the words means anything', () => {
  const file = 'C:\\Users\\a&calc&%PATH%^!(x)\\ltm-1\\memory.md';
  const { program, args, isQuoted } = onWindows('code --wait "--folder=a & b\\"', { file });
  assert.deepEqual([program, args.slice(0, -1), isQuoted], [env.ComSpec, ['/d', '/s', '/v:off', '/c'], true]);
  assert.equal(readAsCmd(args.at(-1)!), `${INSTALLED[1]} "--wait" "--folder=a & b\\\\" "${file}"`);
});

test('on Windows nothing is started from the folder one is in, nor what is not there', () => {
  for (const editor of ['edit', 'no-such-editor --wait', 'C:\\no\\such.exe', ''])
    assert.throws(() => onWindows(editor, { more: ['edit.cmd', 'edit.exe'] }), UsageError, editor);
});

test('a quotation mark that is not closed is told', () => {
  for (const platform of ['win32', 'linux', 'darwin'] as const)
    assert.throws(() => editorCommand('"vi -f', 'memory.md', { env, platform, isFile: () => false }), /not closed/);
});

test('elsewhere words are cut as a shell cuts them, and nothing else of a shell happens', () => {
  const wordsOf = (editor: string) => {
    const { program, args } = editorCommand(editor, 'memory.md', { env: {}, platform: 'linux', isFile: () => false });
    return [program, ...args];
  };
  assert.deepEqual(wordsOf(' code  --wait '), ['code', '--wait', 'memory.md']);
  assert.deepEqual(wordsOf(`"/opt/my editor/bin" -c 'set nu' a\\ b "say \\"x\\"" ''`), [
    '/opt/my editor/bin',
    '-c',
    'set nu',
    'a b',
    'say "x"',
    '',
    'memory.md',
  ]);
  assert.deepEqual(wordsOf('vi; $(x) `y` > z'), ['vi;', '$(x)', '`y`', '>', 'z', 'memory.md']);
});

test('a program whose path has spaces is started as it stands', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'ltm editor '));
  t.after(() => rmSync(folder, { recursive: true }));
  const editor = join(folder, 'my editor');
  writeFileSync(editor, '');
  assert.deepEqual(editorCommand(editor, 'memory.md', { env: {}, platform: 'darwin' }), {
    program: editor,
    args: ['memory.md'],
    isQuoted: false,
  });
});
