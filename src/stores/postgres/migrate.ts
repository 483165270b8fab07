import { EngineError } from '../../model/errors.ts';
import { findNewerSchema } from '../sql/find-newer-schema.ts';
import { type Arrangement, canServe, planArrangement, planRights } from './arrange-roles.ts';
import type { Session } from './database.ts';
import { foundation } from './migrations/0001-foundation.ts';
import { identity } from './migrations/0002-identity.ts';
import { transfer } from './migrations/0003-transfer.ts';
import { synchronisation } from './migrations/0004-synchronisation.ts';
import { author } from './migrations/0005-author.ts';
import { removals } from './migrations/0006-removals.ts';
import { checksums } from './migrations/0007-checksums.ts';
import { counts } from './migrations/0008-counts.ts';
import { numbers } from './migrations/0009-numbers.ts';
import { lastWrite } from './migrations/0010-last-write.ts';
import { passagePlaces } from './migrations/0011-passage-places.ts';
import { prunedFeed } from './migrations/0012-pruned-feed.ts';
import { workspaces } from './migrations/0013-workspaces.ts';
import { travel } from './migrations/0014-travel.ts';
import { chunks } from './migrations/0015-chunks.ts';
import { sealed } from './migrations/0016-sealed.ts';
import { mayNotBecome } from './owner-role.ts';
import { quoteLiteral, quoteName } from './quote.ts';
import { readRoleFacts } from './role-facts.ts';
import { planLettingThrough, planOwner, readTables } from './table-rights.ts';

/** Statements, or work that makes them as it goes. */
type Migration = string | ((session: Session, limitMs: number) => Promise<void>);

/** In order; never changed once released, only added to. */
const MIGRATIONS: readonly Migration[] = [
  foundation,
  identity,
  transfer,
  synchronisation,
  author,
  removals,
  checksums,
  counts,
  numbers,
  lastWrite,
  passagePlaces,
  prunedFeed,
  workspaces,
  travel,
  chunks,
  sealed,
];
export const SCHEMA_VERSION = MIGRATIONS.length;

/** "ltm1": keeps our lock apart from other programs' advisory locks. */
const LOCK = 0x6c746d31;

/** A large database may take its time, and other nodes wait for it. */
const LIMIT_MS = 60 * 60 * 1000;

const AS_IT_IS: Arrangement = { owner: null, serving: [] };

/**
 * Brings the tables and the rights to them up to date, as their owner. However many nodes start at once, one does it and the others wait for it.
 * A role that may not do what is left to do is refused, unless it can serve as things are.
 */
export async function migrate(session: Session, schema: string, wanted: Arrangement = AS_IT_IS): Promise<void> {
  await expectUtf8(session);
  if (wanted === AS_IT_IS && (await canServeAsIs(session, schema))) return;
  await session.run(`BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${LIMIT_MS}`);
  await session.run(`SELECT pg_advisory_xact_lock(${LOCK}, hashtext(${quoteLiteral(schema)}))`, LIMIT_MS);
  // On a Citus cluster: a transaction that has touched shards over several connections may not change the schema any more.
  await session.run("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
  const isThere = await holdsOurTables(session, schema);
  const { owner, serving, before, stepping, asOwner, statistics, after, facts } = await planArrangement(
    session,
    schema,
    wanted,
  );
  if (stepping === null) throw mayNotBecome(owner);
  await runAll(session, [...before, ...stepping.stepIn, ...asOwner]);
  const version = isThere ? await readSchemaVersion(session, schema) : 0;
  if (version < SCHEMA_VERSION) await upgrade(session, schema, version);
  // A superuser who did not take the owner's place has made new tables in its own name.
  if (facts.isSuperuser && facts.isCitus)
    await runAll(session, planOwner(schema, await readTables(session, schema), owner));
  const now = { facts: await readRoleFacts(session, schema), serving };
  await runAll(session, planRights(schema, now, await readTables(session, schema)));
  await runAll(session, [...statistics, ...stepping.stepOut, ...after]);
  await session.run('COMMIT');
}

/** It can serve without a migration, or do what is to be done itself. Tables that are yet to be made are left to whoever is to own them. */
export async function canMigrate(session: Session, schema: string): Promise<boolean> {
  if (await canServeAsIs(session, schema)) return true;
  if (!(await holdsOurTables(session, schema))) return false;
  return (await planArrangement(session, schema, AS_IT_IS)).stepping !== null;
}

/** Nothing is left to do, or nothing that this role could do and that keeps it from serving. */
async function canServeAsIs(session: Session, schema: string): Promise<boolean> {
  if (!(await holdsOurTables(session, schema))) return false;
  const plan = await planArrangement(session, schema, AS_IT_IS);
  if (!canServe(plan) || (await readSchemaVersion(session, schema)) < SCHEMA_VERSION) return false;
  return plan.before.length + plan.rights.length === 0 || plan.stepping === null || plan.facts.isStandby;
}

async function runAll(session: Session, statements: readonly string[]): Promise<void> {
  for (const sql of statements) await session.run(sql, LIMIT_MS);
}

async function upgrade(session: Session, schema: string, version: number): Promise<void> {
  await session.run(`SET LOCAL search_path = ${quoteName(schema)}; SET LOCAL ltm.space = ''`);
  // Rows of every space may have to change: an owner that serves is let through its own wall meanwhile.
  await runAll(session, planLettingThrough(schema, await readTables(session, schema)));
  if (version === 0)
    await session.run('CREATE TABLE ltm_schema (version integer NOT NULL); INSERT INTO ltm_schema VALUES (0)');
  for (const migration of MIGRATIONS.slice(version))
    await (typeof migration === 'string' ? session.run(migration, LIMIT_MS) : migration(session, LIMIT_MS));
  await session.run(`UPDATE ltm_schema SET version = ${SCHEMA_VERSION}`);
}

/** False for an empty schema; throws for another program's tables. */
export async function holdsOurTables(session: Session, schema: string): Promise<boolean> {
  const { rows } = await session.query<{ relname: string }>(
    `SELECT c.relname::text FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY c.relname = 'ltm_schema' DESC LIMIT 1`,
    [schema],
  );
  if (rows.length === 0) return false;
  if (rows[0]?.relname === 'ltm_schema') return true;
  throw new EngineError(
    'storage_unsupported',
    'The database schema contains tables of another program. It was not changed.',
    { hint: 'Add ?schema=NAME with another name to the URL.' },
  );
}

/** The version of tables that this program can use or bring up to date; throws for newer ones. */
export async function readSchemaVersion(session: Session, schema: string): Promise<number> {
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
