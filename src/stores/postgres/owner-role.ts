import { EngineError } from '../../model/errors.ts';
import { sha256Of } from '../../model/sha256.ts';
import type { Session } from './database.ts';
import { quoteName } from './quote.ts';
import { type RoleFacts, readStanding, type Standing } from './role-facts.ts';

/** PostgreSQL cuts longer names off. */
const MAX_NAME_BYTES = 63;

/** Roles belong to the whole server: the name says whose tables they are, so that two databases do not share an owner. */
export function nameOwner(database: string, schema: string): string {
  const name = schema === 'ltm' ? `${database}_owner` : `${database}_${schema}_owner`;
  if (Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  return `ltm_${sha256Of(name).slice(0, 16)}_owner`;
}

/**
 * Who is to own tables that are yet to be made: the role without login to which the schema or the database was given, else one that is made now.
 * A role that may do neither owns them itself.
 */
export async function chooseOwner(session: Session, schema: string, facts: RoleFacts): Promise<string> {
  const { role, schemaOwner, databaseOwner } = facts;
  const given = schemaOwner ?? databaseOwner;
  if (given !== role) {
    const { canLogIn, maySet } = await readStanding(session, given);
    if (!canLogIn && maySet) return given;
  }
  const isOurs = schemaOwner === null ? facts.mayMakeSchemas : schemaOwner === role || facts.isSuperuser;
  const name = nameOwner(facts.database, schema);
  return isOurs && (await mayMakeOwner(session, facts, name)) ? name : role;
}

async function mayMakeOwner(session: Session, facts: RoleFacts, name: string): Promise<boolean> {
  const { exists, canLogIn, isSuperuser, maySet, mayJoin } = await readStanding(session, name);
  if (!exists) return facts.isSuperuser || (facts.mayMakeRoles && !facts.isCitus);
  return !canLogIn && !isSuperuser && (maySet || mayJoin);
}

/** How the session takes the owner's place, for this transaction: makes itself a member where it must, steps in, and leaves nothing behind. */
export interface Stepping {
  join: string[];
  stepIn: string[];
  stepOut: string[];
}

/**
 * On a Citus cluster a superuser stays who it is: Citus opens its connections to the workers as the current role, and the owner cannot log in.
 * null: this session cannot take the owner's place.
 */
export function planStepping(facts: RoleFacts, owner: string, standing: Standing): Stepping | null {
  if (owner === facts.role || (facts.isCitus && facts.isSuperuser)) return { join: [], stepIn: [], stepOut: [] };
  const [name, self] = [quoteName(owner), quoteName(facts.sessionRole)];
  const stepIn = [`SET LOCAL ROLE ${name}`];
  if (facts.isSuperuser || standing.maySet) return { join: [], stepIn, stepOut: ['RESET ROLE'] };
  if (!standing.mayJoin && (standing.exists || !facts.mayMakeRoles)) return null;
  return { join: [`GRANT ${name} TO ${self}`], stepIn, stepOut: ['RESET ROLE', `REVOKE ${name} FROM ${self}`] };
}

export function mayNotBecome(owner: string): EngineError {
  return new EngineError(
    'storage_unsupported',
    `The tables belong to ${owner}, and the role of this connection may not change them.`,
    {
      hint: 'Run `ltm server roles --db postgres://ADMIN@…` as a superuser or as a member of that role, or set db_admin_url. See docs/postgres.md.',
      details: { owner },
    },
  );
}
