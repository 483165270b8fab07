import { closeSync, constants, mkdirSync, openSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { EngineError } from '../../model/errors.ts';
import { findNewerSchema } from '../sql/find-newer-schema.ts';
import { mayAccess } from './may-access.ts';
import { refuseForeignDatabase, SCHEMA_VERSION } from './migrate.ts';
import { isMalformed, isNotDatabase, translateError } from './translate-error.ts';

/**
 * Makes folder and file where they are missing, for their owner alone. A file that exists is never opened through node:fs:
 * closing such a descriptor would drop the locks that another connection of this process holds on the file (POSIX).
 */
export function createDatabaseFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if (statSync(path, { throwIfNoEntry: false }) === undefined) closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    const isThereNow =
      error instanceof Error &&
      'code' in error &&
      error.code === 'EEXIST' &&
      statSync(path, { throwIfNoEntry: false })?.isFile();
    if (!isThereNow) throw translateError(error);
  }
}

/** Throws when the file belongs to another program, is no database or is of a newer version; leaves it as it is, byte for byte. */
export async function refuseForeignFile(path: string): Promise<void> {
  const stats = statSync(path);
  if (!stats.isFile())
    throw new EngineError('storage_unsupported', 'The database path is not a file.', {
      hint: 'Give the path of a file.',
    });
  if (!mayAccess(path, constants.R_OK))
    throw new EngineError('storage_read_only', `The database ${path} belongs to another user and cannot be read.`, {
      hint: `Run ltm as the user with the id ${stats.uid}, ask for access to the file, or name another one with --db.`,
    });
  if (stats.size === 0) return;
  // The look is taken without locks, so a page may be seen half written by a checkpoint: believe only what is still so a little later.
  for (let attempt = 1; ; attempt++) {
    const problem = findProblem(path);
    if (problem === null) return;
    if (attempt === 3) throw problem;
    await sleep(20);
  }
}

function findProblem(path: string): EngineError | null {
  const url = pathToFileURL(path);
  // immutable: no lock, no -wal, no -shm, no recovery of a journal that is not ours.
  url.searchParams.set('immutable', '1');
  const database = new DatabaseSync(url, { readOnly: true });
  try {
    return (
      refuseForeignDatabase(database) ??
      findNewerSchema(Number(database.prepare('PRAGMA user_version').get()?.user_version), SCHEMA_VERSION)
    );
  } catch (error) {
    // A checkpoint that a crash or a full disk cut short: the file makes sense only together with its log, which opening it reads.
    if (isMalformed(error) && (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return null;
    if (!isNotDatabase(error)) return translateError(error);
    return new EngineError(
      'storage_damaged',
      'This file is not a database, or its header is damaged. It was not changed.',
      {
        hint: 'Choose another path for the database, or restore a backup if this was one.',
        cause: error,
      },
    );
  } finally {
    database.close();
  }
}

/** File system numbers of Linux under which locks or shared memory may not work between machines, as WAL needs them to. */
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, 'nfs'],
  [0x517b, 'smb'],
  [0xff534d42, 'cifs'],
  [0xfe534d42, 'smb2'],
  [0x01021997, '9p'],
  [0x65735546, 'fuse'],
  [0x5346414f, 'afs'],
  [0x00c36400, 'ceph'],
]);

export function networkFileSystem(type: number): string | null {
  return NETWORK_FILE_SYSTEMS.get(type) ?? null;
}

/** The network or overlay file system a path lies on; null for a local disk, and on other systems than Linux. */
export function findNetworkDisk(path: string): string | null {
  return process.platform === 'linux' ? networkFileSystem(statfsSync(dirname(path)).type) : null;
}
