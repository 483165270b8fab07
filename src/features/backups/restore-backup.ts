import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readTombstones, type Tombstones } from '../../engine/rejections/take-tombstones.ts';
import { type Caller, OWNER_USER, ownerOf } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import { newReplicaId, type SpaceId } from '../../model/ids.ts';
import { isDatabaseUrl } from '../../model/show-location.ts';
import type { Config } from '../../settings/config.ts';
import { createLog } from '../../settings/log.ts';
import type { Databases, Engines } from '../../verbs/machine.ts';
import { migrateDatabase } from '../maintenance/migrate-database.ts';
import type { Backup } from './backup-folder.ts';
import { createBackup } from './create-backup.ts';
import type { Verified } from './verify-backup.ts';

export interface Restored {
  backup: Backup;
  /** What was there before, as a backup; null where there was nothing, or nothing that can be read as a database. */
  restorePoint: Backup | null;
  /** Where the file lies that could not be read. */
  movedTo: string | null;
  /** Records of the backup that were purged or rejected since, and are gone again. */
  keptOut: number;
}

interface RestoreOptions {
  /** Where the restore point goes. */
  folder: string;
  /** The database that is given up for it, where it is another one than is filled. */
  replaces?: string | null;
  onProgress?: (step: string, done: number, total: number) => void;
}

/**
 * The database becomes what it was when the backup was made. A file is replaced, after a backup of what is in it. A PostgreSQL database is filled, and has to be empty:
 * what is in use there is left as it is, and the server is pointed to the new one. What was purged or rejected in the database that is given up since the backup was
 * made does not come back with it.
 */
export async function restoreBackup(
  machine: Databases & Engines,
  config: Config,
  { verified, ...options }: RestoreOptions & { verified: Verified },
): Promise<Restored> {
  const { backup, copy } = verified;
  const { folder, replaces = null, onProgress = () => {} } = options;
  const given = replaces === null ? null : await readAllTombstones(machine, replaces);
  if (isDatabaseUrl(config.db)) {
    await migrateDatabase(machine, config, { log: createLog('error'), from: copy, to: config.db, onProgress });
    const keptOut = await applyTombstones(machine, config, given ?? new Map());
    return { backup, restorePoint: null, movedTo: null, keptOut };
  }
  const isReadable = existsSync(config.db) && (await machine.isAloneWith(config.db));
  const restorePoint = isReadable ? await keepWhatIsThere(machine, config, { folder, onProgress }) : null;
  const tombstones = given ?? (restorePoint === null ? new Map() : await readAllTombstones(machine, config.db));
  const aside = `${config.db}.unreadable-${new Date().toISOString().replace(/[-:.]/g, '')}`;
  const { movedAside } = await machine.replaceDatabase(config.db, copy, {
    aside,
    isCopied: restorePoint !== null,
  });
  await renewReplicas(machine, config.db);
  const keptOut = await applyTombstones(machine, config, tombstones);
  return { backup, restorePoint, movedTo: movedAside ? aside : null, keptOut };
}

/** null: it cannot be read, and is moved aside as it is. */
async function keepWhatIsThere(
  machine: Databases & Engines,
  config: Config,
  options: Required<Pick<RestoreOptions, 'folder' | 'onProgress'>>,
): Promise<Backup | null> {
  try {
    return (await createBackup(machine, config, { ...options, keepDays: null, reason: 'restore' })).backup;
  } catch (error) {
    if (error instanceof EngineError && (error.code === 'storage_damaged' || error.code === 'storage_unsupported'))
      return null;
    throw error;
  }
}

/** Of every space of a database; spaces in which nothing was purged or rejected are left out. */
async function readAllTombstones(machine: Databases, db: string): Promise<Map<SpaceId, Tombstones>> {
  const store = await machine.openStore(db, { log: createLog('error') });
  try {
    const all = new Map<SpaceId, Tombstones>();
    for (const space of await store.listSpaces()) {
      const found = await readTombstones(store, space);
      if (found.graves.length + found.rejections.length > 0) all.set(space, found);
    }
    return all;
  } finally {
    await store.close();
  }
}

/** In a database to which an earlier state was put back. Returns how many records went. */
async function applyTombstones(
  machine: Engines,
  config: Config,
  all: ReadonlyMap<SpaceId, Tombstones>,
): Promise<number> {
  if (all.size === 0) return 0;
  const engine = await machine.openEngine(config, createLog('error'));
  try {
    let gone = 0;
    for (const [space, found] of all) {
      const within = { space, spaces: [space], roles: ownerOf([space]) };
      const caller: Caller = { userId: OWNER_USER, ...within, scopes: new Set(['admin']), door: 'job' };
      const { purged, withdrawn } = await engine.takeTombstones(caller, found);
      gone += purged + withdrawn;
    }
    return gone;
  } finally {
    await engine.close();
  }
}

/**
 * A database that was put back goes on as another replica in every space that is exchanged with others: its next writes must not bear the names of
 * those that were made after the backup. Where it is too damaged for that, the next exchange notices by its ticket.
 */
async function renewReplicas(machine: Databases, db: string): Promise<void> {
  const store = await machine.openStore(db, { log: createLog('error') });
  try {
    for (const space of await store.listSpaces()) {
      if ((await store.listLinks(space)).length === 0) continue;
      const next = { replica: newReplicaId(), epoch: randomBytes(8).toString('hex') };
      await store.commit(space, [{ op: 'renew', ...next }], 'job:restore');
    }
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'storage_damaged') throw error;
  } finally {
    await store.close();
  }
}
