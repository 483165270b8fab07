import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type WriteStream,
} from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { EngineError } from '../../../model/errors.ts';
import { isObject, parseJson } from '../../../model/json-text.ts';
import {
  makePrivateFolder,
  streamPrivateFile,
  translateFileError,
  writePrivateFile,
} from '../../../settings/private-file.ts';

/** Says that a folder is ours to write into; one without it is left alone, whatever it holds. */
const MARKER = '.ltm-mirror';

/** More than any file that is read back may have. */
const MAX_READ_BYTES = 64 << 20;

/** What is written can be written again from the memory. */
const PLAIN = { flush: false };

/** A folder and nothing outside of it: what a path or a link could lead to is refused. */
export interface MirrorFiles {
  /** The folder itself. */
  readonly root: string;
  /** Null where there is none. */
  read(path: string): Buffer | null;
  has(path: string): boolean;
  /** In one step, and only where it is not the same already; `always` also shows whether the folder can be written to. */
  write(path: string, bytes: Buffer | string, options?: { always?: boolean }): void;
  /** The same, piece by piece. */
  stream(path: string, write: (stream: WriteStream) => Promise<void>): Promise<void>;
  /** Puts a file under another name, in place of what has it. */
  move(from: string, to: string): void;
  remove(path: string): void;
  /** Files below a folder, as paths with slashes; what begins with a dot, and links, are left out. */
  list(path: string): string[];
  readJson(path: string): Record<string, unknown>;
  /** Takes everybody else's rights away from what an earlier release has written. */
  makePrivate(): void;
  /** The disk takes names that differ in case for one. */
  readonly isCaseBlind: boolean;
}

/** Throws where the folder is not empty and not ours. */
export function openMirror(folder: string): MirrorFiles {
  const root = told(folder, () => {
    claimEmpty(folder);
    return realpathSync(folder);
  });
  const place = (path: string): string => {
    const file = join(root, ...path.split('/'));
    let above = dirname(file);
    while (!existsSync(above)) above = dirname(above);
    const way = relative(root, realpathSync(above));
    if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) || isLink(file))
      throw new EngineError('forbidden', `${path} leads outside of the folder.`, { details: { path } });
    return file;
  };
  const read = (path: string): Buffer | null => {
    const file = place(path);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    if (!stats.isFile()) throw new EngineError('forbidden', `${path} is no file.`, { details: { path } });
    if (stats.size > MAX_READ_BYTES)
      throw new EngineError('too_large', `${path} is too large to be read.`, {
        details: { path, limit: MAX_READ_BYTES },
      });
    return readFileSync(file);
  };
  return {
    root,
    isCaseBlind: existsSync(join(root, MARKER.toUpperCase())),
    read: (path) => told(path, () => read(path)),
    has: (path) => existsSync(place(path)),
    write(path, given, { always = false } = {}) {
      const bytes = Buffer.from(given);
      told(path, () => {
        if (always || read(path)?.equals(bytes) !== true) writePrivateFile(place(path), bytes, PLAIN);
      });
    },
    stream: async (path, write) => streamPrivateFile(place(path), write, PLAIN),
    move: (from, to) => told(to, () => renameSync(place(from), place(to))),
    remove: (path) => told(path, () => rmSync(place(path), { force: true })),
    list(path) {
      const top = place(`${path}/x`).slice(0, -2);
      return told(path, () => {
        if (!existsSync(top)) return [];
        return readdirSync(top, { withFileTypes: true, recursive: true }).flatMap((entry) => {
          const below = relative(top, join(entry.parentPath, entry.name)).split(sep).join('/');
          return entry.isFile() && !below.split('/').some((part) => part.startsWith('.')) ? [below] : [];
        });
      });
    },
    readJson(path) {
      const value = parseJson(read(path)?.toString('utf8') ?? '');
      return isObject(value) ? value : {};
    },
    makePrivate: () => told(folder, () => makePrivate(root)),
  };
}

function claimEmpty(folder: string): void {
  const marker = join(folder, MARKER);
  if (existsSync(marker)) return;
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new EngineError('conflict', `${folder} is not empty, and was not written by ltm.`, {
      hint: 'Choose an empty folder. `ltm import FOLDER` brings in what another program has written.',
      details: { folder },
    });
  makePrivateFolder(folder);
  writePrivateFile(
    marker,
    'Written by ltm: notes below workspaces/*/knowledge may be edited, and are read back.\n',
    PLAIN,
  );
  makePrivate(realpathSync(folder));
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

const OTHERS = 0o077;

/** What belongs to somebody else is theirs to open or close. */
function makePrivate(root: string): void {
  const inside = readdirSync(root, { withFileTypes: true, recursive: true }).flatMap((entry) =>
    entry.isFile() || entry.isDirectory() ? [join(entry.parentPath, entry.name)] : [],
  );
  for (const path of [root, ...inside]) {
    const { mode, uid } = lstatSync(path);
    if ((mode & OTHERS) !== 0 && uid === process.getuid?.()) chmodSync(path, mode & 0o777 & ~OTHERS);
  }
}

function told<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translateFileError(error, path);
  }
}
