import type { Session } from './database.ts';

export type Grant = readonly [role: string, right: string];

/** Who asks, and what it may, before anything is changed. */
export interface RoleFacts {
  /** Whose rights hold; the session may have another name (`SET ROLE`). */
  role: string;
  sessionRole: string;
  isSuperuser: boolean;
  /** Row-level security does not bind this role, whoever owns the tables. */
  bypasses: boolean;
  mayMakeRoles: boolean;
  mayMakeSchemas: boolean;
  isCitus: boolean;
  /** Nothing can be changed here. */
  isStandby: boolean;
  database: string;
  databaseOwner: string;
  schemaOwner: string | null;
  /** To others than its owner. */
  schemaGrants: readonly Grant[];
}

const READ_FACTS = `
  SELECT current_user::text AS role, session_user::text AS "sessionRole", s.rolsuper AS "isSuperuser",
    r.rolsuper OR r.rolbypassrls AS bypasses, r.rolcreaterole AS "mayMakeRoles",
    has_database_privilege(d.oid, 'CREATE') AS "mayMakeSchemas",
    EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'citus') AS "isCitus", pg_is_in_recovery() AS "isStandby",
    d.datname::text AS database, pg_get_userbyid(d.datdba)::text AS "databaseOwner",
    pg_get_userbyid(n.nspowner)::text AS "schemaOwner",
    coalesce((SELECT jsonb_agg(jsonb_build_array(g.rolname::text, a.privilege_type)) FROM aclexplode(n.nspacl) AS a
              JOIN pg_roles AS g ON g.oid = a.grantee WHERE a.grantee <> n.nspowner), '[]') AS "schemaGrants"
  FROM pg_database AS d JOIN pg_roles AS r ON r.rolname = current_user JOIN pg_roles AS s ON s.rolname = session_user
    LEFT JOIN pg_namespace AS n ON n.nspname = $1
  WHERE d.datname = current_database()`;

export async function readRoleFacts(session: Session, schema: string): Promise<RoleFacts> {
  return (await session.query<RoleFacts>(READ_FACTS, [schema])).rows[0]!;
}

/** What the session's role is to another one. */
export interface Standing {
  exists: boolean;
  canLogIn: boolean;
  isSuperuser: boolean;
  /** It has the other's rights without asking. */
  inherits: boolean;
  /** It may take the other's place (`SET ROLE`). */
  maySet: boolean;
  /** It may make itself a member, and so take the other's place. */
  mayJoin: boolean;
}

const NOBODY: Standing = {
  exists: false,
  canLogIn: false,
  isSuperuser: false,
  inherits: false,
  maySet: false,
  mayJoin: false,
};

/** Before PostgreSQL 16 whoever may make roles may join any that is no superuser; since then a member need not be let to SET ROLE. */
export async function readStanding(session: Session, role: string): Promise<Standing> {
  const { rows } = await session.query<Standing>(
    `SELECT true AS exists, o.rolcanlogin AS "canLogIn", o.rolsuper AS "isSuperuser", pg_has_role(current_user, o.oid, 'USAGE') AS inherits,
       pg_has_role(session_user, o.oid, CASE WHEN v.n < 160000 THEN 'MEMBER' ELSE 'SET' END) AS "maySet",
       pg_has_role(session_user, o.oid, 'MEMBER WITH ADMIN OPTION') OR (v.n < 160000 AND s.rolcreaterole AND NOT o.rolsuper) AS "mayJoin"
     FROM pg_roles AS o, pg_roles AS s, (SELECT current_setting('server_version_num')::int AS n) AS v
     WHERE o.rolname = $1 AND s.rolname = session_user`,
    [role],
  );
  return rows[0] ?? NOBODY;
}
