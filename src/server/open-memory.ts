import { readHost } from '../client/host-name.ts';
import { EngineError } from '../model/errors.ts';
import type { RecordId } from '../model/ids.ts';
import type { Memory, StoreOutcome, UpdateOutcome } from '../model/memory.ts';
import type { Client } from '../verbs/client.ts';
import type { DeleteInput } from '../verbs/memories/delete-memories.ts';
import type { ListedMemories, ListInput } from '../verbs/memories/list-memories.ts';
import type { Found, SearchInput } from '../verbs/memories/search-memories.ts';
import type { NewMemory } from '../verbs/memories/store-memory.ts';
import type { ChangedMemory } from '../verbs/memories/update-memory.ts';
import { VERBS } from '../verbs/verb-table.ts';
import { loadConfig } from './config.ts';
import { upkeepAfterWrites } from './jobs.ts';
import { createLocalClient, openSession } from './local-session.ts';
import { openRemoteClient } from './open-remote-client.ts';

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
  store(memory: string | NewMemory): Promise<StoreOutcome>;
  /** Words or a question, or those with filters. */
  search(query: string | SearchInput): Promise<Found>;
  /** By id, content hash or key; null where there is none. */
  get(ref: string): Promise<Memory | null>;
  list(filter?: ListInput): Promise<ListedMemories>;
  update(ref: string, changes: Omit<ChangedMemory, 'ref'>): Promise<UpdateOutcome>;
  /** Those named, or all that pass a filter; how many. They can be restored. */
  delete(what: string | readonly string[] | DeleteInput): Promise<number>;
  restore(ref: string | readonly string[]): Promise<Memory[]>;
  /** For good: the text, its versions, its words in the index. */
  purge(ref: string): Promise<RecordId[]>;
  /** Everything else that `ltm` can do, by the names of docs/rest.md. */
  verbs: Client;
  close(): Promise<void>;
}

/** Opens a memory for a program. Nothing is read from the environment, and nothing is sent anywhere but to the server that is named. */
export async function openMemory(options: MemoryOptions = {}): Promise<OpenMemory> {
  const { verbs, close } = options.server === undefined ? await openNear(options) : openFar(options.server, options);
  return {
    store: (memory) => verbs.storeMemory(typeof memory === 'string' ? { content: memory } : memory),
    search: (query) => verbs.searchMemories(typeof query === 'string' ? { query } : query),
    get: async (ref) => (await verbs.getMemories({ ids: [ref] })).memories[0] ?? null,
    list: (filter = {}) => verbs.listMemories(filter),
    update: (ref, changes) => verbs.updateMemory({ ref, ...changes }),
    async delete(what) {
      const isFilter = typeof what === 'object' && !isList(what);
      return (await verbs.deleteMemories(isFilter ? what : { ids: toList(what) })).count;
    },
    restore: async (ref) => (await verbs.restoreMemories({ ids: toList(ref) })).restored,
    purge: async (ref) => (await verbs.purgeMemory({ ref })).purged,
    verbs,
    close,
  };
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
function openFar(server: string, { token }: MemoryOptions): Opened {
  if (!token) throw new EngineError('unauthorized', 'A server needs a token.', { hint: 'Give `token` with `server`.' });
  const verbs = openRemoteClient(VERBS, { env: { LTM_TOKEN: token }, server: readHost(server) });
  return { verbs, close: async () => undefined };
}

function isList(what: string | readonly string[] | DeleteInput): what is readonly string[] {
  return Array.isArray(what);
}

function toList(names: string | readonly string[]): readonly string[] {
  return typeof names === 'string' ? [names] : names;
}
