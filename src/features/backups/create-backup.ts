import { closeSync, fsyncSync, mkdtempSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EngineError } from '../../model/errors.ts';
import { isDatabaseUrl } from '../../model/show-location.ts';
import { VERSION } from '../../model/version.ts';
import type { Config } from '../../settings/config.ts';
import { createLog } from '../../settings/log.ts';
import { makePrivateFolder, writePrivateFile } from '../../settings/private-file.ts';
import type { Databases, Engines } from '../../verbs/machine.ts';
import { migrateDatabase } from '../maintenance/migrate-database.ts';
import {
  type Backup,
  type BackupFacts,
  backupName,
  FORMAT,
  factsPath,
  removeOld,
  removeParts,
} from './backup-folder.ts';
import { COMPRESSION, compressFile } from './compress-file.ts';

export interface CreateOptions {
  folder: string;
  /** Older backups in the folder are removed afterwards; null: all stay. */
  keepDays: number | null;
  reason?: BackupFacts['reason'];
  onProgress?: (step: string, done: number, total: number) => void;
}

export interface Created {
  backup: Backup;
  removed: string[];
}

/**
 * A copy of the whole database as it is at one moment, while others go on writing; of PostgreSQL too it is a SQLite file, so that either store can be restored from it.
 * What was copied is checked, every row by its sum, before it counts as a backup.
 */
export async function createBackup(
  machine: Databases & Engines,
  config: Config,
  options: CreateOptions,
): Promise<Created> {
  const { keepDays, onProgress = () => {} } = options;
  const folder = resolve(options.folder);
  if (!(await machine.storeExists(config.db)))
    throw new EngineError('not_found', 'There is no database to back up.', { hint: 'Check --db.' });
  makePrivateFolder(folder);
  removeParts(folder, Date.now());
  const work = mkdtempSync(join(folder, '.ltm-part-'));
  try {
    const now = new Date();
    const copy = join(work, 'copy.db');
    await copyDatabase(machine, config, { copy, onProgress });
    onProgress('checking', 0, 1);
    const found = await checkCopy(machine, copy);
    const part = join(work, 'copy.part');
    const sum = await compressFile(copy, part, (done, total) => onProgress('compressing', done, total));
    const path = join(folder, backupName(now, COMPRESSION));
    const facts: BackupFacts = {
      format: FORMAT,
      version: VERSION,
      createdAt: now.toISOString(),
      reason: options.reason ?? 'asked',
      store: isDatabaseUrl(config.db) ? 'postgres' : 'sqlite',
      ...found,
      plainBytes: statSync(copy).size,
      ...sum,
    };
    writePrivateFile(join(work, 'facts'), `${JSON.stringify(facts, null, 2)}\n`);
    renameSync(part, path);
    renameSync(join(work, 'facts'), factsPath(path));
    keepNames(folder);
    const removed = keepDays === null ? [] : removeOld(folder, keepDays, now.getTime());
    return { backup: { ...facts, path }, removed };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The names are on the disk, too, before older backups may go. Windows opens no folders; there the file system sees to it. */
function keepNames(folder: string): void {
  if (process.platform === 'win32') return;
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

async function copyDatabase(
  machine: Databases & Engines,
  config: Config,
  { copy, onProgress }: { copy: string; onProgress: NonNullable<CreateOptions['onProgress']> },
): Promise<void> {
  const log = createLog('error');
  if (isDatabaseUrl(config.db)) {
    await migrateDatabase(machine, config, { log, from: config.db, to: copy, onProgress });
    return;
  }
  onProgress('copying', 0, 1);
  const store = await machine.openStore(config.db, { log });
  try {
    await store.backup(copy);
  } finally {
    await store.close();
  }
}

type Found = Pick<BackupFacts, 'spaces' | 'records' | 'versions' | 'relations' | 'damaged'>;

async function checkCopy(machine: Databases, copy: string): Promise<Found> {
  const store = await machine.openStore(copy, { log: createLog('error') });
  try {
    const spaces = await store.listSpaces();
    const found: Found = { spaces: spaces.length, records: 0, versions: 0, relations: 0, damaged: 0 };
    for (const space of spaces) {
      const { records, deleted, versions, relations } = await store.inspect(space);
      found.records += records + deleted;
      found.versions += versions;
      found.relations += relations;
    }
    const { damaged, database } = await store.verify();
    return { ...found, damaged: damaged.length + database.length };
  } finally {
    await store.close();
  }
}
