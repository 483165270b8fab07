import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  createWriteStream,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  type WriteStream,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { EngineError, type ErrorCode } from '../model/errors.ts';

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

interface PrivateOptions {
  /** What is there already keeps who may read it: it is the person's own file. */
  keepsMode?: boolean;
  /** False: it can be made again, and nobody waits for the disk. */
  flush?: boolean;
}

/** Folders that are not there yet are their owner's alone, whatever the umask is. */
export function makePrivateFolder(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  const above = dirname(folder);
  if (above !== folder) makePrivateFolder(above);
  try {
    mkdirSync(folder, { mode: FOLDER_MODE });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return; // another program was faster
    throw error;
  }
  chmodSync(folder, FOLDER_MODE);
}

/**
 * Replaces a file in one step. Its owner alone can read it, whatever the umask is, and look into a folder that had to be made for it; a link in its
 * place is replaced and not followed.
 */
export function writePrivateFile(path: string, content: string | Uint8Array, options: PrivateOptions = {}): void {
  replace(path, options, ({ fd }) => {
    try {
      writeFileSync(fd, content);
      if (options.flush !== false) fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  });
}

/** The same, piece by piece: the file appears when it is complete, and what fails leaves what was there. */
export async function streamPrivateFile(
  path: string,
  write: (stream: WriteStream) => Promise<void>,
  options: PrivateOptions = {},
): Promise<void> {
  const { draft, fd } = openDraft(path, options);
  const stream = createWriteStream(draft, { fd, flush: options.flush !== false });
  const failed = new Promise<never>((_resolve, reject) => stream.once('error', reject));
  try {
    await Promise.race([write(stream), failed]);
    await Promise.race([new Promise<void>((resolve) => stream.end(() => resolve())), failed]);
    renameSync(draft, path);
  } catch (error) {
    stream.destroy();
    throw translateFileError(error, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

interface Draft {
  draft: string;
  fd: number;
}

function replace(path: string, options: PrivateOptions, write: (draft: Draft) => void): void {
  const opened = openDraft(path, options);
  try {
    write(opened);
    renameSync(opened.draft, path);
  } catch (error) {
    throw translateFileError(error, path);
  } finally {
    rmSync(opened.draft, { force: true });
  }
}

/** Characters of the file's own name in that of its draft: few enough for every disk, whatever they are. */
const NAME_CHARS = 50;

/** Under a name at which nobody can have planted anything. */
function openDraft(path: string, { keepsMode = false }: PrivateOptions): Draft {
  try {
    const there = lstatSync(path, { throwIfNoEntry: false });
    if (there !== undefined && !there.isFile() && !there.isSymbolicLink())
      throw new EngineError('invalid_input', `${path} is no file.`, { hint: 'Name a file.' });
    makePrivateFolder(dirname(path));
    const name = basename(path).slice(0, NAME_CHARS).toWellFormed();
    const draft = join(dirname(path), `${name}.${randomBytes(6).toString('hex')}.part`);
    const fd = openSync(draft, 'wx', FILE_MODE);
    fchmodSync(fd, keepsMode && there?.isFile() === true ? there.mode & 0o777 : FILE_MODE);
    return { draft, fd };
  } catch (error) {
    throw translateFileError(error, path);
  }
}

const CODES: Readonly<Record<string, [code: ErrorCode, problem: string, hint: string]>> = {
  ENOSPC: ['storage_full', 'was not written: the disk is full', 'Free some space, then try again.'],
  EDQUOT: ['storage_full', 'was not written: the disk is full', 'Free some space, then try again.'],
  EACCES: ['storage_read_only', 'may not be read or written', 'Check the permissions of it and of its folder.'],
  EPERM: ['storage_read_only', 'may not be read or written', 'Check the permissions of it and of its folder.'],
  EROFS: ['storage_read_only', 'cannot be written to', 'The disk is mounted for reading only.'],
  ENOENT: ['invalid_input', 'cannot be used: a folder on the way is not there', 'Name a place that exists.'],
  ENOTDIR: ['invalid_input', 'cannot be used: something on the way is no folder', 'Name another place.'],
  EEXIST: ['invalid_input', 'cannot be used: something on the way is no folder', 'Name another place.'],
  EISDIR: ['invalid_input', 'is a folder', 'Name a file.'],
  ELOOP: ['invalid_input', 'cannot be used: its links lead in a circle', 'Name another place.'],
  ENAMETOOLONG: ['invalid_input', 'has a name that is too long for this disk', 'Give it a shorter one.'],
};

/** The errors of files that people can do something about; what else fails stays as it is. */
export function translateFileError(error: unknown, path: string): unknown {
  const { code: system = '' } = error as NodeJS.ErrnoException;
  const words = error instanceof EngineError ? undefined : CODES[system];
  if (words === undefined) return error;
  const [code, problem, hint] = words;
  return new EngineError(code, `${path} ${problem}.`, { hint, cause: error, details: { system } });
}
