import type { Log } from '../../engine/ports.ts';
import { DECLARED_SETTINGS } from '../../features/settings.ts';
import type { Environment } from '../../settings/settings.ts';

/** What a variable of another memory system comes to here. Those that ltm reads itself stand in settings.ts and are not here. */
const COUNTERPARTS: Readonly<Record<string, string>> = {
  MCP_MEMORY_STORAGE_BACKEND: 'db: a file for SQLite, a postgres:// URL for PostgreSQL',
  MCP_MEMORY_BASE_DIR: 'db',
  MCP_MEMORY_USE_ONNX: 'embedder',
  MCP_EMBEDDING_MODEL: 'embedder',
  MCP_MEMORY_OFFLINE: 'nothing is needed: ltm is offline unless an embedder or summarizer is set',
  MCP_HTTP_ENABLED: '`ltm serve`',
  MCP_HTTPS_ENABLED: 'tls_cert and tls_key',
  MCP_SSE_MODE: '`ltm serve`, which has /sse',
  MCP_STREAMABLE_HTTP_MODE: '`ltm serve`, which has /mcp',
  MCP_SSE_HOST: 'host',
  MCP_SSE_PORT: 'port',
  MCP_STANDALONE_MODE: '`ltm serve`',
  MCP_OAUTH_ISSUER: 'external_url',
  MCP_OAUTH_STORAGE_BACKEND: 'nothing is needed: it is in the database',
  MCP_OAUTH_PRIVATE_KEY: 'nothing is needed: the key is in the database',
  MCP_ENABLE_AUTO_SPLIT: 'split_chars',
  MCP_HYBRID_SEARCH_ENABLED: 'mode of a search',
  MCP_CONSOLIDATION_ENABLED: 'consolidation_schedule',
  ...Object.fromEntries(
    ['DAILY', 'WEEKLY', 'MONTHLY', 'QUARTERLY', 'YEARLY'].map((name) => [
      `MCP_SCHEDULE_${name}`,
      `consolidation_schedule: ${name.toLowerCase()} …`,
    ]),
  ),
  MCP_BACKUP_ENABLED: '`ltm backup schedule` (docs/backup.md)',
  MCP_QUALITY_AI_PROVIDER: 'quality_scorer, with summarizer_url',
  MCP_MEMORY_URL: 'server, or `ltm setup --url`',
  MCP_MEMORY_TOKEN: '`ltm auth`, or `ltm setup --token`',
  MCP_EXTERNAL_EMBEDDING_PROVIDER: 'embedder',
  LTM_NO_UPDATE_CHECK: 'nothing is needed: ltm never looks for updates',
  HARVEST_LOCALE: 'nothing is needed: `ltm harvest` knows all its languages at once',
  MEMORY_FILE_PATH: '`ltm import --from knowledge-graph`',
  LONGMEM_DRY_RUN: 'the same: hooks capture nothing and say nothing',
  CLAUDE_MEM_DATA_DIR: '`ltm import --from claude-mem`',
  CLAUDE_MEM_WORKER_PORT: 'observe_port',
  BASIC_MEMORY_HOME: '`ltm import FOLDER`',
};

/** Variables by which other systems are known, whatever they are about. */
const FAMILIES =
  /^(?:MCP_(?:MEMORY|HTTP|HTTPS|SSE|OAUTH|HYBRID|QUALITY|CONSOLIDATION|BACKUP|INSIGHT|MAINTAIN|MDNS|GRAPH|ASSOCIATION|DOCUMENT|SEMANTIC|EXTERNAL)_|LONGMEM_|CLAUDE_MEM_|BASIC_MEMORY_)/;

interface EarlierVariable {
  name: string;
  /** null: ltm has nothing like it. */
  counterpart: string | null;
}

/** Told once, when a server or an agent's process starts: whoever comes from elsewhere learns what their settings come to here. */
export function tellEarlierVariables(env: Environment, log: Pick<Log, 'info'>): void {
  for (const { name, counterpart } of findEarlierVariables(env))
    log.info('variable_of_another_system', { name, here: counterpart ?? 'has none' });
}

/** Variables of other systems that are set and that no setting of ours reads. */
export function findEarlierVariables(env: Environment): EarlierVariable[] {
  const read = new Set(DECLARED_SETTINGS.settings.flatMap((setting) => setting.env));
  return Object.keys(env)
    .filter((name) => env[name] !== undefined && env[name] !== '' && !read.has(name))
    .filter((name) => Object.hasOwn(COUNTERPARTS, name) || FAMILIES.test(name))
    .sort()
    .map((name) => ({ name, counterpart: COUNTERPARTS[name] ?? null }));
}
