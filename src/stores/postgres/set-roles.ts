import type { Log } from '../../engine/ports.ts';
import type { RolesOptions, RolesPlan } from '../../model/database-administration.ts';
import { EngineError } from '../../model/errors.ts';
import { type ArrangementPlan, planArrangement } from './arrange-roles.ts';
import { readConnectionUrl } from './connection-url.ts';
import type { Session } from './database.ts';
import { holdsOurTables, migrate, readSchemaVersion, SCHEMA_VERSION } from './migrate.ts';
import { nameOwner } from './owner-role.ts';
import { openPgDatabase } from './pg-database.ts';
import { readRoleFacts, readStanding } from './role-facts.ts';
import { readTables } from './table-rights.ts';
import { translateError } from './translate-error.ts';

/** Gives the tables to an owner as which nobody logs in, and the roles that serve the right to rows alone. One transaction: it is done or not begun. */
export async function setRoles(url: string, options: RolesOptions & { log: Log }): Promise<RolesPlan> {
  const plan = readConnectionUrl(url);
  const database = openPgDatabase({ ...plan, poolSize: 1 }, { log: options.log });
  try {
    return await database.withSession((session) => setRolesOn(session, plan.schema, options));
  } catch (error) {
    throw translateError(error);
  } finally {
    await database.close();
  }
}

async function setRolesOn(session: Session, schema: string, options: RolesOptions & { log: Log }): Promise<RolesPlan> {
  const wanted = { owner: await nameWanted(session, schema, options.owner), serving: options.serving ?? [] };
  for (const role of wanted.serving) await expectServing(session, role, wanted.owner);
  const isThere = await holdsOurTables(session, schema);
  const arrangement = await planArrangement(session, schema, wanted);
  if (arrangement.serving.length === 0)
    throw new EngineError('invalid_input', 'No role would be able to serve from these tables.', {
      hint: "Name one with --serve. To make one: CREATE ROLE ltm LOGIN PASSWORD '…'",
    });
  const version = isThere ? await readVersion(session, schema, arrangement) : 0;
  const plan = describePlan(arrangement, { schema, version });
  const isDone = plan.sql.length === 0 && version === SCHEMA_VERSION;
  if (options.dryRun === true || isDone) return plan;
  if (!plan.mayDo) throw mayNotDo(plan);
  await migrate(session, schema, wanted);
  return plan;
}

/** Whoever may not even look at the tables will change nothing. */
async function readVersion(session: Session, schema: string, plan: ArrangementPlan): Promise<number> {
  const { tables, stepping, owner, present } = plan;
  if (tables.every(({ usable }) => usable)) return readSchemaVersion(session, schema);
  if (stepping === null || present !== owner) return SCHEMA_VERSION;
  for (const sql of ['BEGIN', ...stepping.join, ...stepping.stepIn]) await session.run(sql);
  const version = await readSchemaVersion(session, schema);
  await session.run('ROLLBACK');
  return version;
}

/** A role that owns the tables and may log in serves as well; but for the one that this command makes, which a move on Citus lets in and may not have shut out again. */
async function nameWanted(session: Session, schema: string, asked: string | undefined): Promise<string> {
  const facts = await readRoleFacts(session, schema);
  const own = nameOwner(facts.database, schema);
  const present = (await readTables(session, schema))[0]?.owner ?? facts.schemaOwner ?? facts.databaseOwner;
  if (present === own && (asked ?? own) === own) return own;
  const owner = asked ?? ((await readStanding(session, present)).canLogIn ? own : present);
  if (!(await readStanding(session, owner)).canLogIn) return owner;
  throw new EngineError('invalid_input', `${owner} can log in, so it cannot be the owner of the tables.`, {
    hint: `Name another role with --owner, or run ALTER ROLE "${owner}" NOLOGIN first.`,
  });
}

async function expectServing(session: Session, role: string, owner: string): Promise<void> {
  const { exists, canLogIn } = await readStanding(session, role);
  if (exists && role !== owner && canLogIn) return;
  throw new EngineError('invalid_input', exists ? `${role} cannot log in.` : `There is no role ${role}.`, {
    hint: `Make one, with a password of its own: CREATE ROLE "${role}" LOGIN PASSWORD '…'`,
  });
}

function describePlan(plan: ArrangementPlan, { schema, version }: { schema: string; version: number }): RolesPlan {
  const { facts, owner, present, serving, before, stepping, asOwner, rights, statistics, after, tables } = plan;
  const owners = [...tables.map((table) => table.owner), facts.schemaOwner ?? owner];
  const isOurs = !facts.isCitus && owners.every((name) => name === owner || name === facts.role);
  const mayDo = stepping !== null && (facts.isSuperuser || isOurs);
  return {
    database: facts.database,
    schema,
    role: facts.role,
    owner,
    present,
    serving,
    version,
    mayDo,
    toVersion: SCHEMA_VERSION,
    sql: wrap({ before: [...before], inside: [...asOwner, ...rights, ...statistics], after }, mayDo ? stepping : null),
  };
}

/** Steps in and out only where there is something to do as the owner. */
function wrap(
  { before, inside, after }: { before: string[]; inside: string[]; after: string[] },
  stepping: ArrangementPlan['stepping'],
): string[] {
  const work = inside.length === 0 || stepping === null ? inside : [...stepping.stepIn, ...inside, ...stepping.stepOut];
  const join = stepping?.join ?? [];
  return [...(work.length === 0 ? before.filter((sql) => !join.includes(sql)) : before), ...work, ...after];
}

function mayNotDo({ role, owner, present }: RolesPlan): EngineError {
  return new EngineError('forbidden', `${role} may not make ${owner} the owner of these tables.`, {
    hint: `Run it with --db as a superuser${present === null ? '' : `, or as ${present} with the right to make roles`}. Or give the statements that --dry-run prints to whoever administers the server.`,
  });
}
