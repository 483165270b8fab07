import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TokenStore } from '../auth/ports.ts';
import type { Clock, Log, Store } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';

export interface OpenStoreOptions {
  clock: Clock;
  log: Log;
}

const URL_SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;

/** A path, a `file:` URL or `:memory:` opens SQLite. Missing folders and files are made, readable by their owner only. */
export async function openStore(location: string, options: OpenStoreOptions): Promise<Store & TokenStore> {
  const path = readLocation(location);
  const { openSqliteStore } = await import('./sqlite/open-sqlite-store.ts');
  return openSqliteStore(path, options);
}

function readLocation(location: string): string {
  if (location === ':memory:') return location;
  if (location.trim() === '') throw new EngineError('storage_unsupported', 'The location of the database is empty.', { hint: 'Give the path of a file.' });
  const scheme = URL_SCHEME.exec(location)?.[1]?.toLowerCase();
  if (scheme === 'file') return readFileUrl(location);
  if (scheme === undefined) return resolve(location);
  // The location is not repeated here: a database URL often holds a password.
  const isPostgres = scheme === 'postgres' || scheme === 'postgresql';
  throw new EngineError(
    'storage_unsupported',
    isPostgres ? 'PostgreSQL is not supported yet.' : `A database cannot be opened through ${scheme}:// addresses.`,
    {
      hint: 'Give the path of a file: SQLite keeps everything in it.',
      details: { scheme },
    },
  );
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
