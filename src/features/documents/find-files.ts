import {
  constants,
  type Dirent,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import { EngineError } from '../../model/errors.ts';
import { compileDenied, isDenied } from '../../privacy/denied-paths.ts';
import { type IgnoreRules, readIgnoreRules } from './ignore-rules.ts';
import { formatOfName } from './readers/formats.ts';

/** Why a file is left alone. */
export const SKIP_REASONS = {
  unknown_format: 'no format that is read',
  too_large: 'larger than max_document_bytes',
  ignored: 'left out by .gitignore or .ltmignore',
  hidden: 'hidden, or a folder of dependencies',
  link: 'a link that leads out of the folder, or to what is there anyway',
  secret: 'a file that holds secrets by its name',
  not_a_file: 'neither a file nor a folder',
  too_deep: 'nested too deep',
  too_many: 'more files than max_files',
  unreadable: 'not readable',
  empty: 'empty',
} as const;
export type SkipReason = keyof typeof SKIP_REASONS;

export type FoundFile =
  | { path: string; size: number; modifiedAt: number; real: string }
  | { path: string; skipped: SkipReason };

export interface FindOptions {
  maxBytes: number;
  /** Of folders: also what is below their own files. Default: true. */
  recursive?: boolean;
  /** Only names with these endings, with or without the dot. */
  endings?: readonly string[];
  maxFiles?: number;
}

const MAX_DEPTH = 64;
/** What programs put there by themselves, and nobody reads. */
const SKIPPED_FOLDERS = new Set([
  'node_modules',
  'bower_components',
  'vendor',
  '__pycache__',
  'venv',
  'target',
  'dist',
  'build',
  'coverage',
]);
const IGNORE_FILES = ['.gitignore', '.ltmignore'];

interface Walk extends FindOptions {
  root: string;
  found: number;
  wanted: ReadonlySet<string> | null;
}

interface Folder {
  path: string;
  depth: number;
  rules: readonly { base: string; rules: IgnoreRules }[];
}

/** The files that a path names: itself, or what is in it. A file that somebody names is read whatever is ignored. */
export function* findFiles(path: string, options: FindOptions): Generator<FoundFile> {
  const whole = resolve(path);
  const stats = statSync(whole, { throwIfNoEntry: false });
  if (stats === undefined)
    throw new EngineError('not_found', `There is nothing at ${path}.`, { details: { path: whole } });
  const endings = options.endings?.map((ending) => ending.toLowerCase().replace(/^\./, ''));
  const wanted = endings === undefined || endings.length === 0 ? null : new Set(endings);
  if (!stats.isDirectory()) {
    yield look(whole, { ...options, isWalked: false, wanted: null });
    return;
  }
  const root = realpathSync(whole);
  const walk: Walk = { ...options, root, found: 0, wanted };
  yield* walkFolder({ path: root, depth: 0, rules: rulesAbove(root) }, walk);
}

function* walkFolder({ path, depth, rules }: Folder, walk: Walk): Generator<FoundFile> {
  if (depth > MAX_DEPTH) {
    yield { path, skipped: 'too_deep' };
    return;
  }
  let entries: Dirent[];
  try {
    entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    yield { path, skipped: 'unreadable' };
    return;
  }
  const inside = [...rules, ...rulesIn(path)];
  for (const entry of entries) {
    const child = join(path, entry.name);
    const skipped = skipEntry(entry, child, { inside, walk });
    if (skipped !== null) {
      yield { path: child, skipped };
      continue;
    }
    if (entry.isDirectory()) {
      if (walk.recursive !== false) yield* walkFolder({ path: child, depth: depth + 1, rules: inside }, walk);
      continue;
    }
    const file = look(child, { ...walk, isWalked: true });
    if ('skipped' in file || walk.found++ < (walk.maxFiles ?? Number.POSITIVE_INFINITY)) yield file;
    else yield { path: child, skipped: 'too_many' };
  }
}

function skipEntry(
  entry: Dirent,
  path: string,
  { inside, walk }: { inside: Folder['rules']; walk: Walk },
): SkipReason | null {
  const { name } = entry;
  const isFolder = entry.isDirectory();
  if (DENIED(name)) return 'secret';
  if (name.startsWith('.') || (isFolder && SKIPPED_FOLDERS.has(name.toLowerCase()))) return 'hidden';
  if (isIgnored(path, isFolder, inside)) return 'ignored';
  if (entry.isSymbolicLink()) return skipLink(path, { inside, walk });
  return isFolder || entry.isFile() ? null : 'not_a_file';
}

/** A link is judged by where it leads: to a file below the same folder, which would not be left alone either; anything else is outside, or visited anyway. */
function skipLink(
  path: string,
  { inside, walk: { root } }: { inside: Folder['rules']; walk: Walk },
): SkipReason | null {
  const target = realPath(path);
  if (target === null || !target.startsWith(root + sep) || !lstatSync(target).isFile()) return 'link';
  if (DENIED(target)) return 'secret';
  const way = target.slice(root.length + 1).split(sep);
  if (way.some((name, i) => name.startsWith('.') || (i < way.length - 1 && SKIPPED_FOLDERS.has(name.toLowerCase()))))
    return 'hidden';
  const above = inside.filter(({ base }) => target.startsWith(base + sep));
  return isIgnored(target, false, above) ? 'ignored' : null;
}

/** null: it leads nowhere, or may not be looked at. */
function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

const denied = compileDenied([]);
const DENIED = (name: string): boolean => isDenied(name, denied);

interface Looking extends Pick<FindOptions, 'maxBytes'> {
  isWalked: boolean;
  wanted: ReadonlySet<string> | null;
}

function look(path: string, { isWalked, maxBytes, wanted }: Looking): FoundFile {
  if (DENIED(path)) return { path, skipped: 'secret' };
  const real = realPath(path);
  if (real !== null && DENIED(real)) return { path, skipped: 'secret' };
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || real === null) return { path, skipped: 'unreadable' };
  if (!stats.isFile()) return { path, skipped: 'not_a_file' };
  const isWanted = wanted === null ? formatOfName(path) !== null : wanted.has(extname(path).slice(1).toLowerCase());
  if (isWalked && !isWanted) return { path, skipped: 'unknown_format' };
  if (stats.size > maxBytes) return { path, skipped: 'too_large' };
  if (stats.size === 0) return { path, skipped: 'empty' };
  return { path, size: stats.size, modifiedAt: Math.round(stats.mtimeMs), real };
}

