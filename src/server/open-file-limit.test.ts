import assert from 'node:assert/strict';
import { test } from 'node:test';
import { boundStreams } from './open-file-limit.ts';

test('there are never so many streams that no file is left to open, and the log says so', () => {
  const warned: unknown[] = [];
  const log = { info: () => {}, warn: (event: string) => void warned.push(event), error: () => {} };
  assert.deepEqual(
    [null, 20_000, 4096, 1].map((openFiles) => boundStreams(10_000, log, openFiles)),
    [10_000, 10_000, 3072, 1],
  );
  assert.deepEqual(warned, ['streams_bounded', 'streams_bounded']);
  assert.equal(boundStreams(1, log), 1, 'with the limit of this process');
});
