import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AuthStore } from '../auth/ports.ts';
import type { Clock, Log, Movable, Store } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';
import { lateFunctions } from '../model/late.ts';

const { openPostgresStore } = lateFunctions(() => import('./postgres/open-postgres-store.ts'), 'openPostgresStore');
const { openSqliteStore } = lateFunctions(() => import('./sqlite/open-sqlite-store.ts'), 'openSqliteStore');

export interface OpenStoreOptions {
  clock: Clock;
  log: Log;
  /** How long a call waits for a database that is away or busy; ten seconds unless told. */
  longestWaitMs?: number;
  /** PostgreSQL: where to hear of other nodes' commits, if not at the location itself. */
  listenUrl?: string | null;
  /** PostgreSQL: as whom to migrate, where the role of the location may not. */
  adminUrl?: string | null;
  /** SQLite: it is opened for a single command. */
  endsSoon?: boolean;
}

const POSTGRES_URL = /^postgres(ql)?:\/\//i;
const URL_SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;

/**
 * A `postgres://` URL opens PostgreSQL; a path, a `file:` URL or `:memory:` opens SQLite. Missing folders and files are made, readable by their
 * owner only.
 */
export async function openStore(location: string, options: OpenStoreOptions): Promise<Store & AuthStore & Movable> {
  if (POSTGRES_URL.test(location)) {
    return openPostgresStore(location, options);
  }
  const path = readLocation(location);
  return openSqliteStore(path, options);
}

function readLocation(location: string): string {
  if (location === ':memory:') return location;
  if (location.trim() === '')
    throw new EngineError('storage_unsupported', 'The location of the database is empty.', {
      hint: 'Give the path of a file.',
    });
  const scheme = URL_SCHEME.exec(location)?.[1]?.toLowerCase();
  if (scheme === 'file') return readFileUrl(location);
  if (scheme === undefined) return resolve(location);
  // The location is not repeated here: a database URL often holds a password.
  throw new EngineError('storage_unsupported', `${scheme}:// URLs are not supported for the database.`, {
    hint: 'Give the path of a file (SQLite) or a postgres:// URL.',
    details: { scheme },
  });
}

function readFileUrl(location: string): string {
  try {
    return fileURLToPath(location);
  } catch (cause) {
    throw new EngineError('storage_unsupported', 'This file: URL does not name a local file.', {
      hint: 'Give the path of a file, or file:///path/to/file.',
      cause,
    });
  }
}
