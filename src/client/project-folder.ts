import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, parse, resolve } from 'node:path';
import { cleanName } from '../model/hidden-characters.ts';
import { isObject, parseJson } from '../model/json-text.ts';

/** The repository around a folder, or else the folder itself. */
export function projectFolder(folder: string): string {
  return findRepository(folder) ?? resolve(folder);
}

function findRepository(folder: string): string | null {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return null;
  }
}

/** What a project is called: the name in the package.json of its repository, or else the name of its folder. */
export function projectName(folder: string): string {
  const repository = findRepository(folder);
  return (repository !== null && packageName(repository)) || cleanName(basename(repository ?? resolve(folder)));
}

/** No system opens a longer one, and each of its folders is looked into. */
const LONGEST_PATH = 4096;

/** The project that somebody works on in this folder; null where the folder is nobody's: a home, the root, a place for what is temporary. */
export function projectIn(folder: string): string | null {
  if (folder.length > LONGEST_PATH) return null;
  const found = projectFolder(folder);
  const isNobodys = [homedir(), tmpdir(), parse(found).root].map((place) => resolve(place)).includes(found);
  return isNobodys ? null : projectName(folder);
}

const LONGEST_NAME = 100;
const LARGEST_PACKAGE = 1 << 20;

function packageName(repository: string): string | null {
  const file = join(repository, 'package.json');
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    // a pipe would be waited for
    if (found === undefined || !found.isFile() || found.size > LARGEST_PACKAGE) return null;
    const content = parseJson(readFileSync(file, 'utf8'));
    const name = isObject(content) ? content.name : null;
    return typeof name === 'string' && name.length <= LONGEST_NAME ? cleanName(name) || null : null;
  } catch {
    return null; // it may not be read: the folder has a name, too
  }
}
