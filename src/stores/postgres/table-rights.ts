import type { Session } from './database.ts';
import { quoteName } from './quote.ts';
import type { Grant } from './role-facts.ts';

/** What a role that serves may do with rows, and all that it may do with a table. */
const SERVING_RIGHTS = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'];

/** Nobody logs in as this role; it has no rights but those on our tables, and row-level security holds for it. */
export const CONFINED_ROLE = 'ltm_application';

export interface TableState {
  name: string;
  owner: string;
  /** The owner can log in, and row-level security binds it if it is forced on it. */
  ownerServes: boolean;
  /** Its rows belong to a space: the first column of its key. */
  keyed: boolean;
  walled: boolean;
  forced: boolean;
  /** The policy that lets a transaction see its own space only; null where there is none. */
  policy: string | null;
  grants: readonly Grant[];
  /** The role that asks may read and write its rows. */
  usable: boolean;
  /** It is large, and the server knows nothing of what is in it: it was restored just now, and would be read by wrong guesses until somebody says ANALYZE. */
  unknown: boolean;
}

/** Below that, wrong guesses cost nothing. */
const LARGE_BYTES = 1024 * 1024;

const READ_TABLES = `
  SELECT c.relname::text AS name, o.rolname::text AS owner, c.relrowsecurity AS walled, c.relforcerowsecurity AS forced,
    o.rolcanlogin AND NOT (o.rolsuper OR o.rolbypassrls) AS "ownerServes",
    EXISTS (SELECT 1 FROM pg_index AS i JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
            WHERE i.indrelid = c.oid AND i.indisprimary AND a.attname = 'space_id') AS keyed,
    (SELECT pg_get_expr(p.polqual, c.oid) FROM pg_policy AS p WHERE p.polrelid = c.oid AND p.polname = c.relname || '_of_space') AS policy,
    coalesce((SELECT jsonb_agg(jsonb_build_array(g.rolname::text, a.privilege_type)) FROM aclexplode(c.relacl) AS a
              JOIN pg_roles AS g ON g.oid = a.grantee WHERE a.grantee <> c.relowner), '[]') AS grants,
    has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT') AND has_table_privilege(c.oid, 'UPDATE')
      AND has_table_privilege(c.oid, 'DELETE') AS usable,
    pg_relation_size(c.oid) >= ${LARGE_BYTES}
      AND coalesce(pg_stat_get_last_analyze_time(c.oid), pg_stat_get_last_autoanalyze_time(c.oid)) IS NULL AS unknown
  FROM pg_class AS c JOIN pg_roles AS o ON o.oid = c.relowner
  WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND c.relkind = 'r' ORDER BY c.oid`;

/** Every table of the schema, in the order in which they were made. */
export async function readTables(session: Session, schema: string): Promise<TableState[]> {
  return (await session.query<TableState>(READ_TABLES, [schema])).rows;
}

/** Roles besides the owner that write rows: what they may, they may with tables of later migrations too. */
export function listServing(tables: readonly TableState[]): string[] {
  const grants = tables.find(({ name }) => name === 'spaces')?.grants ?? [];
  return grants.filter(([, right]) => right === 'INSERT').map(([role]) => role);
}

/** ANALYZE, for those of which the server knows nothing yet. */
export function planStatistics(schema: string, tables: readonly TableState[]): string[] {
  return tables.filter(({ unknown }) => unknown).map(({ name }) => `ANALYZE ${place(schema, name)}`);
}

export function planOwner(schema: string, tables: readonly TableState[], owner: string): string[] {
  return tables
    .filter((table) => table.owner !== owner)
    .map(({ name }) => `ALTER TABLE ${place(schema, name)} OWNER TO ${quoteName(owner)}`);
}

/**
 * The second wall, on every table that has a space: whatever a statement asks for, it gets rows of the transaction's space and no others.
 * It binds whoever serves. An owner that does not serve passes it, so that backups and Citus see all rows.
 * A session that has named no space gets an error, not an empty table: a dump under row-level security must fail, not succeed without rows.
 */
export function planWalls(schema: string, tables: readonly TableState[], serving: readonly string[]): string[] {
  const others = serving.filter((role) => role !== CONFINED_ROLE);
  return tables
    .filter(({ keyed }) => keyed)
    .flatMap(({ name, walled, forced, policy, ownerServes }) => {
      const table = place(schema, name);
      const isOwn = `USING (space_id = nullif(current_setting('ltm.space'), ''))`;
      const mustForce = ownerServes && others.length === 0;
      return [
        ...(walled ? [] : [`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`]),
        ...(forced === mustForce ? [] : [`ALTER TABLE ${table} ${mustForce ? '' : 'NO '}FORCE ROW LEVEL SECURITY`]),
        ...(policy === null ? [`CREATE POLICY ${quoteName(`${name}_of_space`)} ON ${table} ${isOwn}`] : []),
        ...(policy?.includes('true') === true
          ? [`ALTER POLICY ${quoteName(`${name}_of_space`)} ON ${table} ${isOwn}`]
          : []),
      ];
    });
}

/** For work on the rows of every space: an owner that serves is let through its own wall. */
export function planLettingThrough(schema: string, tables: readonly TableState[]): string[] {
  return tables
    .filter(({ forced }) => forced)
    .map(({ name }) => `ALTER TABLE ${place(schema, name)} NO FORCE ROW LEVEL SECURITY`);
}

/** Rows, and nothing else: who may empty, change or drop a table could take the wall away. */
export function planGrants(schema: string, tables: readonly TableState[], serving: readonly string[]): string[] {
  return serving.flatMap((role) => {
    const held = (table: TableState) => table.grants.filter(([grantee]) => grantee === role).map(([, right]) => right);
    const lacking = tables.filter(
      (table) => table.owner !== role && SERVING_RIGHTS.some((right) => !held(table).includes(right)),
    );
    const excess = (table: TableState) => held(table).filter((right) => !SERVING_RIGHTS.includes(right));
    const excessive = tables.filter((table) => excess(table).length > 0);
    const rights = [...new Set(excessive.flatMap(excess))].join(', ');
    return [
      ...list(schema, lacking, (names) => `GRANT ${SERVING_RIGHTS.join(', ')} ON ${names} TO ${quoteName(role)}`),
      ...list(schema, excessive, (names) => `REVOKE ${rights} ON ${names} FROM ${quoteName(role)}`),
    ];
  });
}

function list(schema: string, tables: readonly TableState[], make: (names: string) => string): string[] {
  return tables.length === 0 ? [] : [make(tables.map(({ name }) => place(schema, name)).join(', '))];
}

function place(schema: string, table: string): string {
  return `${quoteName(schema)}.${quoteName(table)}`;
}
