import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { EngineError } from '../../model/errors.ts';

/**
 * The bytes of a file; null where there is none. Whatever else lies in its place is refused unopened: a pipe would be waited for, a device
 * might never end. `name`: as people know the file, where that is not its path.
 */
export function readBytes(path: string, name = path): Buffer | null {
  try {
    if (!statSync(path).isFile()) throw notAFile(path, name);
    const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      if (!fstatSync(fd).isFile()) throw notAFile(path, name);
      return readFileSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function notAFile(path: string, name: string): EngineError {
  const what = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? 'a folder' : 'a pipe or a device';
  const place = path === name ? '' : ` (${path})`;
  return new EngineError('invalid_input', `${name}${place} is ${what} and no file. It was left as it is.`, {
    hint: 'Move it away, then run the command again.',
  });
}

/** Where a file really is: links are followed, also one whose target does not exist yet. */
export function realFile(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const link = lstatSync(path, { throwIfNoEntry: false });
  if (link?.isSymbolicLink() === true) return realFile(resolve(dirname(path), readlinkSync(path)));
  const folder = dirname(path);
  return folder === path ? path : join(realFile(folder), basename(path));
}

/** In one step, so that nobody ever reads half of it; who may read it stays as it was. */
export function replaceFile(path: string, bytes: Buffer): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const now = statSync(path, { throwIfNoEntry: false });
  const draft = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`);
  try {
    writeFileSync(draft, bytes, { mode: 0o600, flag: 'wx', flush: true });
    if (now !== undefined) {
      chmodSync(draft, now.mode & 0o7777);
      if (process.getuid?.() === 0) chownSync(draft, now.uid, now.gid);
    }
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Those that would have to be made for a file, outermost first. */
export function missingFolders(path: string): string[] {
  const missing: string[] = [];
  for (let folder = dirname(path); lstatSync(folder, { throwIfNoEntry: false }) === undefined; folder = dirname(folder))
    missing.unshift(folder);
  return missing;
}

/** `inUse`: something is in it. */
export function removeEmptyFolder(folder: string): 'gone' | 'inUse' {
  try {
    rmdirSync(folder);
    return 'gone';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'gone';
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return 'inUse';
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
