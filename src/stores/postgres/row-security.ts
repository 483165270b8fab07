import type { Log } from '../../engine/ports.ts';
import type { Session } from './database.ts';
import { quoteName } from './quote.ts';
import type { Surroundings } from './transactions.ts';

/** Nobody logs in as this role; it has no rights but those on our tables, and row-level security holds for it. */
const CONFINED_ROLE = 'ltm_application';

/** "lrol" */
const ROLE_LOCK = 0x6c726f6c;

/**
 * Row-level security binds every ordinary role, the tables' owner included, but neither superusers nor roles with BYPASSRLS. For those each
 * transaction steps down to a role of ours. Where that cannot be, the log says that only the program's own filter keeps spaces apart.
 */
export async function readSurroundings(session: Session, schema: string, log: Log): Promise<Surroundings> {
  const { rows } = await session.query<{ bypasses: boolean; citus: boolean }>(
    `SELECT rolsuper OR rolbypassrls AS bypasses, EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus') AS citus
     FROM pg_roles WHERE rolname = current_user`,
  );
  const { bypasses = false, citus: isCitus = false } = rows[0] ?? {};
  if (!bypasses) return { schema, role: null, isCitus };
  // Citus opens its connections to the workers as the current role, and this one cannot log in.
  const role = isCitus ? null : await makeConfinedRole(session, schema);
  if (role === null)
    log.warn('row_level_security_bypassed', { reason: isCitus ? 'superuser on Citus' : 'no right to make a role' });
  return { schema, role, isCitus };
}

async function makeConfinedRole(session: Session, schema: string): Promise<string | null> {
  if (await canStepDown(session, schema)) return CONFINED_ROLE;
  const [role, place] = [quoteName(CONFINED_ROLE), quoteName(schema)];
  // Under a lock, since two grants at the same moment fail; roles belong to the whole server, so another database's ltm may still be faster.
  await session.run(
    `BEGIN; SELECT pg_advisory_xact_lock(${ROLE_LOCK});
     DO $$ BEGIN
       BEGIN CREATE ROLE ${role} NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation OR insufficient_privilege THEN NULL; END;
       BEGIN GRANT ${role} TO CURRENT_USER; EXCEPTION WHEN OTHERS THEN NULL; END;
       BEGIN
         GRANT USAGE ON SCHEMA ${place} TO ${role};
         GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${place} TO ${role};
       EXCEPTION WHEN undefined_object THEN NULL; END;
     END $$;
     COMMIT`,
  );
  return (await canStepDown(session, schema)) ? CONFINED_ROLE : null;
}

/** The role is there, we may become it, and it may use every table. */
async function canStepDown(session: Session, schema: string): Promise<boolean> {
  const { rows } = await session.query<{ ready: boolean }>(
    `SELECT pg_has_role(current_user, r.oid, 'MEMBER') AND has_schema_privilege(r.oid, n.oid, 'USAGE') AND NOT EXISTS (
       SELECT 1 FROM pg_class AS c WHERE c.relnamespace = n.oid AND c.relkind IN ('r', 'p') AND NOT (
         has_table_privilege(r.oid, c.oid, 'SELECT') AND has_table_privilege(r.oid, c.oid, 'INSERT') AND
         has_table_privilege(r.oid, c.oid, 'UPDATE') AND has_table_privilege(r.oid, c.oid, 'DELETE'))) AS ready
     FROM pg_roles AS r, pg_namespace AS n WHERE r.rolname = $1 AND n.nspname = $2`,
    [CONFINED_ROLE, schema],
  );
  return rows[0]?.ready === true;
}
