import { join } from 'node:path';
import { CORE_SETTINGS as CORE } from '../engine/default-settings.ts';
import { ON_DUPLICATE } from '../model/memory-types.ts';
import { REDACT_MODES } from '../model/redaction.ts';
import { optional, secret, setting } from './define-setting.ts';
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
  path,
  previousEmbedder,
  privacyPatterns,
  serverUrl,
  text,
  timeZone,
  workers,
} from './setting-kinds.ts';
import { dataFolder } from './user-folders.ts';

/** One entry per setting of the core, the doors and the server, in the order in which they are listed. */
export const CORE_TABLE = {
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
  tokensFile: optional(path, ['MCP_TOKENS_PATH']).about(
    'A JSON file that maps tokens to users, in addition to the tokens in the database. Reloaded when it changes.',
  ),
  apiKey: secret(text, ['MCP_API_KEY']).about(
    "A key with every right to the owner's memories, in addition to tokens, for programs that are set up with one.",
  ),
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
  tlsCert: optional(path).about('Certificate (PEM) for HTTPS. Reloaded when it changes.'),
  tlsKey: optional(path).about('Private key (PEM) for tls_cert.'),
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
  logLevel: setting(choice(['silent', 'error', 'warn', 'info', 'debug']), 'info').about(
    'Log level on stderr. With debug, commands also print the stack trace of an error.',
  ),
  logFile: optional(path).about(
    'File that `ltm serve` writes its log to instead of stderr. It starts anew at 10 MB, and three full ones are kept.',
  ),
  timeZone: optional(timeZone).about("Time zone for time phrases. By default the system's."),
  memoryTypes: setting(memoryTypes, CORE.memoryTypes, ['MCP_CUSTOM_MEMORY_TYPES']).about(
    'Memory types in addition to the built-in ones: a JSON object of base types and their subtypes.',
  ),
  onDuplicate: setting(choice(ON_DUPLICATE), CORE.onDuplicate, {
    // it decides about near copies alone: the same text is never stored twice
    MCP_SEMANTIC_DEDUP_ENABLED: (raw) => ({ true: 'refuse', false: 'report' })[String(onOff.read(raw))] ?? raw,
  }).about('What to do with a near duplicate, unless the caller says otherwise.'),
  wordsWeight: setting(fraction(0, 10), CORE.wordsWeight, {
    MCP_HYBRID_KEYWORD_WEIGHT: inShares(0.3),
  }).about('Weight of words in hybrid search. 1 is the tuned default, 0 ignores words.'),
  meaningWeight: setting(fraction(0, 10), CORE.meaningWeight, {
    MCP_HYBRID_SEMANTIC_WEIGHT: inShares(0.7),
  }).about('Weight of meaning in hybrid search. 1 is the tuned default, 0 ignores meaning.'),
  duplicateThreshold: setting(fraction(0, 1), CORE.duplicateThreshold, ['MCP_SEMANTIC_DEDUP_THRESHOLD']).about(
    'Similarity at or above which two memories count as near duplicates.',
  ),
  duplicateWindowHours: setting(integer(0, 1_000_000), CORE.duplicateWindowHours, [
    'MCP_SEMANTIC_DEDUP_TIME_WINDOW_HOURS',
  ]).about('How far back to look for near duplicates, in hours. 0 means any age.'),
  maxContentChars: setting(integer(1, 10_000_000), CORE.maxContentChars).about(
    'Maximum length of a memory, in characters.',
  ),
  splitChars: setting(integer(0, 10_000_000), CORE.splitChars, ['MCP_SQLITEVEC_MAX_CONTENT_LENGTH']).about(
    'Split longer content into memories of at most this many characters. 0 never splits.',
  ),
  splitOverlapChars: setting(integer(0, 100_000), CORE.splitOverlapChars, ['MCP_CONTENT_SPLIT_OVERLAP']).about(
    'Overlap between neighbouring parts of a split memory, in characters.',
  ),
  maxResponseChars: setting(integer(0, 10_000_000), CORE.maxResponseChars, ['MCP_MAX_RESPONSE_CHARS']).about(
    'Maximum number of content characters in one search result. 0 means unlimited.',
  ),
  indexBudgetMb: setting(integer(16, 1_000_000), Math.round(CORE.indexBudgetBytes / 2 ** 20)).about(
    'Memory budget for all loaded search indexes together, in MiB. By default at most an eighth of the memory of the machine, and a quarter of what the system grants the process (MemoryMax, a container).',
  ),
  flushPassages: setting(integer(1, 1_000_000), CORE.flushPassages).about(
    'Maximum number of new passages after which the index writes a segment; small indexes write sooner.',
  ),
  keepDeletedDays: setting(integer(0, 36_500), CORE.keepDeletedDays).about(
    'Number of days for which a deleted memory can be restored.',
  ),
  redact: setting(choice(REDACT_MODES), CORE.redact).about(
    'What to do with secrets in what is stored: replace them by a marker, report them and keep them, or off. Packets with secrets are refused in any case.',
  ),
  privacyPatterns: setting(privacyPatterns, []).about(
    'Regular expressions for what else is replaced in what is captured and in context that is given back, with or without a name for the marker.',
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
  embedderFolder: optional(path).about('Folder with an ONNX model: model.onnx and tokenizer.json.'),
  decayWindowDays: setting(integer(0, 36_500), CORE.decayWindowDays, ['MEMORY_DECAY_WINDOW_DAYS']).about(
    'Where a search weighs age (ranking, mode ranked): after this many days without a read, 1/e of the freshness is left. 0 means that age does not count.',
  ),
  previousEmbedder: optional(previousEmbedder).about(
    'The previous embedder, as a JSON object. Searches use it until the new one has caught up. Written by `ltm embedder use`.',
  ),
  project: setting(text, 'auto').about(
    'Project of memories that an agent stores over stdio without naming one: auto (the repository or folder it works in), off, or a name.',
  ),
  output: setting(choice(['human', 'json']), 'human').about(
    'Output format of commands: human, or json (as with --json).',
  ),
  editor: optional(text).about(
    'The editor for `ltm edit` and `ltm save`. By default $VISUAL or $EDITOR, else vi, on Windows notepad. It may have arguments, such as `code --wait`.',
  ),
  mcpSessions: setting(onOff, false).about(
    'Keep sessions for older MCP clients over HTTP. Without sessions, every request is independent.',
  ),
  upkeepSeconds: setting(integer(1, 86_400), 30).about('Seconds between rounds of background work on a server.'),
};

/** The service's weights add up to one; ours are parts of what was measured. */
function inShares(usual: number): (raw: string) => unknown {
  return (raw) => (raw.trim() !== '' && Number.isFinite(Number(raw)) ? Number(raw) / usual : raw);
}
