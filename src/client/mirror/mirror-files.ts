import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { EngineError } from '../../model/errors.ts';
import { isObject, parseJson } from '../../model/json-text.ts';

/** Says that a folder is ours to write into; one without it is left alone, whatever it holds. */
const MARKER = '.ltm-mirror';

/** More than any file that is read back may have. */
const MAX_READ_BYTES = 64 << 20;

/** Where the new text of a file is written before it takes its place. Something that lies there already, a link perhaps, is not written through. */
export function makeDraft(file: string): string {
  const draft = `${file}.${process.pid}.part`;
  rmSync(draft, { force: true });
  return draft;
}

/** A folder and nothing outside of it: what a path or a link could lead to is refused. */
export interface MirrorFiles {
  /** Null where there is none. */
  read(path: string): Buffer | null;
  /** In one step, and only where it is not the same already. */
  write(path: string, bytes: Buffer | string): void;
  remove(path: string): void;
  /** Files below a folder, as paths with slashes; what begins with a dot, and links, are left out. */
  list(path: string): string[];
  readJson(path: string): Record<string, unknown>;
  /** The disk takes names that differ in case for one. */
  readonly isCaseBlind: boolean;
  /** Where a file is, for whoever writes it piece by piece. */
  place(path: string): string;
}

/** Throws where the folder is not empty and not ours. */
export function openMirror(folder: string): MirrorFiles {
  const marker = join(folder, MARKER);
  const isEmpty = !existsSync(folder) || readdirSync(folder).length === 0;
  if (!existsSync(marker)) {
    if (!isEmpty)
      throw new EngineError('conflict', `${folder} is not empty, and was not written by ltm.`, {
        hint: 'Choose an empty folder. `ltm import FOLDER` brings in what another program has written.',
      });
    mkdirSync(folder, { recursive: true });
    writeFileSync(marker, 'Written by ltm: notes below workspaces/*/knowledge may be edited, and are read back.\n');
  }
  const root = realpathSync(folder);
  const place = (path: string): string => {
    const file = join(root, ...path.split('/'));
    let above = dirname(file);
    while (!existsSync(above)) above = dirname(above);
    const way = relative(root, realpathSync(above));
    const isLink = existsSync(file) && lstatSync(file).isSymbolicLink();
    if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way) || isLink)
      throw new EngineError('forbidden', `${path} leads outside of the folder.`, { details: { path } });
    return file;
  };
  const read = (path: string): Buffer | null => {
    const file = place(path);
    if (!existsSync(file)) return null;
    const stats = lstatSync(file);
    if (!stats.isFile()) throw new EngineError('forbidden', `${path} is no file.`, { details: { path } });
    if (stats.size > MAX_READ_BYTES)
      throw new EngineError('too_large', `${path} is too large to be read.`, {
        details: { path, limit: MAX_READ_BYTES },
      });
    return readFileSync(file);
  };
  return {
    isCaseBlind: existsSync(join(root, MARKER.toUpperCase())),
    place,
    read,
    write(path, given) {
      const bytes = Buffer.from(given);
      if (read(path)?.equals(bytes)) return;
      const file = place(path);
      mkdirSync(dirname(file), { recursive: true });
      const draft = makeDraft(file);
      writeFileSync(draft, bytes, { flag: 'wx' });
      renameSync(draft, file);
    },
    remove: (path) => rmSync(place(path), { force: true }),
    list(path) {
      const top = place(`${path}/x`).slice(0, -2);
      if (!existsSync(top)) return [];
      return readdirSync(top, { withFileTypes: true, recursive: true }).flatMap((entry) => {
        const below = relative(top, join(entry.parentPath, entry.name)).split(sep).join('/');
        return entry.isFile() && !below.split('/').some((part) => part.startsWith('.')) ? [below] : [];
      });
    },
    readJson(path) {
      const value = parseJson(read(path)?.toString('utf8') ?? '');
      return isObject(value) ? value : {};
    },
  };
}
