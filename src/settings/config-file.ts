import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { EngineError } from '../model/errors.ts';
import { parseJson } from '../model/json-text.ts';
import { nearestName } from '../model/nearest-name.ts';
import { writePrivateFile } from './private-file.ts';
import { readObject } from './setting-kinds.ts';
import type { DeclaredSettings, EarlierFile, Environment, Setting } from './settings.ts';
import { clientFolder } from './user-folders.ts';

export type ConfigFileContent = Readonly<Record<string, unknown>>;

/** Where it is, and what may stand in it. */
interface ConfigFile {
  configFile: string;
  declared: DeclaredSettings;
}

/** An absent file is an empty one; every key in it is a known setting. */
export function readConfigFile(path: string, declared: DeclaredSettings): ConfigFileContent {
  const content = parseConfigFile(path);
  for (const key of Object.keys(content)) findSetting(declared, key, `The config file ${path}`);
  return content;
}

/** Checks the value, then replaces the file in one step; it may hold secrets, so only its owner can read it. */
export function setConfigValue({ configFile: path, declared }: ConfigFile, name: string, raw: string): void {
  const setting = findSetting(declared, name, '`ltm config set`');
  const value = [parseJson(raw), raw].find((candidate) => setting.kind.read(candidate) !== undefined);
  if (value === undefined) throw badValue(setting, name, raw);
  writeConfigFile(path, { ...parseConfigFile(path), [setting.name]: value });
}

/** Also removes a key that is no setting (any more), and what an earlier program's file says of it. False when it was not there. */
export function unsetConfigValue({ configFile: path, declared }: ConfigFile, name: string, env?: Environment): boolean {
  const removed = env === undefined ? [] : declared.earlier.map((earlier) => removeFromEarlier(earlier, env, name));
  const wasEarlier = removed.includes(true);
  if (wasEarlier) writes++;
  const { [name]: value, ...rest } = parseConfigFile(path);
  if (value === undefined) return wasEarlier;
  writeConfigFile(path, rest);
  return true;
}

/** What files of earlier programs say, for whoever used them before. */
export function readEarlierFiles({ earlier }: DeclaredSettings, env: Environment): Record<string, unknown>[] {
  return earlier.flatMap(({ file, read }) => {
    const text = readText(join(clientFolder(env), file), 'The file');
    return text === null ? [] : [read(text)];
  });
}

/** False when it says nothing of it. */
function removeFromEarlier({ file, without }: EarlierFile, env: Environment, name: string): boolean {
  const path = join(clientFolder(env), file);
  const text = readText(path, 'The file');
  const left = text === null ? null : without(text, name);
  if (left === null || left === text) return false;
  writePrivateFile(path, left);
  return true;
}

function findSetting({ settings }: DeclaredSettings, name: string, where: string): Setting {
  const found = settings.find((setting) => setting.name === name);
  if (found !== undefined) return found;
  const names = settings.map((setting) => setting.name);
  const nearest = nearestName(name, names);
  throw new EngineError('invalid_input', `${where} names "${name}", which is not a setting.`, {
    hint: nearest === null ? `Known settings: ${names.join(', ')}.` : `Did you mean "${nearest}"?`,
    details: { key: name, ...(nearest === null ? {} : { nearest }) },
  });
}

/** `source` says where the value came from, in words a person can look up. */
export function badValue(setting: Setting, source: string, raw: unknown): EngineError {
  const shown = setting.secret ? '(not shown)' : JSON.stringify(raw);
  return new EngineError('invalid_input', `${source} is ${shown}, but must be ${setting.kind.allowed}.`, {
    hint: `${setting.name}: ${setting.description}`,
    details: { key: setting.name },
  });
}

/** Null where it is not there. */
function readText(path: string, what: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    const hint = 'Check its permissions.';
    throw new EngineError('invalid_input', `${what} ${path} cannot be read.`, { cause, hint });
  }
}

function parseConfigFile(path: string): ConfigFileContent {
  const text = readText(path, 'The config file');
  if (text === null) return {};
  const value = text.trim() === '' ? {} : readObject(text);
  if (value === undefined) {
    throw new EngineError('invalid_input', `The config file ${path} is not a JSON object.`, {
      hint: 'Correct it by hand, or move it away and use `ltm config set`.',
    });
  }
  return value;
}

let writes = 0;

/** How often this process has changed a config file: what it read before that is old. */
export function countWrites(): number {
  return writes;
}

function writeConfigFile(path: string, content: ConfigFileContent): void {
  writes++;
  writePrivateFile(path, `${JSON.stringify(content, null, 2)}\n`);
}

/** Only these: a file in a folder that somebody else made must not choose where memories are sent. */
const NAMES = ['LTM_DB_PATH', 'MCP_TOKENS_PATH'] as const;

/** As the networked server reads it; a folder without the file is usual. */
export function readDotEnv(folder: string): Partial<Record<(typeof NAMES)[number], string>> {
  const path = join(folder, '.env');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR') return {};
    throw new EngineError('invalid_input', `${path} cannot be read.`, {
      cause,
      hint: 'Check its permissions, or start from another folder.',
    });
  }
  const found = parseEnv(text.replace(/^\uFEFF/, ''));
  return Object.fromEntries(NAMES.flatMap((name) => (found[name] === undefined ? [] : [[name, found[name]]])));
}
