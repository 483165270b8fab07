import type { Log } from '../../engine/ports.ts';
import type { RowSecurity } from '../../model/store-facts.ts';
import type { Session } from './database.ts';
import { quoteName } from './quote.ts';
import { type RoleFacts, readRoleFacts, readStanding, type Standing } from './role-facts.ts';
import { CONFINED_ROLE, readTables } from './table-rights.ts';
import type { Surroundings } from './transactions.ts';

/** "lrol" */
const ROLE_LOCK = 0x6c726f6c;

/**
 * Row-level security binds every ordinary role, but neither superusers, nor roles with BYPASSRLS, nor those who have the rights of an owner on whom
 * it is not forced. For these each transaction steps down to a role of ours. Where that cannot be, only the program's own filter keeps spaces apart.
 */
export async function readSurroundings(session: Session, schema: string, log: Log): Promise<Surroundings> {
  const facts = await readRoleFacts(session, schema);
  const table = (await readTables(session, schema)).find(({ keyed }) => keyed);
  const owner = table?.owner ?? facts.role;
  const standing = await readStanding(session, owner);
  const bypasses = facts.bypasses || (standing.inherits && table?.forced === false);
  // Citus opens its connections to the workers as the current role, and this one cannot log in.
  const role = bypasses && !facts.isCitus ? await makeConfinedRole(session, schema) : null;
  const rowSecurity = describe({ facts, owner, standing, isBypassed: bypasses && role === null });
  const { stands, detail: effect } = rowSecurity;
  if (stands === 'not') log.warn('row_level_security_bypassed', { effect });
  else if (owner === facts.role && !facts.bypasses) log.warn('tables_owned_by_serving_role', { effect });
  return { schema, role, isCitus: facts.isCitus, rowSecurity };
}

interface Situation {
  facts: RoleFacts;
  owner: string;
  standing: Standing;
  isBypassed: boolean;
}

const WAY_OUT = '`ltm server roles --dry-run` shows the way out.';

function describe({ facts, owner, standing, isBypassed }: Situation): RowSecurity {
  const { role, sessionRole, isSuperuser } = facts;
  if (isBypassed) {
    const member = facts.bypasses ? 'has BYPASSRLS' : `has the rights of ${owner}, who owns the tables`;
    const why = isSuperuser ? 'is a superuser' : member;
    return {
      stands: 'not',
      detail: `Row-level security does not hold, because ${sessionRole} ${why}. Only ltm itself keeps spaces apart. ${WAY_OUT}`,
    };
  }
  if (owner === role && !isSuperuser) {
    return {
      stands: 'against_mistakes',
      detail: `Row-level security holds, but ${role} owns the tables: it could switch it off, and pg_dump as ${role} fails. ${WAY_OUT}`,
    };
  }
  if (isSuperuser || standing.maySet || standing.mayJoin) {
    return {
      stands: 'against_mistakes',
      detail: `Row-level security holds. Whoever has the password of ${sessionRole} could switch it off, since that role may take the place of ${owner}, who owns the tables.`,
    };
  }
  return {
    stands: 'fully',
    detail: `Row-level security holds: ${role} may read and write rows and nothing else. The tables belong to ${owner}.`,
  };
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
       EXCEPTION WHEN undefined_object OR insufficient_privilege THEN NULL; END;
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
