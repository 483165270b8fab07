import type { Json, JsonObject } from '../model/json.ts';
import { matchesSigns, readPathSigns, readSigns, type Sign, type Steps } from '../model/match-glob.ts';
import { expandBraces, splitShellWords } from './shell-words.ts';

/** Files that hold secrets by their names. What a tool did with one of them is not written down, only that it was touched. */
const DENIED_PATHS: readonly string[] = [
  '.env',
  '.env.*',
  '*.pem',
  '*.key',
  'id_rsa',
  'id_rsa.*',
  'id_ed25519',
  'id_ecdsa',
  'id_dsa',
  '*.p12',
  '*.pfx',
  '*.jks',
  '*.keystore',
  'credentials.json',
  'service-account.json',
  '.netrc',
  '.pgpass',
  '.git-credentials',
  '.aws/credentials',
];

/** What may be asked of the machine on which the tool ran; absent where it is another one. */
export interface Surroundings {
  /** The folder in which it ran. */
  directory: string | null;
  variables: Readonly<Record<string, string | undefined>>;
  /** Where a path leads when links are followed; null where there is nothing. */
  follow?(path: string): string | null;
  /** The names in a folder; null where there are too many to look at. */
  list?(folder: string): readonly string[] | null;
}

export interface Denied {
  /** Whole names in lower case, beginnings and endings of names, and ends of paths: what most patterns are, compared without a regular expression. */
  names: ReadonlySet<string>;
  beginnings: readonly string[];
  endings: readonly string[];
  ends: readonly string[];
  shapes: readonly Shape[];
  /** A name that each of them denies. */
  samples: readonly string[];
}

interface Shape {
  signs: readonly Sign[];
  hasFolder: boolean;
}

/** `extra` are patterns as in DENIED_PATHS; one with a slash is compared with the end of the path. */
export function compileDenied(extra: readonly string[]): Denied {
  const names = new Set<string>();
  const beginnings: string[] = [];
  const endings: string[] = [];
  const ends: string[] = [];
  const shapes: Shape[] = [];
  const patterns = [...DENIED_PATHS, ...extra.map((one) => one.trim().toLowerCase()).filter((one) => one !== '')];
  for (const pattern of patterns) {
    if (!/[*?\\/]/.test(pattern)) names.add(pattern);
    else if (/^\*\.\w+$/.test(pattern)) endings.push(pattern.slice(1));
    else if (/^[^*?\\/]+\*$/.test(pattern)) beginnings.push(pattern.slice(0, -1));
    else if (!/[*?]/.test(pattern) && !/[\\/]$/.test(pattern)) ends.push(`/${toPath(pattern)}`);
    else shapes.push({ signs: toShape(pattern), hasFolder: /[\\/]/.test(pattern) });
  }
  const samples = patterns.map((one) => one.slice(one.lastIndexOf('/') + 1).replaceAll('*', 'x'));
  return { names, beginnings, endings, ends, shapes, samples };
}

