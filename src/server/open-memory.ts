import { loadConfig } from '../features/config.ts';
import { DECLARED_SETTINGS } from '../features/settings.ts';
import { VERBS } from '../features/verb-table.ts';
import { EngineError } from '../model/errors.ts';
import { readHost } from '../model/host-name.ts';
import type { RecordId } from '../model/ids.ts';
import { refuseUnknown } from '../model/refuse-unknown.ts';
import { withCheckedNames } from '../verbs/check-names.ts';
import type { Client } from '../verbs/client.ts';
import { upkeepAfterWrites } from './jobs.ts';
import { createLocalClient, openSession } from './local-session.ts';
import { openRemoteClient } from './open-remote-client.ts';

type Given<Name extends keyof Client> = Parameters<Client[Name]>[0];
type Told<Name extends keyof Client> = Awaited<ReturnType<Client[Name]>>;
type Memory = Told<'getMemory'>;

export interface MemoryOptions {
  /** A file, a postgres:// address, or `:memory:`, which is gone when it is closed. The database of the `ltm` command where nothing is said. */
  database?: string;
  /** Instead of a database: a server, with a token of yours. */
  server?: string;
  token?: string;
  /** Any other setting by its name, such as `on_duplicate` or `time_zone`. The environment and the config file are not read. */
  settings?: Readonly<Record<string, unknown>>;
}

/** A memory that is open: near or far, it does the same. */
export interface OpenMemory {
  /** A text, or a text with what is to be said of it. */
  store(memory: string | Given<'storeMemory'>): Promise<Told<'storeMemory'>>;
  /** Words or a question, or those with filters. */
  search(query: string | Given<'searchMemories'>): Promise<Told<'searchMemories'>>;
  /** By id, content hash or key; null where there is none. */
  get(ref: string): Promise<Memory | null>;
  list(filter?: Given<'listMemories'>): Promise<Told<'listMemories'>>;
  update(ref: string, changes: Omit<Given<'updateMemory'>, 'ref'>): Promise<Told<'updateMemory'>>;
  /** Those named, or all that pass a filter; how many. They can be restored. */
  delete(what: string | readonly string[] | Given<'deleteMemories'>): Promise<number>;
  restore(ref: string | readonly string[]): Promise<Memory[]>;
  /** For good: the text, its versions, its words in the index. */
  purge(ref: string): Promise<RecordId[]>;
  /** Everything else that `ltm` can do, by the names of docs/rest.md. */
  verbs: Client;
  close(): Promise<void>;
}

/** Opens a memory for a program. Nothing is read from the environment, and nothing is sent anywhere but to the server that is named. */
export async function openMemory(options: MemoryOptions = {}, ...rest: never[]): Promise<OpenMemory> {
  checkOptions(options);
  refuseMore(rest, 'openMemory', 'all options in one object');
  const opened = options.server === undefined ? await openNear(options) : await openFar(options.server, options);
  const verbs = withCheckedNames(VERBS, opened.verbs);
  return {
    async store(memory, ...more: never[]) {
      refuseMore(more, 'store', 'a text, or one object with content, tags …');
      return verbs.storeMemory(typeof memory === 'string' ? { content: memory } : memory);
    },
    async search(query, ...more: never[]) {
      refuseMore(more, 'search', 'a query, or one object with query, limit …');
      return verbs.searchMemories(typeof query === 'string' ? { query } : query);
    },
    get: async (ref) => (await verbs.getMemories({ ids: [ref] })).memories[0] ?? null,
    list: async (filter = {}) => verbs.listMemories(filter),
    async update(ref, changes) {
      if (typeof changes !== 'object' || changes === null)
        throw invalid('changes', 'update takes the name of a memory, and an object with what changes.');
      return verbs.updateMemory({ ...changes, ref });
    },
    async delete(what) {
      const isFilter = typeof what === 'object' && !isList(what);
      return (await verbs.deleteMemories(isFilter ? what : { ids: toList(what) })).count;
    },
    restore: async (ref) => (await verbs.restoreMemories({ ids: toList(ref) })).restored,
    purge: async (ref) => (await verbs.purgeMemory({ ref })).purged,
    verbs,
    close: opened.close,
  };
}

