import { join } from 'node:path';
import { DEFAULT_SETTINGS as ENGINE } from '../engine/default-settings.ts';
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
  alsoEnv: readonly string[];
  /** Never shown, logged or repeated in an error. */
  secret: boolean;
  kind: SettingKind<T>;
}

/** One entry per setting; the names people use follow from the key: `maxBodyBytes` is `max_body_bytes`, `--max-body-bytes` and `LTM_MAX_BODY_BYTES`. */
const TABLE = {
  server: optional(serverUrl).about(
    'The server whose memory the commands and `ltm mcp` use; the database of this machine where not set.',
  ),
  db: setting(text, (env) => join(dataFolder(env), 'memory.db'), ['LTM_DB_PATH', 'MCP_MEMORY_SQLITE_PATH']).about(
    'The database: a file path, or the postgres:// address of one on a server.',
  ),
  dbReadUrl: secret(text).about(
    'Address of a read replica of db (PostgreSQL): what need not come from the primary is read there.',
  ),
  dbListenUrl: secret(text).about(
    "Address of the PostgreSQL server itself, where db leads to a pooler in transaction mode: other nodes' commits are heard there.",
  ),
  host: setting(text, '127.0.0.1', ['MCP_HTTP_HOST']).about('The address that `ltm serve` listens on.'),
  port: setting(integer(0, 65535), 8000, ['MCP_HTTP_PORT']).about(
    'The port `ltm serve` listens on; 0 takes a free one.',
  ),
  allowedHosts: setting(hosts, []).about('Host headers accepted besides localhost and the address listened on.'),
  allowedOrigins: setting(origins, []).about(
    'Origins of web pages that may call the server; none but its own by default.',
  ),
  externalUrl: optional(httpUrl).about(
    'The address at which people and programs reach the server, where a proxy stands in front of it; used in links.',
  ),
  oauth: setting(onOff, true, ['MCP_OAUTH_ENABLED']).about(
    'People let programs in with a browser (OAuth 2.1), over https or on this machine; false leaves tokens in a header alone.',
  ),
  oauthLoopbackClients: setting(onOff, false).about(
    'For development: descriptions of OAuth clients may also be read from this machine, whatever the certificate.',
  ),
  tokensFile: optional(text, ['MCP_TOKENS_PATH']).about(
    'A JSON file of tokens and the users they belong to, read again when it changes; beside the tokens in the database.',
  ),
  writesPerMinute: setting(integer(0, 1_000_000), 600).about(
    'Writes that one person may make in a minute over HTTP; 0 is unlimited.',
  ),
  writeBurst: setting(integer(1, 1_000_000), 1200).about(
    'Writes that one person may make at once before writes_per_minute holds.',
  ),
  readsPerMinute: setting(integer(0, 1_000_000), 3000).about(
    'Reads that one person may make in a minute over HTTP; 0 is unlimited.',
  ),
  trustedProxies: setting(addresses, []).about(
    'Addresses or networks of reverse proxies whose X-Forwarded-For, -Proto and -Host are believed; nobody by default.',
  ),
  tlsCert: optional(text).about('Certificate (PEM) with which `ltm serve` speaks HTTPS; read again when it changes.'),
  tlsKey: optional(text).about('Private key (PEM) of tls_cert.'),
  tools: optional(toolFamilies).about(
    'Families of tools that MCP clients are shown; core where not set. All can be called.',
  ),
  eventHeartbeatSeconds: setting(integer(1, 300), 30, ['MCP_SSE_HEARTBEAT']).about(
    'Seconds between heartbeats on the stream of events.',
  ),
  maxBodyBytes: setting(integer(1024, 1 << 30), 1 << 20).about('Largest request body, in bytes.'),
  maxImportBytes: setting(integer(1024, 1 << 30), 256 << 20).about('Largest body of an import over REST, in bytes.'),
  logLevel: setting(choice(['silent', 'error', 'warn', 'info', 'debug']), 'info').about(
    'How much is logged on stderr; debug also shows where a command failed.',
  ),
  timeZone: optional(timeZone).about("Zone in which time phrases are read; the system's where not set."),
  memoryTypes: setting(memoryTypes, ENGINE.memoryTypes, ['MCP_CUSTOM_MEMORY_TYPES']).about(
    'Memory types added to the built-in ones: a JSON object of bases and their subtypes.',
  ),
  onDuplicate: setting(
    choice<OnDuplicate>(['report', 'store', 'merge', 'append', 'supersede', 'refuse']),
    ENGINE.onDuplicate,
  ).about('What happens to a new memory that nearly equals an old one, where the caller says nothing.'),
  wordsWeight: setting(fraction(0, 10), ENGINE.wordsWeight).about(
    'How much words count in hybrid search; 1 is as measured, 0 not at all.',
  ),
  meaningWeight: setting(fraction(0, 10), ENGINE.meaningWeight).about(
    'How much meaning counts in hybrid search; 1 is as measured, 0 not at all.',
  ),
  duplicateThreshold: setting(fraction(0, 1), ENGINE.duplicateThreshold, ['MCP_SEMANTIC_DEDUP_THRESHOLD']).about(
    'Similarity from which two memories are called near duplicates.',
  ),
  duplicateWindowHours: setting(integer(0, 1_000_000), ENGINE.duplicateWindowHours, [
    'MCP_SEMANTIC_DEDUP_TIME_WINDOW_HOURS',
  ]).about('How far back near duplicates are looked for, in hours; 0 is any age.'),
  maxContentChars: setting(integer(1, 10_000_000), ENGINE.maxContentChars).about(
    'Longest content of one memory, in characters.',
  ),
  splitChars: setting(integer(0, 10_000_000), ENGINE.splitChars, ['MCP_SQLITEVEC_MAX_CONTENT_LENGTH']).about(
    'Split longer content into memories of at most this many characters; 0 never splits.',
  ),
  splitOverlapChars: setting(integer(0, 100_000), ENGINE.splitOverlapChars, ['MCP_CONTENT_SPLIT_OVERLAP']).about(
    'Characters that neighbouring pieces of a split memory share.',
  ),
  maxResponseChars: setting(integer(0, 10_000_000), ENGINE.maxResponseChars, ['MCP_MAX_RESPONSE_CHARS']).about(
    'Most characters of content in one search answer; 0 is unlimited.',
  ),
  indexBudgetMb: setting(integer(16, 1_000_000), Math.round(ENGINE.indexBudgetBytes / 2 ** 20)).about(
    'Memory that all loaded search indexes together may take, in MiB.',
  ),
  flushPassages: setting(integer(1, 1_000_000), ENGINE.flushPassages).about(
    'New passages after which the index writes a segment.',
  ),
  keepDeletedDays: setting(integer(0, 36_500), ENGINE.keepDeletedDays).about(
    'Days in which a deleted memory can be restored.',
  ),
  embedder: optional(choice(EMBEDDERS)).about(
    'What turns text into vectors: static (bundled), openai (any /v1/embeddings URL), onnx (a model in a folder) or none. Where not set: openai with embedder_url, onnx with embedder_folder, otherwise static.',
  ),
  embedderUrl: optional(httpUrl, ['MCP_EXTERNAL_EMBEDDING_URL']).about(
    'Address of an OpenAI-compatible embeddings service, such as http://localhost:11434/v1.',
  ),
  embedderModel: setting(text, 'nomic-embed-text', ['MCP_EXTERNAL_EMBEDDING_MODEL']).about(
    'Model to ask the embeddings service for.',
  ),
  embedderKey: secret(text, ['MCP_EXTERNAL_EMBEDDING_API_KEY']).about('Key for the embeddings service.'),
  embedderDimensions: optional(integer(8, 8192)).about("Length of the vectors; the model's own where not set."),
  embedderDailyTexts: setting(integer(0, 1_000_000_000), 100_000).about(
    'Most texts sent to the embeddings service in a day; 0 is unlimited.',
  ),
  embedderFolder: optional(text).about('Folder of an ONNX model: model.onnx and tokenizer.json.'),
  previousEmbedder: optional(previousEmbedder).about(
    'The embedder before a change, as a JSON object; searches use it until the new one has caught up. `ltm embedder use` writes it.',
  ),
  user: optional(text).about('Your name, as the author of packets you draft; your login where not set.'),
  output: setting(choice(['human', 'json']), 'human').about(
    'How commands print results: human, or json as with --json.',
  ),
  lenient: setting(onOff, false).about('Send packets that are not valid all the same, and let the server decide.'),
  editor: optional(text).about('The editor that `ltm edit` and `ltm save` open; $VISUAL or $EDITOR where not set.'),
  mcpSessions: setting(onOff, false).about(
    'Keep sessions for older MCP clients over HTTP; without them every request stands alone.',
  ),
  upkeepSeconds: setting(integer(1, 86_400), 30).about('Seconds between rounds of background work while serving.'),
};

