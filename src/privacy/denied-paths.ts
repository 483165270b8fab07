import type { Json, JsonObject } from '../model/json.ts';
import { expandBraces, splitShellWords } from './shell-words.ts';

/** Files that hold secrets by their names. What a tool did with one of them is not written down, only that it was touched. */
const DENIED_PATHS: readonly string[] = [
  ...['.env', '.env.*', '*.pem', '*.key', 'id_rsa', 'id_rsa.*', 'id_ed25519', 'id_ecdsa', 'id_dsa'],
  ...['*.p12', '*.pfx', '*.jks', '*.keystore', 'credentials.json', 'service-account.json'],
  ...['.netrc', '.pgpass', '.git-credentials', '.aws/credentials'],
];

/** What may be asked of the machine on which the tool ran; absent where it is another one. */
export interface Surroundings {
  /** The folder in which it ran. */
  directory: string | null;
  variables: Readonly<Record<string, string | undefined>>;
  /** Where a path leads when links are followed; null where there is nothing. */
  follow?(path: string): string | null;
  /** The names in a folder. */
  list?(folder: string): readonly string[];
}

export interface Denied {
  /** Whole names in lower case, beginnings and endings of names, and ends of paths: what most patterns are, compared without a regular expression. */
  names: ReadonlySet<string>;
  beginnings: readonly string[];
  endings: readonly string[];
  shapes: readonly { shape: RegExp; hasFolder: boolean }[];
  /** A name that each of them denies. */
  samples: readonly string[];
}

/** `extra` are patterns as in DENIED_PATHS; one with a slash is compared with the end of the path. */
export function compileDenied(extra: readonly string[]): Denied {
  const names = new Set<string>();
  const beginnings: string[] = [];
  const endings: string[] = [];
  const shapes: { shape: RegExp; hasFolder: boolean }[] = [];
  const patterns = [...DENIED_PATHS, ...extra.map((one) => one.trim().toLowerCase()).filter((one) => one !== '')];
  for (const pattern of patterns) {
    if (!/[*?\\/]/.test(pattern)) names.add(pattern);
    else if (/^\*\.\w+$/.test(pattern)) endings.push(pattern.slice(1));
    else if (/^[^*?\\/]+\*$/.test(pattern)) beginnings.push(pattern.slice(0, -1));
    else shapes.push({ shape: toShape(pattern), hasFolder: /[\\/]/.test(pattern) });
  }
  const samples = patterns.map((one) => one.slice(one.lastIndexOf('/') + 1).replaceAll('*', 'x'));
  return { names, beginnings, endings, shapes, samples };
}

