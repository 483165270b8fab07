import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Environment, spoolFolder } from '../../../client/spool-folder.ts';
import { isObject, parseJson } from '../../../model/json-text.ts';
import { readCustomPatterns } from '../../../privacy/custom-patterns.ts';
import { configFilePath, dataFolder } from '../../../settings/user-folders.ts';
import type { CaptureRules } from './make-event.ts';

/** What a hook must know. The table of settings would take longer to load than the hook may take, so these few are read by their names. */
export interface HookSettings {
  rules: CaptureRules;
  /** A file, or the URL of a database server. */
  db: string;
  spool: string;
  /** This person has signed in to a server, which has what there is to know. */
  hasServer: boolean;
  contextTimeoutMs: number;
}

const DATABASE_VARIABLES = ['LTM_DB', 'LTM_DB_PATH', 'MCP_MEMORY_SQLITE_PATH'];
const USUAL_TIMEOUT_MS = 300;

/** Environment over config file, as everywhere. A file that cannot be read counts as empty: a hook must not fail for it, and other commands tell of it. */
export function readHookSettings(env: Environment): HookSettings {
  const file = configFilePath(env);
  const content = readContent(file);
  const said = (name: string): unknown => env[`LTM_${name.toUpperCase()}`] || content[name];
  const db = databaseOf(env, content, file);
  const timeout = Number(said('context_timeout_ms') ?? USUAL_TIMEOUT_MS);
  return {
    rules: {
      excludeTools: readList(said('capture_exclude_tools')),
      excludePaths: readList(said('capture_exclude_paths')),
      excludeProjects: readList(said('capture_exclude_projects')),
      patterns: readCustomPatterns(readPatterns(said('privacy_patterns'))).patterns,
    },
    db,
    spool: spoolFolder(db, env),
    hasServer: typeof said('server') === 'string' || env.LTM_HOST?.includes('://') === true,
    contextTimeoutMs: Number.isFinite(timeout) ? timeout : USUAL_TIMEOUT_MS,
  };
}

function readContent(file: string): Record<string, unknown> {
  try {
    const content = parseJson(readFileSync(file, 'utf8'));
    return isObject(content) ? content : {};
  } catch {
    return {}; // there is none, or it may not be read
  }
}

function databaseOf(env: Environment, content: Record<string, unknown>, file: string): string {
  const named = DATABASE_VARIABLES.map((name) => env[name]).find((value) => value);
  const kept = typeof content.db === 'string' ? content.db : '';
  const db = named || kept;
  if (db === '') return join(dataFolder(env), 'memory.db');
  if (db.startsWith('file://')) return decodeURIComponent(new URL(db).pathname);
  if (/^[a-z][a-z0-9+]+:\/\//i.test(db)) return db;
  const home = env.HOME || env.USERPROFILE || '~';
  return resolve(named ? '.' : dirname(file), db.replace(/^~(?=[/\\]|$)/, home));
}

function readList(value: unknown): string[] {
  const items = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
  return items.filter((item) => typeof item === 'string' && item.trim() !== '').map((item: string) => item.trim());
}

/** JSON in the environment, or one pattern alone. */
function readPatterns(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const parsed = parseJson(value);
  return Array.isArray(parsed) ? parsed : [value];
}
