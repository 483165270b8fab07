import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { COMMANDS } from '../features/command-table.ts';
import { makeCompletion, SHELLS } from './make-completion.ts';

function isInstalled(shell: string): boolean {
  return spawnSync(shell, ['--version']).status === 0;
}

test('every shell completes every command and flag', () => {
  for (const shell of SHELLS) {
    const script = makeCompletion(shell, COMMANDS);
    for (const { name, flags } of COMMANDS) {
      assert.match(script, new RegExp(`\\b${name}\\b`));
      for (const flag of flags)
        assert.ok(
          script.includes(shell === 'fish' ? `-l ${flag.name}` : `--${flag.name}`),
          `${shell} lacks --${flag.name}`,
        );
    }
  }
});

for (const shell of SHELLS) {
  test(`${shell} can read its script`, { skip: !isInstalled(shell) && `${shell} is not installed` }, (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'ltm-completion-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'script');
    writeFileSync(file, makeCompletion(shell, COMMANDS));
    const { status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' });
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  });
}

test('bash offers commands, flags and choices', { skip: !isInstalled('bash') && 'bash is not installed' }, () => {
  const complete = (line: string): string[] => {
    const words = line.split(' ');
    const script = `${makeCompletion('bash', COMMANDS)}
COMP_WORDS=(${words.map((word) => `"${word}"`).join(' ')}); COMP_CWORD=${words.length - 1}; _ltm; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return spawnSync('bash', ['--norc'], { input: script, encoding: 'utf8' }).stdout.trim().split('\n');
  };
  assert.deepEqual(complete('ltm sea'), ['search']);
  assert.deepEqual(complete('ltm search --mo'), ['--mode']);
  assert.deepEqual(complete('ltm search --mode ex'), ['exact']);
  assert.deepEqual(complete('ltm config un'), ['unset']);
});