/** `*` and `?` stop at a slash, `**` does not. */
function toShape(glob: string): RegExp {
  const body = glob
    .replaceAll('\\', '/')
    .replace(/^~?\//, '')
    .replace(/\/$/, '/**')
    .replace(/[.+^${}()|]/g, '\\$&')
    .replace(/\*\*\/?|\*|\?/g, (sign) => (sign.startsWith('**') ? '.*' : sign === '*' ? '[^/]*' : '[^/]'));
  return new RegExp(`(?:^|/)${body}$`);
}

/** By its name and the end of its path. `strict`: names with nothing but an ending in common are left out, as in code they are members of an object. */
export function isDenied(path: string, denied: Denied, strict = false): boolean {
  const { names, beginnings, endings, shapes } = denied;
  const plain = path.toLowerCase().replaceAll('\\', '/').replace(/\/+$/, '');
  const name = plain.slice(plain.lastIndexOf('/') + 1);
  if (name === '') return false;
  return (
    names.has(name) ||
    beginnings.some((one) => name.startsWith(one)) ||
    (!strict && !name.startsWith('.') && endings.some((one) => name.endsWith(one))) ||
    shapes.some(({ shape, hasFolder }) => shape.test(hasFolder ? plain : name))
  );
}

/** Names of arguments that say a path, and of those that say a command. Texts under other names are looked at when they are one word. */
const COMMANDS = /^(?:command|cmd|script|commandline|command_line|shell|args|argv|input|patch|code|diff)$/i;
const CONTENTS =
  /^(?:content|contents|old_?string|new_?string|old_str|new_str|text|body|prompt|description|query|message|old_text|new_text|file_text|insert_text)$/i;

/** Every denied path that a tool's input touches, as it was written there. */
export function findDeniedPaths(input: JsonObject, denied: Denied, around: Surroundings): string[] {
  const found = new Set<string>();
  const visit = (value: Json, name: string): void => {
    if (typeof value === 'string') {
      if (COMMANDS.test(name)) for (const path of findInCommand(value, denied, around)) found.add(path);
      else if (!CONTENTS.test(name) && value.length <= 4096 && !/\n/.test(value))
        for (const path of findInWord(value.replace(/^file:\/\//, ''), denied, { around })) found.add(path);
    } else if (Array.isArray(value)) {
      if (COMMANDS.test(name) && value.every((item) => typeof item === 'string'))
        for (const item of value) for (const path of findInCommand(item, denied, around)) found.add(path);
      else for (const item of value) visit(item, name);
    } else if (typeof value === 'object' && value !== null)
      for (const [key, item] of Object.entries(value)) visit(item, key);
  };
  visit(input, '');
  return [...found].slice(0, 16);
}

/** A command inside a command, at most. */
const DEEPEST = 2;
const ASSIGNED = /(?:^|[\s;&|(])(\w+)=("[^"]*"|'[^']*')?([^\s;&|'"]*)/g;

function findInCommand(command: string, denied: Denied, around: Surroundings, depth = 0): string[] {
  const variables: Record<string, string | undefined> = { ...around.variables };
  for (const [, name, quote = '', bare = ''] of command.matchAll(ASSIGNED))
    variables[name!] ??= quote.slice(1, -1) + bare;
  const found = new Set<string>();
  for (const { text, written, quoted } of splitShellWords(command, variables)) {
    const isText = quoted && /[\s(){};=]/.test(text);
    if (isText && depth < DEEPEST) for (const path of findInText(text, denied, { around, depth })) found.add(path);
    // The value of a variable is nobody's business.
    const show = (path: string): string => (written.includes('$') ? written : path);
    for (const path of findInWord(text, denied, { around, strict: isText })) found.add(show(path));
    if (written.includes('\\')) for (const path of findInWord(written, denied, { around })) found.add(path);
  }
  return [...found];
}

/** Text between quotes may be a command of its own, or a program that names a file between quotes. */
function findInText(
  text: string,
  denied: Denied,
  { around, depth }: { around: Surroundings; depth: number },
): string[] {
  const inner = findInCommand(text, denied, around, depth + 1);
  const isProgram = /[(){};=]/.test(text);
  const named = [...text.matchAll(/["'`]([^"'`\s]{1,300})["'`]/g)].map(([, path]) => path!);
  return [
    ...inner.filter((path) => !isProgram || isDenied(path, denied, true)),
    ...named.filter((path) => isDenied(path, denied)),
  ];
}

interface WordOptions {
  around: Surroundings;
  strict?: boolean;
}

/** `--file=.env`, `@.env`, `host:.env`, `-f.env`, `a,.env`: the word and its parts. */
function findInWord(word: string, denied: Denied, { around, strict = false }: WordOptions): string[] {
  if (word === '' || word.length > 4096) return [];
  const parts = new Set([word, ...word.split(/[=@:,]/), word.replace(/^-{1,2}[A-Za-z]/, '')]);
  const found: string[] = [];
  for (const part of parts)
    for (const path of expandBraces(part)) {
      if (path === '' || path === '-') continue;
      if (isDenied(path, denied, strict) || isDeniedGlob(path, denied, around) || leadsToDenied(path, denied, around))
        found.push(path);
    }
  return found;
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
function isDeniedGlob(path: string, denied: Denied, around: Surroundings): boolean {
  if (!/[*?[]/.test(path)) return false;
  const slash = path.lastIndexOf('/');
  const name = path.slice(slash + 1);
  const shape = globShape(name);
  if (shape === null) return false;
  const isTelling = /^[^*?[]{2}/.test(name);
  if (isTelling && denied.samples.some((sample) => matchesAsShell(shape, name, sample))) return true;
  const listed = around.list?.(inDirectory(path.slice(0, slash + 1), around)) ?? [];
  return listed.some((entry) => matchesAsShell(shape, name, entry) && isDenied(entry, denied));
}

/** A star at the start does not stand for the dot of a hidden file. */
function matchesAsShell(shape: RegExp, glob: string, name: string): boolean {
  return (
    shape.test(name) && (!name.startsWith('.') || glob.startsWith('.') || glob.startsWith('[') || glob.includes('.'))
  );
}

function globShape(glob: string): RegExp | null {
  const body = glob
    .replace(/[.+^${}()|\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.')
    .replace(/\[!/g, '[^');
  try {
    return new RegExp(`^${body}$`, 'i');
  } catch {
    return null; // a bracket that is never closed: no glob
  }
}