function toPath(pattern: string): string {
  return pattern.replaceAll('\\', '/').replace(/^~?\//, '');
}

/** Compared with the whole of `/path`: what stands before it may be any folder. */
function toShape(glob: string): Sign[] {
  return ['deep', ...readPathSigns(`/${toPath(glob).replace(/\/$/, '/**')}`)];
}

/** By its name and the end of its path. `strict`: names with nothing but an ending in common are left out, as in code they are members of an object. */
export function isDenied(path: string, denied: Denied, strict = false): boolean {
  const { names, beginnings, endings, ends, shapes } = denied;
  const plain = withoutLastSlashes(path.toLowerCase().replaceAll('\\', '/'));
  const name = plain.slice(plain.lastIndexOf('/') + 1);
  if (name === '') return false;
  return (
    names.has(name) ||
    beginnings.some((one) => name.startsWith(one)) ||
    (!strict && !name.startsWith('.') && endings.some((one) => name.endsWith(one))) ||
    ends.some((end) => plain.endsWith(end) || plain === end.slice(1)) ||
    shapes.some(({ signs, hasFolder }) => matchesSigns(signs, `/${hasFolder ? plain : name}`) !== false)
  );
}

function withoutLastSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

/** Names of arguments that say a path, and of those that say a command. Texts under other names are looked at when they are one word. */
const COMMANDS = /^(?:command|cmd|script|commandline|command_line|shell|args|argv|input|patch|code|diff)$/i;
const CONTENTS =
  /^(?:content|contents|old_?string|new_?string|old_str|new_str|text|body|prompt|description|query|message|old_text|new_text|file_text|insert_text)$/i;

/** What looking at one event may cost. Whatever cannot be looked at for it counts as denied: it is not known to be harmless. */
interface Work {
  around: Surroundings;
  /** Words made of braces. */
  forms: number;
  /** Of commands, read as a shell reads them; in the rest names are looked for as they are written. */
  chars: number;
  /** Values of the input. */
  values: number;
  steps: Steps;
  /** Denied names of the folders that were looked into. */
  folders: Map<string, readonly string[] | null>;
}

const MOST_FORMS = 1024;
const MOST_CHARS = 32 << 10;
const MOST_VALUES = 10_000;
const MOST_STEPS = 1_000_000;
const DEEPEST_VALUE = 64;
const MOST_FOUND = 16;
const LONGEST_WORD = 4096;

/** Every denied path that a tool's input touches, as it was written there. */
export function findDeniedPaths(input: JsonObject, denied: Denied, around: Surroundings): string[] {
  const found = new Set<string>();
  const work: Work = {
    around,
    forms: MOST_FORMS,
    chars: MOST_CHARS,
    values: MOST_VALUES,
    steps: { left: MOST_STEPS },
    folders: new Map(),
  };
  const add = (paths: readonly string[]): void => {
    for (const path of paths) if (found.size < MOST_FOUND) found.add(path);
  };
  const visit = (value: Json, name: string, depth: number): void => {
    if (found.size >= MOST_FOUND) return;
    if (depth > DEEPEST_VALUE || work.values-- <= 0) add(['[…]']);
    else if (typeof value === 'string') {
      if (COMMANDS.test(name)) add(findInLongCommand(value, denied, work));
      else if (!CONTENTS.test(name) && value.length <= LONGEST_WORD && !value.includes('\n'))
        // braces of JSON are no pattern
        add(findInWord(value.replace(/^file:\/\//, ''), denied, { work, braced: !value.includes('"') }));
    } else if (Array.isArray(value)) {
      const isCommand = COMMANDS.test(name) && value.every((item) => typeof item === 'string');
      for (const item of value)
        if (isCommand) visit(item, name, depth);
        else visit(item, name, depth + 1);
    } else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) visit(item, key, depth + 1);
  };
  visit(input, '', 0);
  return [...found];
}

function findInLongCommand(command: string, denied: Denied, work: Work): string[] {
  const room = work.chars;
  work.chars = Math.max(0, room - command.length);
  const found = findInCommand(command.slice(0, room), denied, work);
  return command.length <= room ? found : [...found, ...findWritten(command.slice(Math.max(0, room - 300)), denied)];
}

/** Whole names that stand in a text, as they are written. */
function findWritten(text: string, denied: Denied): string[] {
  const plain = text.toLowerCase();
  return [...denied.names, ...denied.ends.map((end) => end.slice(1)), ...denied.endings].filter((name) => {
    for (let at = plain.indexOf(name); at !== -1; at = plain.indexOf(name, at + 1))
      if (denied.endings.includes(name) ? isEnd(plain, at + name.length) : isWhole(plain, at, name.length)) return true;
    return false;
  });
}

function isWhole(text: string, at: number, length: number): boolean {
  return !/[\w.-]/.test(text[at - 1] ?? ' ') && isEnd(text, at + length);
}

function isEnd(text: string, at: number): boolean {
  return !/[\w(]/.test(text[at] ?? ' ');
}

/** A command inside a command, at most. */
const DEEPEST = 2;
const ASSIGNED = /(?:^|[\s;&|(])(\w{1,200})=("[^"]*"|'[^']*')?([^\s;&|'"]*)/g;

function findInCommand(command: string, denied: Denied, work: Work, depth = 0): string[] {
  const variables: Record<string, string | undefined> = { ...work.around.variables };
  for (const [, name, quote = '', bare = ''] of command.matchAll(ASSIGNED))
    variables[name!] ??= quote.slice(1, -1) + bare;
  const found = new Set<string>();
  for (const { text, written, quoted, braced } of splitShellWords(command, variables)) {
    const isText = quoted && /[\s(){};=]/.test(text);
    if (isText && depth < DEEPEST) for (const path of findInText(text, denied, { work, depth })) found.add(path);
    // The value of a variable is nobody's business.
    const show = (path: string): string => (written.includes('$') ? written : path);
    for (const path of findInWord(text, denied, { work, braced, strict: isText })) found.add(show(path));
    if (written.includes('\\')) for (const path of findInWord(written, denied, { work, braced })) found.add(path);
    if (found.size >= MOST_FOUND) break;
  }
  return [...found];
}

/** Text between quotes may be a command of its own, or a program that names a file between quotes. */
function findInText(text: string, denied: Denied, { work, depth }: { work: Work; depth: number }): string[] {
  const inner = findInCommand(text, denied, work, depth + 1);
  const isProgram = /[(){};=]/.test(text);
  const named = [...text.matchAll(/["'`]([^"'`\s]{1,300})["'`]/g)].map(([, path]) => path!);
  return [
    ...inner.filter((path) => !isProgram || isDenied(path, denied, true)),
    ...named.filter((path) => isDenied(path, denied)),
  ];
}

interface WordOptions {
  work: Work;
  /** Its braces stand for several words. */
  braced: boolean;
  strict?: boolean;
}

/** `--file=.env`, `@.env`, `host:.env`, `-f.env`, `a,.env`: the word and its parts. */
function findInWord(word: string, denied: Denied, { work, braced, strict = false }: WordOptions): string[] {
  if (word === '') return [];
  // no path is so long: what it is made of may be
  if (word.length > LONGEST_WORD)
    return word.split(/[\s=@:,{}]/).filter((one) => one.length <= LONGEST_WORD && isDenied(one, denied, strict));
  const parts = new Set([word, ...word.split(/[=@:,]/), word.replace(/^-{1,2}[A-Za-z]/, '')]);
  const found: string[] = [];
  for (const part of parts) {
    const { words, isCut } = braced ? expandBraces(part) : { words: [part], isCut: false };
    if (words.length > 1) work.forms -= words.length;
    if (isCut || work.forms < 0) return [word];
    for (const path of words) if (isPathDenied(path, denied, work, strict)) found.push(path);
  }
  return found;
}

function isPathDenied(path: string, denied: Denied, work: Work, strict: boolean): boolean {
  if (path === '' || path === '-') return false;
  return isDenied(path, denied, strict) || isDeniedGlob(path, denied, work) || leadsToDenied(path, denied, work.around);
}

function inDirectory(path: string, { directory, variables }: Surroundings): string {
  const whole = path.replace(/^~(?=\/|$)/, variables.HOME ?? '~');
  return /^(?:[\\/]|[A-Za-z]:[\\/])/.test(whole) || directory === null ? whole : `${directory}/${whole}`;
}

/** A link with a harmless name. */
function leadsToDenied(path: string, denied: Denied, around: Surroundings): boolean {
  if (around.follow === undefined || path.startsWith('-') || /[\s*?[\]{}"'`$|;<>()]/.test(path)) return false;
  const target = around.follow(inDirectory(path, around));
  return target !== null && isDenied(target, denied);
}

/** `.e*` and `id_*` say enough by themselves; of `*` and `*.json` it depends on what is there. */
function isDeniedGlob(path: string, denied: Denied, work: Work): boolean {
  const { around, steps } = work;
  if (!/[*?[]/.test(path)) return false;
  const slash = path.lastIndexOf('/');
  const glob = path.slice(slash + 1).toLowerCase();
  const signs = readSigns(glob.replace(/\[\[:\^?\w{1,9}:\]\]/g, '?'));
  const matches = (name: string): boolean => matchesAsShell({ glob, signs }, name, steps);
  const isTelling = /^[^*?[]{2}/.test(glob);
  if (isTelling && denied.samples.some(matches)) return true;
  const there = listDenied(inDirectory(path.slice(0, slash + 1), around), denied, work);
  return there === null || there.some(matches);
}

/** Denied names in a folder; null where nobody can look at all of them. */
function listDenied(folder: string, denied: Denied, { around, folders }: Work): readonly string[] | null {
  let names = folders.get(folder);
  if (names === undefined) {
    const listed = around.list === undefined ? [] : around.list(folder);
    names = listed?.filter((entry) => isDenied(entry, denied)) ?? null;
    folders.set(folder, names);
  }
  return names;
}

interface Glob {
  glob: string;
  signs: readonly Sign[];
}

/** A star at the start does not stand for the dot of a hidden file. Out of steps, it may match. */
function matchesAsShell({ glob, signs }: Glob, name: string, steps: Steps): boolean {
  if (name.startsWith('.') && !glob.startsWith('.') && !glob.startsWith('[') && !glob.includes('.')) return false;
  return matchesSigns(signs, name.toLowerCase(), steps) !== false;
}
