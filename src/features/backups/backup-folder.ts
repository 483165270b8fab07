import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { EngineError } from '../../model/errors.ts';
import { isObject, parseJson } from '../../model/json-text.ts';

export const FORMAT = 1;
const NAME = /^ltm-(\d{8}T\d{9}Z)\.db\.(zst|gz)$/;

/** What is written down beside the file; there is no backup without it, as it is written last. */
export interface BackupFacts {
  format: number;
  /** Of the program that made it. */
  version: string;
  createdAt: string;
  /** `restore`: what was there before a restore. */
  reason: 'asked' | 'restore';
  store: 'sqlite' | 'postgres';
  spaces: number;
  records: number;
  versions: number;
  relations: number;
  /** Records and other rows that were damaged already when it was made. */
  damaged: number;
  /** Of the database, and of the file. */
  plainBytes: number;
  bytes: number;
  sha256: string;
}

export interface Backup extends BackupFacts {
  path: string;
}

export function factsPath(path: string): string {
  return `${path}.json`;
}

/** To the millisecond, in UTC, so that the order of the names is the order of time. */
export function backupName(now: Date, compression: 'zst' | 'gz'): string {
  return `ltm-${now.toISOString().replace(/[-:.]/g, '')}.db.${compression}`;
}

/** Newest first. */
export function listBackups(folder: string): Backup[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && NAME.test(entry.name) && existsSync(factsPath(join(folder, entry.name))))
    .map(({ name }) => readBackup(join(folder, name)))
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt));
}

/** A backup by its file, or the newest of a folder that somebody asked for: what was there before a restore is hardly meant. */
export function findBackup(place: string): Backup {
  const path = resolve(place);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile() === true && NAME.test(basename(path))) return readBackup(path);
  const newest = found?.isDirectory() === true ? listBackups(path).find(({ reason }) => reason === 'asked') : undefined;
  if (newest !== undefined) return newest;
  throw new EngineError('not_found', `There is no backup at ${path}.`, {
    hint: 'Give a file that `ltm backup create` wrote, or its folder for the newest; `ltm backup list --to DIR` shows them.',
  });
}

function readBackup(path: string): Backup {
  const beside = factsPath(path);
  const facts = existsSync(beside) ? parseJson(readFileSync(beside, 'utf8')) : null;
  if (!isObject(facts) || typeof facts.sha256 !== 'string' || typeof facts.createdAt !== 'string')
    throw new EngineError('storage_damaged', `${beside}, which belongs to the backup, is missing or cannot be read.`, {
      hint: 'Choose another backup.',
    });
  if (facts.format !== FORMAT)
    throw new EngineError('storage_unsupported', `${path} was made by another release of ltm (${facts.version}).`, {
      hint: 'Use that release to restore it, then upgrade.',
    });
  return { ...(facts as unknown as BackupFacts), path };
}

const DAY_MS = 86_400_000;

/**
 * What is older goes, but never the newest: somebody who comes back after a month wants one. Nor the newest in which nothing was damaged, and which is
 * not what a restore has put aside: the last good one. Returns what was removed.
 */
export function removeOld(folder: string, keepDays: number, now: number): string[] {
  const [newest, ...older] = listBackups(folder);
  const lastGood = [newest, ...older].find((one) => one?.damaged === 0 && one.reason === 'asked');
  const isOld = (one: Backup): boolean => Date.parse(one.createdAt) < now - keepDays * DAY_MS;
  const old = older.filter((one) => one !== lastGood && isOld(one));
  for (const { path } of old) for (const file of [factsPath(path), path]) rmSync(file, { force: true });
  return old.map(({ path }) => path);
}

/** Of runs that were killed. */
export function removeParts(folder: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: now };
    if (name.startsWith('.ltm-part-') && mtimeMs < now - DAY_MS) rmSync(path, { recursive: true, force: true });
  }
}

export function folderOf({ path }: Pick<Backup, 'path'>): string {
  return dirname(path);
}
