import { readHost } from '../model/host-name.ts';
import { isObject, parseJson } from '../model/json-text.ts';
import { type MemoryTypes, mergeMemoryTypes } from '../model/memory-types.ts';
import { isNetwork } from '../model/networks.ts';

/** How one setting is read. Flags and the environment give text, the file gives JSON; both pass through `read`. */
export interface SettingKind<T> {
  /** Ends the sentence "… must be". */
  allowed: string;
  /** undefined: not allowed. */
  read(raw: unknown): T | undefined;
  /** Of a file or folder: in the config file it is relative to that file's folder. */
  readonly isPath?: true;
}

export const text: SettingKind<string> = {
  allowed: 'a non-empty string',
  read: (raw) => (typeof raw === 'string' && raw.trim() !== '' ? raw.trim() : undefined),
};

export const path: SettingKind<string> = { ...text, isPath: true };

export function integer(min: number, max: number): SettingKind<number> {
  return {
    allowed: `a whole number from ${min} to ${max}`,
    read(raw) {
      const value = fraction(min, max).read(raw);
      return Number.isInteger(value) ? value : undefined;
    },
  };
}

export function fraction(min: number, max: number): SettingKind<number> {
  return {
    allowed: `a number from ${min} to ${max}`,
    read(raw) {
      const value = readNumber(raw);
      return value !== undefined && value >= min && value <= max ? value : undefined;
    },
  };
}

export function choice<const T extends string>(options: readonly T[]): SettingKind<T> {
  return { allowed: `one of ${options.join(', ')}`, read: (raw) => options.find((option) => option === raw) };
}

const ON = ['true', '1', 'yes', 'on'];
const OFF = ['false', '0', 'no', 'off'];

export const onOff: SettingKind<boolean> = {
  allowed: 'true or false',
  read(raw) {
    const word = String(raw).trim().toLowerCase();
    return ON.includes(word) ? true : OFF.includes(word) ? false : undefined;
  },
};

export const httpUrl: SettingKind<string> = {
  allowed: 'an http:// or https:// URL',
  read: (raw) =>
    typeof raw === 'string' && /^https?:$/.test(URL.parse(raw.trim())?.protocol ?? '') ? raw.trim() : undefined,
};

/** As `ltm auth` takes it: `example.com` means https, `localhost:8000` http. */
export const serverUrl: SettingKind<string> = {
  allowed: 'the address of a server, such as https://memory.example.com',
  read: (raw) => (typeof raw === 'string' ? orUndefined(() => readHost(raw)) : undefined),
};

/** Host names without scheme or path; a port may follow. */
export const hosts: SettingKind<readonly string[]> = {
  allowed: 'a comma-separated list of host names, such as memory.example.org,10.0.0.5:8000',
  read: (raw) =>
    readList(raw, (item) =>
      /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.test(item) ? item.toLowerCase() : undefined,
    ),
};

export const origins: SettingKind<readonly string[]> = {
  allowed: 'a comma-separated list of origins, such as https://memory.example.org',
  read: (raw) =>
    readList(raw, (item) => {
      const url = URL.parse(item);
      const isOrigin = /^https?:$/.test(url?.protocol ?? '') && url?.pathname === '/' && !item.endsWith('/');
      return isOrigin ? url.origin : undefined;
    }),
};

/** Names or patterns; `*` stands for anything. */
export const names: SettingKind<readonly string[]> = {
  allowed: 'a comma-separated list of names, where * stands for anything',
  read: (raw) => readList(raw, (item) => item),
};

/** What cannot be used among them is ignored, and `ltm privacy test` says why: a mistake in one must not stop the others. */
export const privacyPatterns: SettingKind<readonly unknown[]> = {
  allowed: 'a JSON list of regular expressions, or of objects such as {"name":"ticket","pattern":"ACME-\\\\d+"}',
  read(raw) {
    const value = typeof raw === 'string' ? (parseJson(raw) ?? raw) : raw;
    const items = typeof value === 'string' && value !== '' ? [value] : value;
    return Array.isArray(items) && items.every((item) => typeof item === 'string' || isObject(item))
      ? items
      : undefined;
  },
};

