import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { createProgress, drawProgress } from './progress.ts';

function watch(isTTY: boolean, quiet: boolean): string {
  const stderr = Object.assign(new PassThrough(), { isTTY });
  const progress = createProgress(
    { streams: { stdin: new PassThrough(), stdout: new PassThrough(), stderr }, width: 80 },
    quiet,
  );
  progress.show('checking', 1, 2);
  progress.end();
  return String(stderr.read() ?? '');
}

test('draws a bar, or a count where the end is not known', () => {
  assert.equal(drawProgress('checking', 1, 2), '████████████░░░░░░░░░░░░  50 %  checking');
  assert.equal(drawProgress('importing', 12_345, 0), 'importing  12,345');
});

test('shows itself on a terminal only, clears its line, and stays away with --quiet', () => {
  assert.match(watch(true, false), /50 % {2}checking.*\[2K$/s);
  assert.equal(watch(false, false), '');
  assert.equal(watch(true, true), '');
});
