import { DatabaseSync } from 'node:sqlite';
import { after, type TestContext } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import { readSaidLine } from '../../src/agents/read-said-line.ts';
import type { Engine } from '../../src/engine/engine.ts';
import { latePort } from '../../src/engine/late-port.ts';
import type { Store } from '../../src/engine/ports.ts';
import type { Kind } from '../../src/engine/records/kind.ts';
import { createEngine } from '../../src/features/create-engine.ts';
import { DEFAULT_SETTINGS } from '../../src/features/default-settings.ts';
import type { DocumentReader } from '../../src/features/documents/document-reader.ts';
import { FEATURES } from '../../src/features/features.ts';
import { openStoreOn } from '../../src/stores/postgres/open-postgres-store.ts';
import { makeWordEmbedder, openTestEngine, START, silentLog } from '../open-test-engine.ts';
import { openPgliteDatabase } from '../stores/postgres/fixtures/pglite-database.ts';

/** Costs seconds to start, so that all engines of a file share it, each with a schema of its own. */
let pglite: PGlite | null = null;
let made = 0;
after(() => pglite?.close());

export const STORES = ['SQLite', 'PostgreSQL'] as const;

export interface OpenedEngine {
  engine: Engine;
  store: Store;
  /** Changes rows behind the store's back. */
  tamper(sql: string): Promise<void>;
}

/** An engine with these kinds on a new database. */
export async function openOnStore(
  context: TestContext,
  store: (typeof STORES)[number],
  kinds?: readonly Kind[],
  documents?: DocumentReader,
): Promise<OpenedEngine> {
  const embedder = makeWordEmbedder();
  if (store === 'SQLite') {
    const { engine, path, store: opened } = await openTestEngine(context, { kinds, embedder, documents });
    const tamper = async (sql: string) => {
      const database = new DatabaseSync(path);
      database.exec(sql);
      database.close();
    };
    return { engine, store: opened, tamper };
  }
  pglite ??= new PGlite();
  const shared = pglite;
  const schema = `kinds_${++made}`;
  const clock = { now: () => START };
  const opened = await openStoreOn(openPgliteDatabase(shared), schema, { clock, log: silentLog });
  const ports = {
    store: opened,
    embedder,
    documents: documents && latePort(async () => documents),
    clock,
    log: silentLog,
    secrets: opened,
    readSaid: readSaidLine,
  };
  const engine = createEngine(ports, DEFAULT_SETTINGS, [...FEATURES, { name: 'test', kinds: kinds ?? [] }]);
  context.after(() => engine.close());
  const tamper = async (sql: string) =>
    void (await shared.exec(`BEGIN; SET LOCAL search_path TO ${schema}; ${sql}; COMMIT`));
  return { engine, store: opened, tamper };
}