type Table = typeof TABLE;
export type SettingKey = keyof Table;
type ValueOf<S> = S extends SettingEntry<infer T> ? T : never;
export type SettingValues = { [K in SettingKey]: ValueOf<Table[K]> };

export interface Setting extends Pick<SettingEntry<unknown>, 'description' | 'kind' | 'secret'> {
  key: SettingKey;
  /** In the config file and for `ltm config`. */
  name: string;
  flag: string;
  /** In the order they are looked at. */
  env: readonly string[];
  defaultFor(env: Environment): unknown;
}

export const SETTINGS: readonly Setting[] = Object.entries(TABLE).map(([key, entry]) =>
  describeSetting(key as SettingKey, entry),
);

function describeSetting(key: SettingKey, entry: SettingEntry<unknown>): Setting {
  const name = key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const { alsoEnv, default: value, ...said } = entry;
  return {
    ...said,
    key,
    name,
    flag: `--${name.replaceAll('_', '-')}`,
    env: [`LTM_${name.toUpperCase()}`, ...alsoEnv],
    defaultFor: (env) => (typeof value === 'function' ? value(env) : value),
  };
}

interface Unsaid<T> {
  about(description: string): SettingEntry<T>;
}

function setting<T>(
  kind: SettingKind<T>,
  usual: SettingEntry<NoInfer<T>>['default'],
  alsoEnv: readonly string[] = [],
): Unsaid<T> {
  return { about: (description) => ({ kind, default: usual, alsoEnv, description, secret: false }) };
}

/** null where nobody says anything. */
function optional<T>(kind: SettingKind<T>, alsoEnv?: readonly string[]): Unsaid<T | null> {
  return setting<T | null>(kind, null, alsoEnv);
}

function secret<T>(kind: SettingKind<T>, alsoEnv?: readonly string[]): Unsaid<T | null> {
  return { about: (description) => ({ ...optional(kind, alsoEnv).about(description), secret: true }) };
}
