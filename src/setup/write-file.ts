import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
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

/** The bytes of a file; null where there is none. */
export function readBytes(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
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

/** In one step, so that nobody ever reads half of it; who may read it stays as it was. Returns the folders that had to be made, outermost first. */
export function replaceFile(path: string, bytes: Buffer): string[] {
  const made = makeFolders(dirname(path));
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
  return made;
}

/** With the folders that were made for it, as far as nothing else is in them. */
export function removeFile(path: string, made: readonly string[]): void {
  rmSync(path, { force: true });
  for (const folder of [...made].reverse()) {
    try {
      rmdirSync(folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOENT') return;
      throw error;
    }
  }
}

export function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function makeFolders(folder: string): string[] {
  const first = mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return [];
  const made = [folder];
  while (made[0] !== first && dirname(made[0]!) !== made[0]) made.unshift(dirname(made[0]!));
  return made;
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
