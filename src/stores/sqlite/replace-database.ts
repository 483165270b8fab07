import { chmodSync, existsSync, renameSync, rmSync } from 'node:fs';
import { backup as copyDatabase, DatabaseSync } from 'node:sqlite';
import { EngineError } from '../../model/errors.ts';
import { isMalformed, isNotDatabase, translateError } from './translate-error.ts';

/** In one transaction of the target. */
const ALL_PAGES = 2_147_483_647;

/**
 * Makes the database at `path` what the one at `copy` is, in place: a program that opens it meanwhile waits, and has one or the other. Fails where somebody has it
 * open, because what they know of it would be wrong. What is there is moved to `aside` where it is no readable database, or where nobody has a copy of it.
 */
export async function replaceDatabase(
  path: string,
  copy: string,
  { aside, isCopied }: { aside: string; isCopied: boolean },
): Promise<{ movedAside: boolean }> {
  const movedAside = existsSync(path) && !(isAloneWith(path) && isCopied);
  if (movedAside) {
    renameSync(path, aside);
    for (const ending of ['-wal', '-shm'])
      if (existsSync(`${path}${ending}`)) renameSync(`${path}${ending}`, `${aside}${ending}`);
  }
  const source = new DatabaseSync(copy, { readOnly: true });
  try {
    await copyDatabase(source, path, { rate: ALL_PAGES });
  } catch (error) {
    throw translateError(error);
  } finally {
    source.close();
  }
  chmodSync(path, 0o600);
  forgetWhoItWas(path);
  rmSync(`${path}-last`, { force: true });
  return { movedAside };
}

/** The feed's numbers begin again at an earlier place: whoever follows it has to notice that it is another one. */
function forgetWhoItWas(path: string): void {
  const database = new DatabaseSync(path);
  try {
    database.exec('DELETE FROM replica');
  } finally {
    database.close();
  }
}

/**
 * Fails where somebody else has it open; false where it is no readable database. Leaving the write-ahead log is possible only for somebody who is alone with the
 * file, and empties the log.
 */
export function isAloneWith(path: string): boolean {
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(path, { timeout: 1000 });
    const row = database.prepare('PRAGMA journal_mode = DELETE').get();
    if (row?.journal_mode !== 'delete') throw heldByOthers();
    return true;
  } catch (error) {
    if (isMalformed(error) || isNotDatabase(error)) return false;
    if (error instanceof EngineError) throw error;
    if (/locked|busy/i.test(String(error))) throw heldByOthers();
    throw translateError(error);
  } finally {
    database?.close();
  }
}

function heldByOthers(): EngineError {
  return new EngineError('busy', 'Another program has the database open, so it was not replaced.', {
    hint: 'Stop `ltm serve` and the agents that use it (`ltm status` shows what runs), then try again. Nothing was changed.',
  });
}
