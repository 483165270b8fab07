import { join } from 'node:path';
import { DEFAULT_SETTINGS } from '../engine/default-settings.ts';
import type { OnDuplicate } from '../model/memory.ts';
import {
  addresses,
  choice,
  EMBEDDERS,
  fraction,
  hosts,
  httpUrl,
  integer,
  memoryTypes,
  onOff,
  origins,
  previousEmbedder,
  type SettingKind,
  serverUrl,
  text,
  timeZone,
  toolFamilies,
} from './setting-kinds.ts';
import { dataFolder } from './user-folders.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

interface SettingEntry<T> {
  description: string;
  default: T | ((env: Environment) => T);
  /** Variables of the systems that ltm replaces, read after the LTM_* one. */
  alsoEnv?: readonly string[];
  /** Never shown, logged or repeated in an error. */
  secret?: boolean;
  kind: SettingKind<T>;
}

/** One entry per setting; the names people use follow from the key: `maxBodyBytes` is `max_body_bytes`, `--max-body-bytes` and `LTM_MAX_BODY_BYTES`. */
const TABLE = {
  server: optional(serverUrl, {
    description: 'The server whose memory the commands and `ltm mcp` use; the database of this machine where not set.',
  }),
  db: setting(text, {
    default: (env) => join(dataFolder(env), 'memory.db'),
    description: 'The database: a file path, or the postgres:// URL of a server.',
    alsoEnv: ['LTM_DB_PATH', 'MCP_MEMORY_SQLITE_PATH'],
  }),
  dbReadUrl: optional(text, {
    description: 'URL of a read replica of db (PostgreSQL), for reads that do not need the primary.',
    secret: true,
  }),
  dbListenUrl: optional(text, {
    description:
      'URL of the PostgreSQL server itself, if db points to a pooler in transaction mode. ltm listens there for commits of other nodes.',
    secret: true,
  }),
  host: setting(text, {
    default: '127.0.0.1',
    description: 'The address that `ltm serve` listens on.',
    alsoEnv: ['MCP_HTTP_HOST'],
  }),
  port: setting(integer(0, 65535), {
    default: 8000,
    description: 'The port `ltm serve` listens on; 0 takes a free one.',
    alsoEnv: ['MCP_HTTP_PORT'],
  }),
  allowedHosts: setting(hosts, {
    default: [],
    description: 'Accepted Host headers, in addition to localhost and the address that the server listens on.',
  }),
  allowedOrigins: setting(origins, {
    default: [],
    description: 'Origins of web pages that may call the server. By default only its own.',
  }),
  externalUrl: optional(httpUrl, {
    description: 'The public URL of the server, for example behind a proxy. Used in links.',
  }),
  oauth: setting(onOff, {
    default: true,
    description:
      'Allow programs to connect with OAuth 2.1, over https or on this machine. If false, only bearer tokens work.',
    alsoEnv: ['MCP_OAUTH_ENABLED'],
  }),
  oauthLoopbackClients: setting(onOff, {
    default: false,
    description:
      'For development: also read OAuth client metadata documents from this machine, without checking the certificate.',
  }),
  tokensFile: optional(text, {
    description:
      'A JSON file that maps tokens to users, in addition to the tokens in the database. Reloaded when it changes.',
    alsoEnv: ['MCP_TOKENS_PATH'],
  }),
  writesPerMinute: setting(integer(0, 1_000_000), {
    default: 600,
    description: 'Rate limit for writes per person and minute over HTTP. 0 means unlimited.',
  }),
  writeBurst: setting(integer(1, 1_000_000), {
    default: 1200,
    description: 'Number of writes that one person may make in a burst before writes_per_minute applies.',
  }),
  readsPerMinute: setting(integer(0, 1_000_000), {
    default: 3000,
    description: 'Rate limit for reads per person and minute over HTTP. 0 means unlimited.',
  }),
  trustedProxies: setting(addresses, {
    default: [],
    description:
      'Addresses or networks of reverse proxies whose X-Forwarded-For, -Proto and -Host headers are trusted. None by default.',
  }),
  tlsCert: optional(text, {
    description: 'Certificate (PEM) for HTTPS. Reloaded when it changes.',
  }),
  tlsKey: optional(text, { description: 'Private key (PEM) for tls_cert.' }),
  tools: optional(toolFamilies, {
    description: 'Tool families that are listed to MCP clients; core by default. All tools can be called.',
  }),
  eventHeartbeatSeconds: setting(integer(1, 300), {
    default: 30,
    description: 'Seconds between heartbeats on the event stream.',
    alsoEnv: ['MCP_SSE_HEARTBEAT'],
  }),
  maxBodyBytes: setting(integer(1024, 1 << 30), {
    default: 1 << 20,
    description: 'Maximum size of a request body, in bytes.',
  }),
  maxImportBytes: setting(integer(1024, 1 << 30), {
    default: 256 << 20,
    description: 'Maximum size of an import over REST, in bytes.',
  }),
  logLevel: setting(choice(['silent', 'error', 'warn', 'info', 'debug']), {
    default: 'info',
    description: 'Log level on stderr. With debug, commands also print the stack trace of an error.',
  }),
  timeZone: optional(timeZone, { description: "Time zone for time phrases. By default the system's." }),
  memoryTypes: setting(memoryTypes, {
    default: DEFAULT_SETTINGS.memoryTypes,
    description: 'Memory types in addition to the built-in ones: a JSON object of base types and their subtypes.',
    alsoEnv: ['MCP_CUSTOM_MEMORY_TYPES'],
  }),
  onDuplicate: setting(choice<OnDuplicate>(['report', 'store', 'merge', 'append', 'supersede', 'refuse']), {
    default: DEFAULT_SETTINGS.onDuplicate,
    description: 'What to do with a near duplicate, unless the caller says otherwise.',
  }),
  wordsWeight: setting(fraction(0, 10), {
    default: DEFAULT_SETTINGS.wordsWeight,
    description: 'Weight of words in hybrid search. 1 is the tuned default, 0 ignores words.',
  }),
  meaningWeight: setting(fraction(0, 10), {
    default: DEFAULT_SETTINGS.meaningWeight,
    description: 'Weight of meaning in hybrid search. 1 is the tuned default, 0 ignores meaning.',
  }),
  duplicateThreshold: setting(fraction(0, 1), {
    default: DEFAULT_SETTINGS.duplicateThreshold,
    description: 'Similarity at or above which two memories count as near duplicates.',
    alsoEnv: ['MCP_SEMANTIC_DEDUP_THRESHOLD'],
  }),
  duplicateWindowHours: setting(integer(0, 1_000_000), {
    default: DEFAULT_SETTINGS.duplicateWindowHours,
    description: 'How far back to look for near duplicates, in hours. 0 means any age.',
    alsoEnv: ['MCP_SEMANTIC_DEDUP_TIME_WINDOW_HOURS'],
  }),
  maxContentChars: setting(integer(1, 10_000_000), {
    default: DEFAULT_SETTINGS.maxContentChars,
    description: 'Maximum length of a memory, in characters.',
  }),
  splitChars: setting(integer(0, 10_000_000), {
    default: DEFAULT_SETTINGS.splitChars,
    description: 'Split longer content into memories of at most this many characters. 0 never splits.',
    alsoEnv: ['MCP_SQLITEVEC_MAX_CONTENT_LENGTH'],
  }),
  splitOverlapChars: setting(integer(0, 100_000), {
    default: DEFAULT_SETTINGS.splitOverlapChars,
    description: 'Overlap between neighbouring parts of a split memory, in characters.',
    alsoEnv: ['MCP_CONTENT_SPLIT_OVERLAP'],
  }),
  maxResponseChars: setting(integer(0, 10_000_000), {
    default: DEFAULT_SETTINGS.maxResponseChars,
    description: 'Maximum number of content characters in one search result. 0 means unlimited.',
    alsoEnv: ['MCP_MAX_RESPONSE_CHARS'],
  }),
  indexBudgetMb: setting(integer(16, 1_000_000), {
    default: Math.round(DEFAULT_SETTINGS.indexBudgetBytes / 2 ** 20),
    description: 'Memory budget for all loaded search indexes together, in MiB.',
  }),
  flushPassages: setting(integer(1, 1_000_000), {
    default: DEFAULT_SETTINGS.flushPassages,
    description: 'Number of new passages after which the index writes a segment.',
  }),
  keepDeletedDays: setting(integer(0, 36_500), {
    default: DEFAULT_SETTINGS.keepDeletedDays,
    description: 'Number of days for which a deleted memory can be restored.',
  }),
  embedder: optional(choice(EMBEDDERS), {
    description:
      'What turns text into vectors: static (bundled), openai (any /v1/embeddings URL), onnx (a model in a folder) or none. The default is openai if embedder_url is set, onnx if embedder_folder is set, and otherwise static.',
  }),
  embedderUrl: optional(httpUrl, {
    description: 'URL of an OpenAI-compatible embeddings service, such as http://localhost:11434/v1.',
    alsoEnv: ['MCP_EXTERNAL_EMBEDDING_URL'],
  }),
  embedderModel: setting(text, {
    default: 'nomic-embed-text',
    description: 'Model to request from the embeddings service.',
    alsoEnv: ['MCP_EXTERNAL_EMBEDDING_MODEL'],
  }),
  embedderKey: optional(text, {
    description: 'Key for the embeddings service.',
    alsoEnv: ['MCP_EXTERNAL_EMBEDDING_API_KEY'],
    secret: true,
  }),
  embedderDimensions: optional(integer(8, 8192), {
    description: "Length of the vectors. By default the model's own.",
  }),
  embedderDailyTexts: setting(integer(0, 1_000_000_000), {
    default: 100_000,
    description: 'Maximum number of texts sent to the embeddings service per day. 0 means unlimited.',
  }),
  embedderFolder: optional(text, { description: 'Folder with an ONNX model: model.onnx and tokenizer.json.' }),
  previousEmbedder: optional(previousEmbedder, {
    description:
      'The previous embedder, as a JSON object. Searches use it until the new one has caught up. Written by `ltm embedder use`.',
  }),
  user: optional(text, { description: 'Your name, as the author of packets you draft; your login where not set.' }),
  output: setting(choice(['human', 'json']), {
    default: 'human',
    description: 'How commands print results: human, or json as with --json.',
  }),
  lenient: setting(onOff, {
    default: false,
    description: 'Send packets that are not valid all the same, and let the server decide.',
  }),
  editor: optional(text, {
    description: 'The editor that `ltm edit` and `ltm save` open; $VISUAL or $EDITOR where not set.',
  }),
  mcpSessions: setting(onOff, {
    default: false,
    description: 'Keep sessions for older MCP clients over HTTP. Without sessions, every request is independent.',
  }),
  upkeepSeconds: setting(integer(1, 86_400), {
    default: 30,
    description: 'Seconds between rounds of background work on a server.',
  }),
};

