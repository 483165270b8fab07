import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { batchWrites } from './batch-writes.ts';

it('writes the lines of one turn in one piece, in order', async () => {
  const pieces: string[] = [];
  const stream = batchWrites({ write: (text) => pieces.push(text) });
  stream.write('a\n');
  stream.write('b\n');
  assert.deepEqual(pieces, []);
  await setImmediate();
  assert.deepEqual(pieces, ['a\nb\n']);
  stream.write('c\n');
  await setImmediate();
  assert.deepEqual(pieces, ['a\nb\n', 'c\n']);
});

for (const end of ['process.exit(3)', 'throw new Error("boom")'])
  it(`loses no line when the process ends by ${end}`, () => {
    const module = join(import.meta.dirname, 'batch-writes.ts');
    const script = `import { batchWrites } from ${JSON.stringify(module)}; batchWrites(process.stderr).write('the last words\\n'); ${end};`;
    const { stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    assert.match(stderr, /the last words/);
  });