export const addresses: SettingKind<readonly string[]> = {
  allowed: 'a comma-separated list of addresses or networks, such as 127.0.0.1,10.0.0.0/8,fd00::/8',
  read: (raw) => readList(raw, (item) => (isNetwork(item) ? item.toLowerCase() : undefined)),
};

/** Session ids have room for so many. */
const MAX_WORKERS = 256;

export const workers: SettingKind<number | 'auto'> = {
  allowed: `a whole number from 1 to ${MAX_WORKERS}, or auto`,
  read: (raw) => (raw === 'auto' ? raw : integer(1, MAX_WORKERS).read(raw)),
};

export const timeZone: SettingKind<string> = {
  allowed: 'an IANA time zone, such as Europe/Berlin or UTC',
  read(raw) {
    const zone = text.read(raw);
    // Intl throws RangeError for a zone it does not know.
    return zone && orUndefined(() => new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone);
  },
};

export const EMBEDDERS = ['static', 'none', 'openai', 'onnx'] as const;
export type EmbedderName = (typeof EMBEDDERS)[number];

/** Which embedder was in use before, in the words of the settings. */
export interface PreviousEmbedder {
  embedder: EmbedderName;
  embedder_url?: string;
  embedder_model?: string;
  embedder_dimensions?: number;
  embedder_folder?: string;
}

const PREVIOUS_KEYS = {
  embedder_url: 'string',
  embedder_model: 'string',
  embedder_dimensions: 'number',
  embedder_folder: 'string',
} as const;

export const previousEmbedder: SettingKind<PreviousEmbedder> = {
  allowed: 'a JSON object such as {"embedder":"onnx","embedder_folder":"/models/bge-small"}',
  read(raw) {
    const { embedder, ...others } = readObject(raw) ?? {};
    const name = EMBEDDERS.find((known) => known === embedder);
    const isSound = Object.entries(others).every(
      ([key, other]) => key in PREVIOUS_KEYS && typeof other === PREVIOUS_KEYS[key as keyof typeof PREVIOUS_KEYS],
    );
    return name === undefined || !isSound ? undefined : { embedder: name, ...others };
  },
};

const TYPE_NAME = /^[a-z][a-z0-9_]{0,63}$/i;

/** The operator's own bases and subtypes, joined with the built-in ones. */
export const memoryTypes: SettingKind<MemoryTypes> = {
  allowed: 'a JSON object of base types and lists of subtypes, such as {"recipe":["starter","dessert"]}',
  read(raw) {
    const value = readObject(raw);
    if (value === undefined) return undefined;
    const custom: Record<string, string[]> = {};
    for (const [base, subtypes] of Object.entries(value)) {
      if (!TYPE_NAME.test(base) || !Array.isArray(subtypes)) return undefined;
      const names = subtypes.filter((name): name is string => typeof name === 'string' && TYPE_NAME.test(name));
      if (names.length !== subtypes.length) return undefined;
      custom[base] = names;
    }
    return mergeMemoryTypes(custom);
  },
};

function readNumber(raw: unknown): number | undefined {
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : undefined;
  if (typeof raw !== 'string' || !/^-?\d+(\.\d+)?$/.test(raw.trim())) return undefined;
  return Number(raw.trim());
}

export function readList(raw: unknown, readItem: (item: string) => string | undefined): readonly string[] | undefined {
  const items = typeof raw === 'string' ? raw.split(',') : raw;
  if (!Array.isArray(items)) return undefined;
  const list: string[] = [];
  for (const item of items) {
    if (typeof item !== 'string') return undefined;
    if (item.trim() === '') continue;
    const value = readItem(item.trim());
    if (value === undefined) return undefined;
    list.push(value);
  }
  return list;
}

/** Also from the text of its JSON. */
export function readObject(raw: unknown): Record<string, unknown> | undefined {
  const value = typeof raw === 'string' ? parseJson(raw) : raw;
  return isObject(value) ? value : undefined;
}

/** What cannot be read is told as a value that is not allowed. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
