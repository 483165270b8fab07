import type { DatabaseSync } from 'node:sqlite';
import { EngineError } from '../../model/errors.ts';
import { findNewerSchema } from '../sql/find-newer-schema.ts';
import { type Connection, readSnapshot } from './connection.ts';
import { foundation } from './migrations/0001-foundation.ts';
import { identity } from './migrations/0002-identity.ts';
import { transfer } from './migrations/0003-transfer.ts';
import { synchronisation } from './migrations/0004-synchronisation.ts';
import { author } from './migrations/0005-author.ts';
import { removals } from './migrations/0006-removals.ts';
import { checksums } from './migrations/0007-checksums.ts';
import { counts } from './migrations/0008-counts.ts';
import { numbers } from './migrations/0009-numbers.ts';
import { lastWrite } from './migrations/0010-last-write.ts';
import { passagePlaces } from './migrations/0011-passage-places.ts';
import { prunedFeed } from './migrations/0012-pruned-feed.ts';
import { workspaces } from './migrations/0013-workspaces.ts';
import { travel } from './migrations/0014-travel.ts';
import { chunks } from './migrations/0015-chunks.ts';
import { sealed } from './migrations/0016-sealed.ts';
import { tagsOnce } from './migrations/0017-tags-once.ts';
import { retryWhileBusy } from './translate-error.ts';

/** "ltm1": marks the file as ours in its header. */
const APPLICATION_ID = 0x6c746d31;

/** Statements, or work that makes them as it goes. */
type Migration = string | ((database: DatabaseSync) => void);

/** In order; never changed once released, only added to. Modules instead of .sql files, so that a bundle holds them. */
const MIGRATIONS: readonly Migration[] = [
  foundation,
  identity,
  transfer,
  synchronisation,
  author,
  removals,
  checksums,
  counts,
  numbers,
  lastWrite,
  passagePlaces,
  prunedFeed,
  workspaces,
  travel,
  chunks,
  sealed,
  tagsOnce,
];
export const SCHEMA_VERSION = MIGRATIONS.length;

/** Brings the schema up to date. However many processes start at once, one migrates and the others wait for it. */
export async function migrate(connection: Connection, longestWaitMs: number): Promise<void> {
  // In one snapshot: between two reads another process may have made the whole schema.
  const version = await retryWhileBusy(
    () => readSnapshot(connection, () => readSchemaVersion(connection)),
    longestWaitMs,
  );
  if (version === SCHEMA_VERSION) return;
  await retryWhileBusy(() => applyMigrations(connection), longestWaitMs);
}

function applyMigrations(connection: Connection): void {
  connection.exec('BEGIN IMMEDIATE');
  try {
    const version = readSchemaVersion(connection);
    for (const migration of MIGRATIONS.slice(version)) {
      if (typeof migration === 'string') connection.exec(migration);
      else migration(connection.database);
    }
    connection.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION};`);
    connection.exec('COMMIT');
  } catch (error) {
    if (connection.database.isTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}

/** The version of a schema that this program can use or bring up to date; throws for a newer one and for another program's database. */
function readSchemaVersion(connection: Connection): number {
  const refusal =
    refuseForeignDatabase(connection.database) ?? findNewerSchema(readUserVersion(connection), SCHEMA_VERSION);
  if (refusal !== null) throw refusal;
  return readUserVersion(connection);
}

/** A program that was running when a newer one upgraded the file must not write by the old rules. */
export function expectKnownSchema(connection: Connection): void {
  const refusal = findNewerSchema(readUserVersion(connection), SCHEMA_VERSION);
  if (refusal !== null) throw refusal;
}

function readUserVersion(connection: Connection): number {
  return Number(connection.statement('PRAGMA user_version').get()?.user_version);
}

export function refuseForeignDatabase(database: DatabaseSync): EngineError | null {
  const applicationId = Number(database.prepare('PRAGMA application_id').get()?.application_id);
  if (applicationId === APPLICATION_ID) return null;
  const tables = Number(database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get()?.tables);
  if (applicationId === 0 && tables === 0) return null;
  return new EngineError('storage_unsupported', 'This file is a database of another program. It was not changed.', {
    hint: 'Choose another path for the database.',
  });
}
