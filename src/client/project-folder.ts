import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, parse, resolve } from 'node:path';

/** The repository around a folder, or else the folder itself. */
export function projectFolder(folder: string): string {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return resolve(folder);
  }
}

/** The project that somebody works on in this folder; null where the folder is nobody's: a home, the root, a place for what is temporary. */
export function projectIn(folder: string): string | null {
  const found = projectFolder(folder);
  const isNobodys = [homedir(), tmpdir(), parse(found).root].map((place) => resolve(place)).includes(found);
  return isNobodys ? null : basename(found);
}
