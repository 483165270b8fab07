import { join } from 'node:path';
import { SERVICE_SETTINGS } from '../compat/service/service-setting-table.ts';
import { DEFAULT_SETTINGS as ENGINE } from '../engine/default-settings.ts';
import { AGEING_SETTINGS } from '../features/consolidation/ageing-setting-table.ts';
import { ON_DUPLICATE } from '../model/memory-types.ts';
import { REDACT_MODES } from '../model/redaction.ts';
import { type Environment, optional, type SettingEntry, secret, setting } from './define-setting.ts';
import {
  addresses,
  choice,
  EMBEDDERS,
  fraction,
  hosts,
  httpUrl,
  integer,
  memoryTypes,
  names,
  onOff,
  origins,
  previousEmbedder,
  privacyPatterns,
  serverUrl,
  text,
  timeZone,
  toolFamilies,
  workers,
} from './setting-kinds.ts';
import { dataFolder } from './user-folders.ts';

export type { Environment } from './define-setting.ts';

/** One entry per setting; the names people use follow from the key: `maxBodyBytes` is `max_body_bytes`, `--max-body-bytes` and `LTM_MAX_BODY_BYTES`. */
const TABLE = {
  server: optional(serverUrl).about(
    'URL of the server that commands and `ltm mcp` use. By default they use the local database.',
  ),
  db: setting(text, (env) => join(dataFolder(env), 'memory.db'), ['LTM_DB_PATH', 'MCP_MEMORY_SQLITE_PATH']).about(
    'The database: a file path, or the postgres:// URL of a server.',
  ),
  dbReadUrl: secret(text).about('URL of a read replica of db (PostgreSQL), for reads that do not need the primary.'),
  dbListenUrl: secret(text).about(
    'URL of the PostgreSQL server itself, if db points to a pooler in transaction mode. ltm listens there for commits of other nodes.',
  ),
  dbAdminUrl: secret(text).about(
    "URL of the same PostgreSQL database for a role that may take the place of the tables' owner. Used only to upgrade the tables at the start, and by `ltm server roles`, `distribute` and `isolate`.",
  ),
  host: setting(text, '127.0.0.1', ['MCP_HTTP_HOST']).about('The address that `ltm serve` listens on.'),
  port: setting(integer(0, 65535), 8000, ['MCP_HTTP_PORT', 'PORT']).about(
    'The port `ltm serve` listens on; 0 takes a free one.',
  ),
  workers: setting(workers, 1).about(
    'Number of processes that `ltm serve` answers with, on one port and one database: a number, or auto for one per core.',
  ),
  observePort: optional(integer(0, 65535)).about(
    'A second port of `ltm serve`, on 127.0.0.1 and without TLS, for programs that know LongMem at 38741. By default there is none.',
  ),
  allowedHosts: setting(hosts, []).about(
    'Accepted Host headers, in addition to localhost and the address that the server listens on.',
  ),
  allowedOrigins: setting(origins, []).about('Origins of web pages that may call the server. By default only its own.'),
  externalUrl: optional(httpUrl).about('The public URL of the server, for example behind a proxy. Used in links.'),
  oauth: setting(onOff, true, ['MCP_OAUTH_ENABLED']).about(
    'Allow programs to connect with OAuth 2.1, over https or on this machine. If false, only bearer tokens work.',
  ),
  oauthLoopbackClients: setting(onOff, false).about(
    'For development: also read OAuth client metadata documents from this machine, without checking the certificate.',
  ),
  tokensFile: optional(text, ['MCP_TOKENS_PATH']).about(
    'A JSON file that maps tokens to users, in addition to the tokens in the database. Reloaded when it changes.',
  ),
  apiKey: secret(text, ['MCP_API_KEY']).about(
    "A key with every right to the owner's memories, in addition to tokens, for programs that are set up with one.",
  ),
  mcpToken: secret(text, ['MCP_TOKEN']).about(
    'A token for agents: it reads every workspace, and changes the one it is bound to. Goes with sync_token.',
  ),
  syncToken: secret(text, ['SYNC_TOKEN']).about(
    'A token for programs that upload notes and transcripts to workspaces. Goes with mcp_token.',
  ),
  workspaceTeam: optional(text).about(
    "The team whose workspaces mcp_token and sync_token open. By default the owner's own.",
  ),
  memoryRoot: optional(text, ['MEMORY_ROOT']).about(
    'A folder in which `ltm serve` keeps all workspaces as files, and from which it reads edits of notes back. None by default.',
  ),
  welcomeFile: optional(text).about('A Markdown file that stands first in the overview of all workspaces.'),
  writesPerMinute: setting(integer(0, 1_000_000), 600).about(
    'Rate limit for writes per person and minute over HTTP. 0 means unlimited.',
  ),
  writeBurst: setting(integer(1, 1_000_000), 1200).about(
    'Number of writes that one person may make in a burst before writes_per_minute applies.',
  ),
  readsPerMinute: setting(integer(0, 1_000_000), 3000).about(
    'Rate limit for reads per person and minute over HTTP. 0 means unlimited.',
  ),
  trustedProxies: setting(addresses, []).about(
    'Addresses or networks of reverse proxies whose X-Forwarded-For, -Proto and -Host headers are trusted. None by default.',
  ),
  tlsCert: optional(text).about('Certificate (PEM) for HTTPS. Reloaded when it changes.'),
  tlsKey: optional(text).about('Private key (PEM) for tls_cert.'),
  tools: optional(toolFamilies).about(
    'Tool families that are listed to MCP clients; core by default. All tools can be called.',
  ),
  maxStreams: setting(integer(1, 1_000_000), 10_000).about(
    'Maximum number of streams that are open at the same time (live events, MCP). Further ones are refused with 503.',
  ),
  eventHeartbeatSeconds: setting(integer(1, 300), 30, ['MCP_SSE_HEARTBEAT']).about(
    'Seconds between heartbeats on the event stream.',
  ),
  maxBodyBytes: setting(integer(1024, 1 << 30), 1 << 20).about('Maximum size of a request body, in bytes.'),
  maxImportBytes: setting(integer(1024, 1 << 30), 256 << 20).about('Maximum size of an import over REST, in bytes.'),
  maxUploadBytes: setting(integer(1024, 1 << 30), 64 << 20).about(
    'Maximum size of a request that uploads a note or a transcript, in bytes.',
  ),
  maxDocumentBytes: setting(integer(1024, 1 << 30), ENGINE.maxDocumentBytes).about(
    'Maximum size of a document that is ingested, in bytes. Over REST it takes the place of max_body_bytes.',
  ),
  ingestUrls: setting(onOff, false).about(
    'Allow documents to be ingested from URLs: this program then asks the servers of others, on public addresses only.',
  ),
  logLevel: setting(choice(['silent', 'error', 'warn', 'info', 'debug']), 'info').about(
    'Log level on stderr. With debug, commands also print the stack trace of an error.',
  ),
  logFile: optional(text).about(
    'File that `ltm serve` writes its log to instead of stderr. It starts anew at 10 MB, and three full ones are kept.',
  ),
  backupDir: optional(text, ['MCP_MEMORY_BACKUPS_PATH']).about(
    'Folder of the backups that `ltm backup` makes. By default `backups` beside the database.',
  ),
  backupKeepDays: optional(integer(1, 36_500)).about(
    'Days after which `ltm backup create` removes its older backups. By default it removes none.',
  ),
  timeZone: optional(timeZone).about("Time zone for time phrases. By default the system's."),
  memoryTypes: setting(memoryTypes, ENGINE.memoryTypes, ['MCP_CUSTOM_MEMORY_TYPES']).about(
    'Memory types in addition to the built-in ones: a JSON object of base types and their subtypes.',
  ),
  onDuplicate: setting(choice(ON_DUPLICATE), ENGINE.onDuplicate, {
    // it decides about near copies alone: the same text is never stored twice
    MCP_SEMANTIC_DEDUP_ENABLED: (raw) => ({ true: 'refuse', false: 'report' })[String(onOff.read(raw))] ?? raw,
  }).about('What to do with a near duplicate, unless the caller says otherwise.'),
  wordsWeight: setting(fraction(0, 10), ENGINE.wordsWeight, {
    MCP_HYBRID_KEYWORD_WEIGHT: inShares(0.3),
  }).about('Weight of words in hybrid search. 1 is the tuned default, 0 ignores words.'),
  meaningWeight: setting(fraction(0, 10), ENGINE.meaningWeight, {
    MCP_HYBRID_SEMANTIC_WEIGHT: inShares(0.7),
  }).about('Weight of meaning in hybrid search. 1 is the tuned default, 0 ignores meaning.'),
  duplicateThreshold: setting(fraction(0, 1), ENGINE.duplicateThreshold, ['MCP_SEMANTIC_DEDUP_THRESHOLD']).about(
    'Similarity at or above which two memories count as near duplicates.',
  ),
  duplicateWindowHours: setting(integer(0, 1_000_000), ENGINE.duplicateWindowHours, [
    'MCP_SEMANTIC_DEDUP_TIME_WINDOW_HOURS',
  ]).about('How far back to look for near duplicates, in hours. 0 means any age.'),
  maxContentChars: setting(integer(1, 10_000_000), ENGINE.maxContentChars).about(
    'Maximum length of a memory, in characters.',
  ),
  splitChars: setting(integer(0, 10_000_000), ENGINE.splitChars, ['MCP_SQLITEVEC_MAX_CONTENT_LENGTH']).about(
    'Split longer content into memories of at most this many characters. 0 never splits.',
  ),
  splitOverlapChars: setting(integer(0, 100_000), ENGINE.splitOverlapChars, ['MCP_CONTENT_SPLIT_OVERLAP']).about(
    'Overlap between neighbouring parts of a split memory, in characters.',
  ),
  maxResponseChars: setting(integer(0, 10_000_000), ENGINE.maxResponseChars, ['MCP_MAX_RESPONSE_CHARS']).about(
    'Maximum number of content characters in one search result. 0 means unlimited.',
  ),
  indexBudgetMb: setting(integer(16, 1_000_000), Math.round(ENGINE.indexBudgetBytes / 2 ** 20)).about(
    'Memory budget for all loaded search indexes together, in MiB. By default at most an eighth of the memory of the machine, and a quarter of what the system grants the process (MemoryMax, a container).',
  ),
  flushPassages: setting(integer(1, 1_000_000), ENGINE.flushPassages).about(
    'Maximum number of new passages after which the index writes a segment; small indexes write sooner.',
  ),
  keepDeletedDays: setting(integer(0, 36_500), ENGINE.keepDeletedDays).about(
    'Number of days for which a deleted memory can be restored.',
  ),
  keepObservationsDays: setting(integer(0, 36_500), ENGINE.keepObservationsDays).about(
    'Number of days for which observations of sessions are kept. Digests of sessions stay. 0 means for good.',
  ),
  keepTranscriptsDays: setting(integer(0, 36_500), ENGINE.keepTranscriptsDays).about(
    'Days after which transcripts of sessions are purged. 0 keeps them forever.',
  ),
  redact: setting(choice(REDACT_MODES), ENGINE.redact).about(
    'What to do with secrets in what is stored: replace them by a marker, report them and keep them, or off. Packets with secrets are refused in any case.',
  ),
  captureExcludeTools: setting(names, []).about(
    "Tools whose use is never captured from agents' sessions, such as Bash,mcp__jira__*.",
  ),
  captureExcludePaths: setting(names, []).about(
    'Files of which only the path is captured, in addition to .env, *.pem, id_rsa and the like: names, or ends of paths, such as *.tfstate,secrets/.',
  ),
  captureExcludeProjects: setting(names, []).about(
    'Projects of which nothing is captured: by name, or by folder, such as /home/me/private.',
  ),
  privacyPatterns: setting(privacyPatterns, []).about(
    'Regular expressions for what else is replaced in what is captured and in context that is given back, with or without a name for the marker.',
  ),
  contextMaxEntries: setting(integer(0, 50), ENGINE.contextMaxEntries).about(
    'Maximum number of lines that a session of an agent is given by itself. 0 turns this off.',
  ),
  contextMaxTokens: setting(integer(0, 8_000), ENGINE.contextMaxTokens).about(
    'Maximum number of tokens that they may cost, by a careful estimate. 0 turns this off.',
  ),
  contextTimeoutMs: setting(integer(0, 10_000), ENGINE.contextTimeoutMs).about(
    'How long choosing them may take, in milliseconds; after that the session is given nothing.',
  ),
  embedder: optional(choice(EMBEDDERS)).about(
    'What turns text into vectors: static (bundled), openai (any /v1/embeddings URL), onnx (a model in a folder) or none. The default is openai if embedder_url is set, onnx if embedder_folder is set, and otherwise static.',
  ),
  embedderUrl: optional(httpUrl, ['MCP_EXTERNAL_EMBEDDING_URL']).about(
    'URL of an OpenAI-compatible embeddings service, such as http://localhost:11434/v1.',
  ),
  embedderModel: setting(text, 'nomic-embed-text', ['MCP_EXTERNAL_EMBEDDING_MODEL']).about(
    'Model to request from the embeddings service.',
  ),
  embedderKey: secret(text, ['MCP_EXTERNAL_EMBEDDING_API_KEY']).about('Key for the embeddings service.'),
  embedderDimensions: optional(integer(8, 8192)).about("Length of the vectors. By default the model's own."),
  embedderDailyTexts: setting(integer(0, 1_000_000_000), 100_000).about(
    'Maximum number of texts sent to the embeddings service per day. 0 means unlimited.',
  ),
  embedderFolder: optional(text).about('Folder with an ONNX model: model.onnx and tokenizer.json.'),
  summarizerUrl: optional(httpUrl).about(
    'URL of an OpenAI-compatible chat service that summarises observations, such as http://localhost:11434/v1. Without it nothing is sent anywhere, and rules make the summaries.',
  ),
  summarizerModel: setting(text, 'llama3.1:8b').about('Model to request from the summarizer.'),
  summarizerKey: secret(text).about('Key for the summarizer.'),
  summarizerPerMinute: setting(integer(1, 1_000), 10).about('Maximum number of calls of the summarizer per minute.'),
  summarizerTimeoutSeconds: setting(integer(1, 600), 30).about('How long one call of the summarizer may take.'),
  summarizerRetries: setting(integer(0, 10), 2).about('How often a call that failed is repeated.'),
  summarizerDailyCalls: setting(integer(0, 1_000_000), ENGINE.summarizerDailyCalls).about(
    'Maximum number of calls of the summarizer per day and person or team. 0 means unlimited.',
  ),
  ...AGEING_SETTINGS,
  previousEmbedder: optional(previousEmbedder).about(
    'The previous embedder, as a JSON object. Searches use it until the new one has caught up. Written by `ltm embedder use`.',
  ),
  project: setting(text, 'auto').about(
    'Project of memories that an agent stores over stdio without naming one: auto (the repository or folder it works in), off, or a name.',
  ),
  user: optional(text).about('Your name, as the author of packet drafts. By default your login name.'),
  output: setting(choice(['human', 'json']), 'human').about(
    'Output format of commands: human, or json (as with --json).',
  ),
  lenient: setting(onOff, false).about('Leave the validation of packets to the server (as with --lenient).'),
  editor: optional(text).about(
    'The editor for `ltm edit` and `ltm save`. By default $VISUAL or $EDITOR, else vi, on Windows notepad. It may have arguments, such as `code --wait`.',
  ),
  mcpSessions: setting(onOff, false).about(
    'Keep sessions for older MCP clients over HTTP. Without sessions, every request is independent.',
  ),
  ...SERVICE_SETTINGS,
  upkeepSeconds: setting(integer(1, 86_400), 30).about('Seconds between rounds of background work on a server.'),
};

/** The service's weights add up to one; ours are parts of what was measured. */
function inShares(usual: number): (raw: string) => unknown {
  return (raw) => (raw.trim() !== '' && Number.isFinite(Number(raw)) ? Number(raw) / usual : raw);
}

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
  /** What a value means here that a variable of another system holds. */
  convert(variable: string, raw: string): unknown;
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
    env: [`LTM_${name.toUpperCase()}`, ...(isNames(alsoEnv) ? alsoEnv : Object.keys(alsoEnv))],
    convert: (variable, raw) => (isNames(alsoEnv) ? raw : (alsoEnv[variable]?.(raw) ?? raw)),
    defaultFor: (env) => (typeof value === 'function' ? value(env) : value),
  };
}

function isNames(variables: SettingEntry<unknown>['alsoEnv']): variables is readonly string[] {
  return Array.isArray(variables);
}
