import { open, rm } from 'node:fs/promises';
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite';
import { EngineError } from '../../model/errors.ts';
import { type Connection, IN_MEMORY } from './connection.ts';
import { translateError } from './translate-error.ts';

/** All pages in one step: one consistent state, however much others write meanwhile; a copy in steps would start again at each of their writes. */
const ALL_PAGES = 2_147_483_647;

/** Runs on a thread of its own, through a connection of its own, so that the store goes on working. */
export async function backup(connection: Connection, path: string): Promise<void> {
  await reserveFile(path);
  const isInMemory = connection.path === IN_MEMORY;
  try {
    const source = isInMemory ? connection.database : new DatabaseSync(connection.path, { readOnly: true });
    try {
      await copyDatabase(source, path, { rate: ALL_PAGES });
    } finally {
      if (!isInMemory) source.close();
    }
  } catch (error) {
    await rm(path, { force: true });
    throw translateError(error);
  }
}

async function reserveFile(path: string): Promise<void> {
  try {
    await (await open(path, 'wx', 0o600)).close();
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    if (!exists) throw translateError(error);
    throw new EngineError('conflict', 'A file already exists at this path; a backup never overwrites a file.', {
      hint: 'Choose another path.',
    });
  }
}
