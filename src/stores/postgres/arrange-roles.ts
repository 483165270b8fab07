import type { Session } from './database.ts';
import { chooseOwner, planStepping, type Stepping } from './owner-role.ts';
import { quoteName } from './quote.ts';
import { type RoleFacts, readRoleFacts, readStanding } from './role-facts.ts';
import {
  listServing,
  planGrants,
  planOwner,
  planStatistics,
  planWalls,
  readTables,
  type TableState,
} from './table-rights.ts';

/** Who is to own the tables and who is to serve from them. */
export interface Arrangement {
  /** null: whoever owns them, or for new ones whoever can be found or made. */
  owner: string | null;
  /** Roles that read and write rows, besides those that may already. */
  serving: readonly string[];
}

export interface ArrangementPlan {
  facts: RoleFacts;
  tables: readonly TableState[];
  owner: string;
  /** Who owns the tables now; null where there are none. */
  present: string | null;
  serving: readonly string[];
  /** As the role that asks. */
  before: string[];
  /** null: this role may not do it. */
  stepping: Stepping | null;
  /** Before the tables are made or changed. */
  asOwner: string[];
  /** On the tables that there are by then. */
  rights: string[];
  /** As the owner, on request alone. */
  statistics: string[];
  /** At the end, as the role that asks. */
  after: string[];
}

/** What has to be done, from the catalogue alone: nothing is locked or changed. */
export async function planArrangement(session: Session, schema: string, wanted: Arrangement): Promise<ArrangementPlan> {
  const facts = await readRoleFacts(session, schema);
  const tables = await readTables(session, schema);
  const present = tables[0]?.owner ?? null;
  const owner = wanted.owner ?? present ?? (await chooseOwner(session, schema, facts));
  const standing = await readStanding(session, owner);
  const isGiven = wanted.owner !== null;
  const stepping = planStepping(facts, owner, standing);
  const isBound = owner !== facts.role && !facts.bypasses && !standing.inherits;
  const isAsked = isGiven || wanted.serving.length > 0;
  const servesItself = !isAsked && isBound && stepping !== null && !isUsable(tables);
  const servedSoFar = isGiven && tables[0]?.ownerServes === true ? [tables[0].owner] : [];
  const serving = [
    ...new Set([...listServing(tables), ...wanted.serving, ...servedSoFar, ...(servesItself ? [facts.role] : [])]),
  ].filter((role) => role !== owner);
  const isNew = present === null;
  return {
    facts,
    tables,
    owner,
    present,
    serving,
    stepping,
    before: [
      ...(standing.exists ? [] : [`CREATE ROLE ${quoteName(owner)} NOLOGIN`]),
      ...(isGiven && standing.canLogIn ? [`ALTER ROLE ${quoteName(owner)} NOLOGIN`] : []),
      ...(stepping?.join ?? []),
      ...(isNew || isGiven ? planSchemaOwner(schema, { owner, facts, isGiven }) : []),
      ...(isGiven ? planOwner(schema, tables, owner) : []),
    ],
    asOwner: facts.schemaOwner === null && !facts.mayMakeSchemas ? [`CREATE SCHEMA ${quoteName(schema)}`] : [],
    rights: planRights(schema, { facts, serving }, isGiven ? tables.map((table) => giveTo(owner, table)) : tables),
    statistics: isGiven && !facts.isCitus ? planStatistics(schema, tables) : [],
    after:
      isGiven && (facts.isSuperuser || stepping === null)
        ? await planIndependence(session, schema, { facts, owner, serving })
        : [],
  };
}

function isUsable(tables: readonly TableState[]): boolean {
  return tables.length > 0 && tables.every(({ usable }) => usable);
}

/** True where the role that asks may serve from the tables as they are. */
export function canServe({ tables }: ArrangementPlan): boolean {
  return isUsable(tables);
}

/** As it will be: the plan is shown before anything is done. */
function giveTo(owner: string, table: TableState): TableState {
  if (table.owner === owner) return table;
  return { ...table, owner, ownerServes: false, grants: table.grants.filter(([role]) => role !== owner) };
}

function planSchemaOwner(
  schema: string,
  { owner, facts, isGiven }: { owner: string; facts: RoleFacts; isGiven: boolean },
): string[] {
  const { schemaOwner, role, isSuperuser, mayMakeSchemas } = facts;
  const [name, newOwner] = [quoteName(schema), quoteName(owner)];
  if (schemaOwner === null) return mayMakeSchemas ? [`CREATE SCHEMA ${name} AUTHORIZATION ${newOwner}`] : [];
  if (schemaOwner === owner || !(isGiven || isSuperuser || schemaOwner === role)) return [];
  return [`ALTER SCHEMA ${name} OWNER TO ${newOwner}`];
}

/** What the owner has to set right, on the tables that there are. */
export function planRights(
  schema: string,
  { facts, serving }: { facts: RoleFacts; serving: readonly string[] },
  tables: readonly TableState[],
): string[] {
  const name = quoteName(schema);
  const holds = (role: string, right: string) => facts.schemaGrants.some((one) => one[0] === role && one[1] === right);
  const outside = serving.filter((role) => !holds(role, 'USAGE'));
  const makers = serving.filter((role) => holds(role, 'CREATE'));
  return [
    ...(outside.length === 0 ? [] : [`GRANT USAGE ON SCHEMA ${name} TO ${outside.map(quoteName).join(', ')}`]),
    ...(makers.length === 0 ? [] : [`REVOKE CREATE ON SCHEMA ${name} FROM ${makers.map(quoteName).join(', ')}`]),
    ...planGrants(schema, tables, serving),
    ...planWalls(schema, tables, serving),
  ];
}

/** Whoever serves must not be able to become the owner, nor own the database, which it could drop. Other programs' tables in it are a reason to leave that alone. */
async function planIndependence(
  session: Session,
  schema: string,
  { facts, owner, serving }: Pick<ArrangementPlan, 'facts' | 'owner' | 'serving'>,
): Promise<string[]> {
  const { rows: members } = await session.query<{ role: string }>(
    `SELECT m.rolname::text AS role FROM pg_auth_members AS a JOIN pg_roles AS m ON m.oid = a.member JOIN pg_roles AS o ON o.oid = a.roleid
     WHERE o.rolname = $1 AND m.rolname = ANY ($2::text[])`,
    [owner, serving.filter((role) => role !== facts.sessionRole)],
  );
  const others = await session.query(
    `SELECT 1 FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace JOIN pg_roles AS o ON o.oid = c.relowner
     WHERE n.nspname <> $1 AND o.rolname = $2 AND c.relkind IN ('r', 'p', 'v', 'm', 'S') LIMIT 1`,
    [schema, facts.databaseOwner],
  );
  const database = quoteName(facts.database);
  const ownsDatabase = serving.includes(facts.databaseOwner) && others.count === 0;
  return [
    ...members.map(({ role }) => `REVOKE ${quoteName(owner)} FROM ${quoteName(role)}`),
    ...(ownsDatabase
      ? [
          `ALTER DATABASE ${database} OWNER TO ${quoteName(owner)}`,
          `GRANT CONNECT ON DATABASE ${database} TO ${serving.map(quoteName).join(', ')}`,
        ]
      : []),
  ];
}
