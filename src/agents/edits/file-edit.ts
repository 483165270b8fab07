import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../model/json-text.ts';
import { appendJsonAt, type JsonFile, readJsonAt, removeJsonAt, setJsonAt, wrongShape } from './edit-json.ts';
import { removeTomlTable, setTomlTable } from './edit-toml.ts';
import { removeYamlEntry, setYamlEntry } from './edit-yaml.ts';
import { isOwnEntry } from './own-entry.ts';

/** How one file is changed, and changed back where others have changed it too. Texts come and go whole; an absent file is ''. */
export interface FileEdit {
  path: string;
  write(text: string): string;
  /** Takes out what is ours. `before`: the file as it was before us, '' where that is not known. */
  clear(text: string, before: string): string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Under which ltm is known to agents. */
const SERVER_NAME = 'ltm';
/** The system whose hooks and servers ltm takes over. */
const EARLIER_NAME = 'longmem';

/** Fields that say how a server is reached: of an entry that was there before, all others are kept. */
const REACH = ['command', 'args', 'url', 'httpUrl', 'serverUrl', 'headers', 'type', 'source', 'transport'];

/** An entry among the servers of a JSON file: `mcpServers.ltm`. */
export function editJsonServer(path: string, parent: readonly string[], entry: Fields): FileEdit {
  const key = [...parent, SERVER_NAME];
  return {
    path,
    write(text) {
      const file = removeEarlierServer({ text, name: path }, parent);
      const current = readJsonAt(file, key) ?? {};
      if (!isObject(current)) throw wrongShape(file, key, 'object');
      return setJsonAt(file, key, { ...keptFields(current), ...entry }).text;
    },
    clear(text, before) {
      const file = { text, name: path };
      if (!isOwnEntry(readJsonAt(file, key))) return text;
      const earlier = readJsonAt({ text: before, name: path }, key);
      if (earlier !== undefined) return setJsonAt(file, key, earlier).text;
      return pruneJson(removeJsonAt(file, key), parent, before).text;
    },
  };
}

function keptFields(entry: Fields): Fields {
  return Object.fromEntries(Object.entries(entry).filter(([field]) => !REACH.includes(field)));
}

function removeEarlierServer(file: JsonFile, parent: readonly string[]): JsonFile {
  return removeJsonAt(file, [...parent, EARLIER_NAME]);
}

/** Hooks of a JSON file: events, each with a list in which every program has its own item. */
export function editJsonHooks(path: string, items: Readonly<Record<string, Fields>>, more: Fields = {}): FileEdit {
  return {
    path,
    write(text) {
      let file = removeEarlierServer({ text, name: path }, ['mcpServers']);
      for (const [key, value] of Object.entries(more))
        if (readJsonAt(file, [key]) === undefined) file = setJsonAt(file, [key], value);
      for (const event of eventsOf(file)) if (!(event in items)) file = removeHooks(file, event);
      for (const [event, item] of Object.entries(items)) file = setHook(file, event, item);
      return file.text;
    },
    clear(text, before) {
      let file: JsonFile = { text, name: path };
      for (const event of eventsOf(file)) {
        const cut = removeHooks(file, event);
        if (cut !== file) file = pruneJson(cut, ['hooks', event], before);
      }
      if (file.text === text) return text;
      for (const [key, value] of Object.entries(more))
        if (
          readJsonAt({ text: before, name: path }, [key]) === undefined &&
          isDeepStrictEqual(readJsonAt(file, [key]), value) &&
          readJsonAt(file, ['hooks']) === undefined
        )
          file = removeJsonAt(file, [key]);
      return file.text;
    },
  };
}

function eventsOf(file: JsonFile): string[] {
  const hooks = readJsonAt(file, ['hooks']);
  return isObject(hooks) ? Object.keys(hooks) : [];
}

function setHook(file: JsonFile, event: string, item: Fields): JsonFile {
  const items = readJsonAt(file, ['hooks', event]);
  const own = Array.isArray(items) ? items.filter((one) => commandsOf(one).some(isOurs)) : [];
  if (own.length === 1 && isDeepStrictEqual(own[0], item)) return file;
  return appendJsonAt(removeHooks(file, event), ['hooks', event], item);
}

/** Only our commands go; an item goes when nothing else is left in it. */
function removeHooks(file: JsonFile, event: string): JsonFile {
  const items = readJsonAt(file, ['hooks', event]);
  if (!Array.isArray(items)) return file;
  let rest = file;
  for (let at = items.length - 1; at >= 0; at--) {
    const commands = commandsOf(items[at]);
    if (!commands.some(isOurs)) continue;
    if (commands.every(isOurs)) rest = removeJsonAt(rest, ['hooks', event, at]);
    else
      for (let inner = commands.length - 1; inner >= 0; inner--)
        if (isOurs(commands[inner])) rest = removeJsonAt(rest, ['hooks', event, at, 'hooks', inner]);
  }
  return rest;
}

/** One item has a command, or a list of them below `hooks`. */
function commandsOf(item: unknown): unknown[] {
  const { command, bash, hooks } = (item ?? {}) as { command?: unknown; bash?: unknown; hooks?: unknown };
  if (Array.isArray(hooks)) return hooks.map((hook) => (hook as { command?: unknown } | null)?.command);
  return [command ?? bash];
}

/** `ltm-hook` however it is started, and the hooks of the system that ltm takes over. */
function isOurs(command: unknown): boolean {
  if (typeof command !== 'string') return false;
  return /(^|[\s/\\"'])ltm-hook(\.c?js|\.cmd)?(["'\s]|$)/.test(command) || isEarlierHook(command);
}

function isEarlierHook(command: string): boolean {
  return /(^|[\s/\\"'])longmem(-hook|-cli)?(\.exe)?["']?(\s+hook)?\s+(post-tool|prompt|stop)\b|[/\\]\.longmem[/\\]/.test(
    command,
  );
}

/** Drops what became empty and was not there before, from the inside out. */
function pruneJson(file: JsonFile, path: readonly string[], before: string): JsonFile {
  let rest = file;
  for (let depth = path.length; depth > 0; depth--) {
    const key = path.slice(0, depth);
    const value = readJsonAt(rest, key);
    const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0;
    if (!isEmpty || readJsonAt({ text: before, name: file.name }, key) !== undefined) break;
    rest = removeJsonAt(rest, key);
  }
  return rest;
}

export function editTomlServer(path: string, entry: Parameters<typeof setTomlTable>[2]): FileEdit {
  const table = { file: path, parent: 'mcp_servers', name: SERVER_NAME };
  return { path, write: (text) => setTomlTable(text, table, entry), clear: (text) => removeTomlTable(text, table) };
}

export function editYamlServer(path: string, parent: string, entry: Parameters<typeof setYamlEntry>[2]): FileEdit {
  const place = { file: path, parent, name: SERVER_NAME };
  return {
    path,
    write: (text) => setYamlEntry(text, place, entry),
    clear: (text, before) => removeYamlEntry(text, place, new RegExp(`^${parent}\\s*:`, 'm').test(before)),
  };
}

/** A file that is ours as a whole, and says so. */
export function ownFile(path: string, content: string): FileEdit {
  return { path, write: () => content, clear: (text, before) => (text.includes(OWN_MARK) ? before : text) };
}

/** In every file that is ours as a whole. */
export const OWN_MARK = 'Written by `ltm setup`';

/** Strings in a list of a JSON file that name the earlier system; other strings stay. */
export function dropEarlierItems(path: string, keys: readonly string[]): FileEdit {
  return {
    path,
    write(text) {
      let file: JsonFile = { text, name: path };
      for (const key of keys) {
        const items = readJsonAt(file, [key]);
        if (!Array.isArray(items)) continue;
        for (let at = items.length - 1; at >= 0; at--)
          if (typeof items[at] === 'string' && items[at].includes(EARLIER_NAME)) file = removeJsonAt(file, [key, at]);
      }
      return file.text;
    },
    clear: (text) => text,
  };
}