const OPTIONS: readonly string[] = ['database', 'server', 'token', 'settings'] satisfies (keyof MemoryOptions)[];
/** What other libraries call them; a setting belongs among the settings. */
const ALIASES = {
  ...Object.fromEntries(
    DECLARED_SETTINGS.settings.flatMap(({ name, key }) => [name, key].map((one) => [one, 'settings'])),
  ),
  ...Object.fromEntries(
    ['db', 'path', 'file', 'filename', 'dbPath', 'connection', 'connectionString', 'location', 'storage', 'memory'].map(
      (name) => [name, 'database'],
    ),
  ),
  url: 'server',
  baseUrl: 'server',
  host: 'server',
  endpoint: 'server',
  apiKey: 'token',
  key: 'token',
  config: 'settings',
  options: 'settings',
};

/** Whoever mistypes the name of a database would write into the one of the person at this machine. */
function checkOptions(options: MemoryOptions): void {
  refuseUnknown(options, { known: OPTIONS, what: 'option of openMemory', aliases: ALIASES });
  const { database, server, token, settings } = options;
  for (const [name, value] of Object.entries({ database, server, token }))
    if (value !== undefined && (typeof value !== 'string' || value.trim() === ''))
      throw invalid(name, `${name} must be a text that is not empty.`);
  if (server === undefined && token !== undefined) throw invalid('token', 'token goes with server.');
  if (server !== undefined && database !== undefined)
    throw invalid('database', 'A memory is a database or on a server: give one of the two.');
  if (server !== undefined && settings !== undefined)
    throw invalid('settings', 'The settings of a server are its own: settings go with a database.');
  if (settings !== undefined) checkSettings(settings);
}

function checkSettings(settings: NonNullable<MemoryOptions['settings']>): void {
  refuseUnknown(settings, { known: DECLARED_SETTINGS.settings.map(({ name }) => name), what: 'setting' });
  for (const [name, option] of [
    ['db', 'database'],
    ['server', 'server'],
  ] as const)
    if (settings[name] !== undefined)
      throw invalid(name, `This setting has an option of its own here: ${option}.`, { nearest: option });
}

function invalid(field: string, message: string, more: { nearest?: string } = {}): EngineError {
  return new EngineError('invalid_input', message, { details: { field, ...more } });
}

function refuseMore(more: readonly never[], name: string, takes: string): void {
  if (more.length > 0) throw invalid(name, `${name} takes one argument: ${takes}.`);
}

type Opened = Pick<OpenMemory, 'verbs' | 'close'>;

async function openNear({ database, settings = {} }: MemoryOptions): Promise<Opened> {
  const isInMemory = database === ':memory:';
  const flags = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name.replaceAll('_', '-'), value]));
  const config = loadConfig({ flags: { ...flags, ...(!isInMemory && { db: database }) }, env: {}, file: '' });
  const opened = await openSession(isInMemory ? { ...config, db: ':memory:' } : config, 'library');
  const upkeep = upkeepAfterWrites(opened.engine, { everySeconds: config.upkeepSeconds, log: opened.log });
  const session = { ...opened, ...upkeep };
  return { verbs: createLocalClient(VERBS, session), close: () => session.engine.close() };
}

/** As commands do it, but with this token alone: no sign-in of the person at this machine is looked for. */
async function openFar(server: string, { token }: MemoryOptions): Promise<Opened> {
  if (!token) throw new EngineError('unauthorized', 'A server needs a token.', { hint: 'Give `token` with `server`.' });
  const verbs = await openRemoteClient({ env: { LTM_TOKEN: token }, server: readHost(server) });
  return { verbs, close: async () => undefined };
}

function isList(what: string | readonly string[] | Given<'deleteMemories'>): what is readonly string[] {
  return Array.isArray(what);
}

function toList(names: string | readonly string[]): readonly string[] {
  return typeof names === 'string' ? [names] : names;
}
