import { deepEqual, equal } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { sampleContent } from '../../../test/stores/contract/sample-records.ts';
import { RECORD_COLUMNS } from './record-columns.ts';
import { isAsWritten, quickSum, toEarlierRow, toRow, toStoredRecord } from './record-row.ts';
import { checksumRow, matchesChecksum } from './row-checksum.ts';

const about = { space: 'owner', id: 'x', revision: 1, deletedAt: null, generation: 1, dot: 'a:1' };
const row = toRow({ ...sampleContent({ tags: ['t'], project: 'p' }), ...about });
const MOOD = { code: 40, name: 'mood' };

test('finds a changed value in every column that is covered', () => {
  const checksum = checksumRow(row);
  equal(matchesChecksum(row, checksum), true);
  for (const { name } of RECORD_COLUMNS) {
    for (const value of ['changed', 7, null])
      if (row[name] !== value) equal(matchesChecksum({ ...row, [name]: value }, checksum), false, `${name} = ${value}`);
  }
});

test('takes no record for damaged because a later release knows a column more', () => {
  const columns = [...RECORD_COLUMNS, MOOD];
  equal(matchesChecksum({ ...row, mood: null }, checksumRow(row), columns), true);
  equal(matchesChecksum({ ...row, mood: 'filled in by a migration' }, checksumRow(row), columns), true);
  const written = checksumRow({ ...row, mood: 'glad' }, columns);
  equal(matchesChecksum({ ...row, mood: 'glad' }, written, columns), true);
  equal(matchesChecksum({ ...row, mood: 'sad' }, written, columns), false);
  equal(matchesChecksum({ ...row, mood: null }, written, columns), false);
});

test('does not depend on the order in which columns are listed', () => {
  equal(matchesChecksum(row, checksumRow(row), RECORD_COLUMNS.toReversed()), true);
});

test('knows the checksums of release 0.1.0, which were hashes of the columns it had', () => {
  const cells = RECORD_COLUMNS.slice(0, 24).map(({ name }) => row[name]);
  const checksum = createHash('sha256').update(JSON.stringify(cells)).digest();
  equal(matchesChecksum(row, checksum), true);
  equal(matchesChecksum({ ...row, dot: 'b:1' }, checksum), true);
  equal(matchesChecksum({ ...row, content: 'changed' }, checksum), false);
});

test('finds a changed value in every column by the quick sum too, and believes no sum that covers less', () => {
  const written = { ...row, quick: quickSum(row), checksum: null };
  equal(isAsWritten(written), true);
  for (const { name } of RECORD_COLUMNS) equal(isAsWritten({ ...written, [name]: 'changed' }), false, name);
  for (const columns of [0, 1, 26]) equal(isAsWritten({ ...written, quick: quickSum(row, columns) }), false);
});

test('knows the longer checksums of earlier releases, with eight bytes for the columns and the whole hash', () => {
  const mask = Buffer.from([2, 255, 255, 255, 15, 0, 0, 0, 0]);
  const cells = RECORD_COLUMNS.map(({ name }) => row[name]);
  const checksum = Buffer.concat([mask, createHash('sha256').update(JSON.stringify(cells)).digest()]);
  equal(matchesChecksum(row, checksum), true);
  equal(matchesChecksum({ ...row, dot: 'b:1' }, checksum), false);
});

test('believes no checksum that is cut short or of another form', () => {
  const checksum = checksumRow(row);
  for (let length = 0; length < checksum.length; length++)
    equal(matchesChecksum(row, checksum.subarray(0, length)), false, String(length));
  equal(matchesChecksum(row, Buffer.concat([Buffer.of(9), checksum.subarray(1)])), false);
});

test('writes down no body that says nothing, and reads it as earlier releases wrote it, too', () => {
  const plain = { ...sampleContent({ body: { metadata: {} } }), ...about };
  equal(toRow(plain).body, '');
  equal(toEarlierRow(plain).body, '{"metadata":{}}');
  for (const written of [toRow(plain), toEarlierRow(plain)]) deepEqual(toStoredRecord(written), plain);
  const other = { ...plain, body: { metadata: { mood: 'glad' } } };
  deepEqual([toRow(other), toStoredRecord(toRow(other))], [toEarlierRow(other), other]);
});
