import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import {
  type BackupFacts,
  backupName,
  FORMAT,
  factsPath,
  findBackup,
  listBackups,
  removeOld,
} from './backup-folder.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 16, 3, 30);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ltm-backups-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function addBackup(daysAgo: number, facts: Partial<BackupFacts> = {}): string {
  const made = new Date(NOW - daysAgo * DAY);
  const path = join(folder, backupName(made, 'zst'));
  writeFileSync(path, 'x');
  const found = { reason: 'asked', sha256: '', records: 1, damaged: 0 };
  const whole = { format: FORMAT, createdAt: made.toISOString(), ...found, ...facts };
  writeFileSync(factsPath(path), JSON.stringify(whole));
  return path;
}

test('what is older than it may be goes, everything else in the folder stays', () => {
  const [today, lastWeek, lastMonth] = [0, 7, 30].map((days) => addBackup(days));
  writeFileSync(join(folder, 'ltm-20200101T000000000Z.db.zst'), 'of somebody else: nothing is noted beside it');
  writeFileSync(join(folder, 'holiday.jpg'), '');
  assert.deepEqual(removeOld(folder, 14, NOW), [lastMonth]);
  assert.deepEqual(
    listBackups(folder).map(({ path }) => path),
    [today, lastWeek],
  );
  assert.equal(readdirSync(folder).length, 6);
});

test('the newest stays, however old it is', () => {
  const [newest] = [400, 500].map((days) => addBackup(days));
  removeOld(folder, 14, NOW);
  assert.deepEqual(
    listBackups(folder).map(({ path }) => path),
    [newest],
  );
});

test('the last good one stays, however old, while newer ones hold damage or are what a restore has put aside', () => {
  const [damaged, putAside] = [addBackup(0, { damaged: 2 }), addBackup(20, { reason: 'restore' })];
  const [good, older] = [400, 500].map((days) => addBackup(days));
  assert.deepEqual(removeOld(folder, 14, NOW), [putAside, older]);
  assert.deepEqual(
    listBackups(folder).map(({ path }) => path),
    [damaged, good],
  );
});

test('the newest of a folder is one that somebody asked for, not what a restore has put aside', () => {
  const asked = addBackup(2);
  const putAside = addBackup(1, { reason: 'restore' });
  assert.equal(findBackup(folder).path, asked);
  assert.equal(findBackup(putAside).path, putAside);
});

test('a backup of another format names the release that made it', () => {
  const path = addBackup(1, { format: FORMAT + 1, version: '9.0.0' });
  assert.throws(() => findBackup(path), { code: 'storage_unsupported', message: /9\.0\.0/ });
});

test('half a backup is none', () => {
  rmSync(factsPath(addBackup(1)));
  assert.deepEqual(listBackups(folder), []);
  assert.throws(() => findBackup(folder), { code: 'not_found' });
});
