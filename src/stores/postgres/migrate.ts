import { EngineError } from '../../model/errors.ts';
import { findNewerSchema } from '../sql/find-newer-schema.ts';
import type { Session } from './database.ts';
import { foundation } from './migrations/0001-foundation.ts';
import { identity } from './migrations/0002-identity.ts';
import { transfer } from './migrations/0003-transfer.ts';
import { synchronisation } from './migrations/0004-synchronisation.ts';
import { author } from './migrations/0005-author.ts';
import { removals } from './migrations/0006-removals.ts';
import { checksums } from './migrations/0007-checksums.ts';
import { quoteLiteral, quoteName } from './quote.ts';

/** Statements, or work that makes them as it goes. */
type Migration = string | ((session: Session, limitMs: number) => Promise<void>);

/** In order; never changed once released, only added to. */
const MIGRATIONS: readonly Migration[] = [foundation, identity, transfer, synchronisation, author, removals, checksums];
export const SCHEMA_VERSION = MIGRATIONS.length;

/** "ltm1": keeps our lock apart from other programs' advisory locks. */
const LOCK = 0x6c746d31;

/** A large database may take its time, and other nodes wait for it. */
const LIMIT_MS = 60 * 60 * 1000;

/** Brings the schema up to date. However many nodes start at once, one migrates and the others wait for it. */
export async function migrate(session: Session, schema: string): Promise<void> {
  await expectUtf8(session);
  await session.run(`BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${LIMIT_MS}`);
  await session.run(`SELECT pg_advisory_xact_lock(${LOCK}, hashtext(${quoteLiteral(schema)}))`, LIMIT_MS);
  const version = await readSchemaVersion(session, schema);
  if (version < SCHEMA_VERSION) {
    if (!(await schemaExists(session, schema))) await session.run(`CREATE SCHEMA ${quoteName(schema)}`);
    await session.run(`SET LOCAL search_path = ${quoteName(schema)}`);
    if (version === 0)
      await session.run('CREATE TABLE ltm_schema (version integer NOT NULL); INSERT INTO ltm_schema VALUES (0)');
    // On a Citus cluster: a transaction that has touched shards over several connections may not change the schema any more.
    await session.run("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
    for (const migration of MIGRATIONS.slice(version))
      await (typeof migration === 'string' ? session.run(migration, LIMIT_MS) : migration(session, LIMIT_MS));
    await session.run(`UPDATE ltm_schema SET version = ${SCHEMA_VERSION}`);
  }
  await session.run('COMMIT');
}

async function schemaExists(session: Session, schema: string): Promise<boolean> {
  return (await session.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])).count > 0;
}

/** The version of a schema that this program can use or bring up to date, 0 for an empty one; throws for a newer one and for another program's tables. */
async function readSchemaVersion(session: Session, schema: string): Promise<number> {
  const { rows } = await session.query<{ relname: string }>(
    `SELECT c.relname::text FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY c.relname = 'ltm_schema' DESC LIMIT 1`,
    [schema],
  );
  if (rows.length === 0) return 0;
  if (rows[0]?.relname !== 'ltm_schema') {
    throw new EngineError(
      'storage_unsupported',
      'The database schema contains tables of another program. It was not changed.',
      {
        hint: 'Add ?schema=NAME with another name to the URL.',
      },
    );
  }
  const version = await readVersion(session, `${quoteName(schema)}.ltm_schema`);
  refuseNewerSchema(version);
  return version;
}

/** A program that was running when a newer one upgraded the schema must not write by the old rules. */
export async function expectKnownSchema(session: Session): Promise<void> {
  refuseNewerSchema(await readVersion(session, 'ltm_schema'));
}

async function readVersion(session: Session, table: string): Promise<number> {
  const { rows } = await session.query<{ version: number }>(`SELECT version FROM ${table}`);
  return rows[0]?.version ?? 0;
}

function refuseNewerSchema(version: number): void {
  const refusal = findNewerSchema(version, SCHEMA_VERSION);
  if (refusal !== null) throw refusal;
}

async function expectUtf8(session: Session): Promise<void> {
  const { rows } = await session.query<{ encoding: string }>("SELECT current_setting('server_encoding') AS encoding");
  if (rows[0]?.encoding === 'UTF8') return;
  throw new EngineError('storage_unsupported', 'The encoding of the database is not UTF-8.', {
    hint: `Create one that does: CREATE DATABASE ltm ENCODING ${quoteLiteral('UTF8')} TEMPLATE template0.`,
  });
}
