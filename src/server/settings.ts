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
    description: 'The database: a file path, or the postgres:// address of one on a server.',
    alsoEnv: ['LTM_DB_PATH', 'MCP_MEMORY_SQLITE_PATH'],
  }),
  dbReadUrl: optional(text, {
    description: 'Address of a read replica of db (PostgreSQL): what need not come from the primary is read there.',
    secret: true,
  }),
  dbListenUrl: optional(text, {
    description:
      "Address of the PostgreSQL server itself, where db leads to a pooler in transaction mode: other nodes' commits are heard there.",
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
    description: 'Host headers accepted besides localhost and the address listened on.',
  }),
  allowedOrigins: setting(origins, {
    default: [],
    description: 'Origins of web pages that may call the server; none but its own by default.',
  }),
  externalUrl: optional(httpUrl, {
    description:
      'The address at which people and programs reach the server, where a proxy stands in front of it; used in links.',
  }),
  oauth: setting(onOff, {
    default: true,
    description:
      'People let programs in with a browser (OAuth 2.1), over https or on this machine; false leaves tokens in a header alone.',
    alsoEnv: ['MCP_OAUTH_ENABLED'],
  }),
  oauthLoopbackClients: setting(onOff, {
    default: false,
    description:
      'For development: descriptions of OAuth clients may also be read from this machine, whatever the certificate.',
  }),
  tokensFile: optional(text, {
    description:
      'A JSON file of tokens and the users they belong to, read again when it changes; beside the tokens in the database.',
    alsoEnv: ['MCP_TOKENS_PATH'],
  }),
  writesPerMinute: setting(integer(0, 1_000_000), {
    default: 600,
    description: 'Writes that one person may make in a minute over HTTP; 0 is unlimited.',
  }),
  writeBurst: setting(integer(1, 1_000_000), {
    default: 1200,
    description: 'Writes that one person may make at once before writes_per_minute holds.',
  }),
  readsPerMinute: setting(integer(0, 1_000_000), {
    default: 3000,
    description: 'Reads that one person may make in a minute over HTTP; 0 is unlimited.',
  }),
  trustedProxies: setting(addresses, {
    default: [],
    description:
      'Addresses or networks of reverse proxies whose X-Forwarded-For, -Proto and -Host are believed; nobody by default.',
  }),
  tlsCert: optional(text, {
    description: 'Certificate (PEM) with which `ltm serve` speaks HTTPS; read again when it changes.',
  }),
  tlsKey: optional(text, { description: 'Private key (PEM) of tls_cert.' }),
  tools: optional(toolFamilies, {
    description: 'Families of tools that MCP clients are shown; core where not set. All can be called.',
  }),
  eventHeartbeatSeconds: setting(integer(1, 300), {
    default: 30,
    description: 'Seconds between heartbeats on the stream of events.',
    alsoEnv: ['MCP_SSE_HEARTBEAT'],
  }),
  maxBodyBytes: setting(integer(1024, 1 << 30), { default: 1 << 20, description: 'Largest request body, in bytes.' }),
  maxImportBytes: setting(integer(1024, 1 << 30), {
    default: 256 << 20,
    description: 'Largest body of an import over REST, in bytes.',
  }),
  logLevel: setting(choice(['silent', 'error', 'warn', 'info', 'debug']), {
    default: 'info',
    description: 'How much is logged on stderr; debug also shows where a command failed.',
  }),
  timeZone: optional(timeZone, { description: "Zone in which time phrases are read; the system's where not set." }),
  memoryTypes: setting(memoryTypes, {
    default: DEFAULT_SETTINGS.memoryTypes,
    description: 'Memory types added to the built-in ones: a JSON object of bases and their subtypes.',
    alsoEnv: ['MCP_CUSTOM_MEMORY_TYPES'],
  }),
  onDuplicate: setting(choice<OnDuplicate>(['report', 'store', 'merge', 'append', 'supersede', 'refuse']), {
    default: DEFAULT_SETTINGS.onDuplicate,
    description: 'What happens to a new memory that nearly equals an old one, where the caller says nothing.',
  }),
  wordsWeight: setting(fraction(0, 10), {
    default: DEFAULT_SETTINGS.wordsWeight,
    description: 'How much words count in hybrid search; 1 is as measured, 0 not at all.',
  }),
  meaningWeight: setting(fraction(0, 10), {
    default: DEFAULT_SETTINGS.meaningWeight,
    description: 'How much meaning counts in hybrid search; 1 is as measured, 0 not at all.',
  }),
  duplicateThreshold: setting(fraction(0, 1), {
    default: DEFAULT_SETTINGS.duplicateThreshold,
    description: 'Similarity from which two memories are called near duplicates.',
    alsoEnv: ['MCP_SEMANTIC_DEDUP_THRESHOLD'],
  }),
  duplicateWindowHours: setting(integer(0, 1_000_000), {
    default: DEFAULT_SETTINGS.duplicateWindowHours,
    description: 'How far back near duplicates are looked for, in hours; 0 is any age.',
    alsoEnv: ['MCP_SEMANTIC_DEDUP_TIME_WINDOW_HOURS'],
  }),
  maxContentChars: setting(integer(1, 10_000_000), {
    default: DEFAULT_SETTINGS.maxContentChars,
    description: 'Longest content of one memory, in characters.',
  }),
  splitChars: setting(integer(0, 10_000_000), {
    default: DEFAULT_SETTINGS.splitChars,
    description: 'Split longer content into memories of at most this many characters; 0 never splits.',
    alsoEnv: ['MCP_SQLITEVEC_MAX_CONTENT_LENGTH'],
  }),
  splitOverlapChars: setting(integer(0, 100_000), {
    default: DEFAULT_SETTINGS.splitOverlapChars,
    description: 'Characters that neighbouring pieces of a split memory share.',
    alsoEnv: ['MCP_CONTENT_SPLIT_OVERLAP'],
  }),
  maxResponseChars: setting(integer(0, 10_000_000), {
    default: DEFAULT_SETTINGS.maxResponseChars,
    description: 'Most characters of content in one search answer; 0 is unlimited.',
    alsoEnv: ['MCP_MAX_RESPONSE_CHARS'],
  }),
  indexBudgetMb: setting(integer(16, 1_000_000), {
    default: Math.round(DEFAULT_SETTINGS.indexBudgetBytes / 2 ** 20),
    description: 'Memory that all loaded search indexes together may take, in MiB.',
  }),
  flushPassages: setting(integer(1, 1_000_000), {
    default: DEFAULT_SETTINGS.flushPassages,
    description: 'New passages after which the index writes a segment.',
  }),
  keepDeletedDays: setting(integer(0, 36_500), {
    default: DEFAULT_SETTINGS.keepDeletedDays,
    description: 'Days in which a deleted memory can be restored.',
  }),
  embedder: optional(choice(EMBEDDERS), {
    description:
      'What turns text into vectors: static (bundled), openai (any /v1/embeddings URL), onnx (a model in a folder) or none. Where not set: openai with embedder_url, onnx with embedder_folder, otherwise static.',
  }),
  embedderUrl: optional(httpUrl, {
    description: 'Address of an OpenAI-compatible embeddings service, such as http://localhost:11434/v1.',
    alsoEnv: ['MCP_EXTERNAL_EMBEDDING_URL'],
  }),
  embedderModel: setting(text, {
    default: 'nomic-embed-text',
    description: 'Model to ask the embeddings service for.',
    alsoEnv: ['MCP_EXTERNAL_EMBEDDING_MODEL'],
  }),
  embedderKey: optional(text, {
    description: 'Key for the embeddings service.',
    alsoEnv: ['MCP_EXTERNAL_EMBEDDING_API_KEY'],
    secret: true,
  }),
  embedderDimensions: optional(integer(8, 8192), {
    description: "Length of the vectors; the model's own where not set.",
  }),
  embedderDailyTexts: setting(integer(0, 1_000_000_000), {
    default: 100_000,
    description: 'Most texts sent to the embeddings service in a day; 0 is unlimited.',
  }),
  embedderFolder: optional(text, { description: 'Folder of an ONNX model: model.onnx and tokenizer.json.' }),
  previousEmbedder: optional(previousEmbedder, {
    description:
      'The embedder before a change, as a JSON object; searches use it until the new one has caught up. `ltm embedder use` writes it.',
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
    description: 'Keep sessions for older MCP clients over HTTP; without them every request stands alone.',
  }),
  upkeepSeconds: setting(integer(1, 86_400), {
    default: 30,
    description: 'Seconds between rounds of background work while serving.',
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
