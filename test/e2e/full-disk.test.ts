import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runOnSmallDisk, whyNoSmallDisk } from '../small-disk.ts';

const DRIVER = join(import.meta.dirname, 'fill-disk.ts');

test('on a full disk what is stored can be found, deleted and purged, and whoever would add something is told 507', {
  skip: whyNoSmallDisk(),
}, () => {
  const { status, output } = runOnSmallDisk('24m', [process.execPath, DRIVER]);
  assert.equal(status, 0, output);
  const { stored, register, left, ...answers } = JSON.parse(output);
  assert.deepEqual(answers, {
    store: 507,
    search: 200,
    page: 507,
    again: 201,
    ballast: true,
    doctor: 0,
    delete: 200,
    deleteByCommand: 0,
    purge: 200,
    purgeByCommand: 0,
    purgeMany: 40,
  });
  assert.deepEqual(register, {
    status: 507,
    json: { error: 'temporarily_unavailable', error_description: 'The disk is full; nothing was written.' },
  });
  assert.equal(left, stored - 44 + 1);
});