/** The bytes of a file that was found; null where it has grown past the limit. A link that took its place meanwhile, or that of a folder above it, is not followed. */
export async function readFound({ real }: { real: string }, maxBytes: number): Promise<Uint8Array | null> {
  const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  try {
    const opened = await file.stat({ bigint: true });
    if (!opened.isFile()) return null;
    const there = lstatSync(real, { bigint: true, throwIfNoEntry: false });
    if (realPath(real) !== real || there?.dev !== opened.dev || there.ino !== opened.ino)
      throw new EngineError('invalid_input', 'It was moved or replaced while it was read.', { hint: 'Try again.' });
    return await readUpTo(file, maxBytes);
  } finally {
    await file.close();
  }
}

async function readUpTo(file: FileHandle, maxBytes: number): Promise<Uint8Array | null> {
  const { size } = await file.stat();
  if (size > maxBytes) return null;
  const bytes = Buffer.alloc(size);
  let at = 0;
  while (at < size) {
    const { bytesRead } = await file.read(bytes, at, size - at, at);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return bytes.subarray(0, at);
}

function isIgnored(path: string, isFolder: boolean, rules: Folder['rules']): boolean {
  for (const { base, rules: own } of rules.toReversed()) {
    const said = own.isIgnored(relative(base, path).split(sep).join('/'), isFolder);
    if (said !== null) return said;
  }
  return false;
}

function rulesIn(folder: string): Folder['rules'] {
  return IGNORE_FILES.flatMap((name) => {
    const file = join(folder, name);
    return existsSync(file) && lstatSync(file).isFile()
      ? [{ base: folder, rules: readIgnoreRules(readFileSync(file, 'utf8')) }]
      : [];
  });
}

/** Those of the folders above, up to the repository that this one is in. */
function rulesAbove(root: string): Folder['rules'] {
  const above: string[] = [];
  for (let folder = root; ; folder = dirname(folder)) {
    if (folder !== root) above.unshift(folder);
    if (existsSync(join(folder, '.git'))) return above.flatMap(rulesIn);
    if (folder === dirname(folder)) return [];
  }
}