type Table = typeof TABLE;
export type SettingKey = keyof Table;
type ValueOf<S> = S extends SettingEntry<infer T> ? T : never;
export type SettingValues = { [K in SettingKey]: ValueOf<Table[K]> };

export interface Setting {
  key: SettingKey;
  /** In the config file and for `ltm config`. */
  name: string;
  flag: string;
  /** In the order they are looked at. */
  env: readonly string[];
  description: string;
  secret: boolean;
  kind: SettingKind<unknown>;
  defaultFor(env: Environment): unknown;
}

export const SETTINGS: readonly Setting[] = Object.entries(TABLE).map(([key, entry]) =>
  describeSetting(key as SettingKey, entry),
);

function describeSetting(key: SettingKey, entry: SettingEntry<unknown>): Setting {
  const name = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const { description, kind, alsoEnv = [], secret = false, default: value } = entry;
  return {
    key,
    name,
    flag: `--${name.replaceAll('_', '-')}`,
    env: [`LTM_${name.toUpperCase()}`, ...alsoEnv],
    description,
    secret,
    kind,
    defaultFor: (env) => (typeof value === 'function' ? value(env) : value),
  };
}

function setting<T>(kind: SettingKind<T>, entry: Omit<SettingEntry<NoInfer<T>>, 'kind'>): SettingEntry<T> {
  return { ...entry, kind };
}

/** null where nobody says anything. */
function optional<T>(kind: SettingKind<T>, entry: Omit<SettingEntry<T>, 'kind' | 'default'>): SettingEntry<T | null> {
  return { ...entry, kind, default: null };
}
