import { newReplicaId } from '../../../model/ids.ts';
import type { Session } from '../database.ts';
import { quoteLiteral } from '../quote.ts';
import { TEXT } from './0001-foundation.ts';

/** Rows of every space are changed: the owner is let through its own wall meanwhile. */
const WALLED = ['records', 'record_versions', 'feed'];

/**
 * What databases that exchange their records will need: an id of their own, graves of what was purged, and for every write a dot, which two
 * databases never give alike. Versions of before are named by their own checksum: nobody knows who wrote them.
 */
export async function synchronisation(session: Session, limitMs: number): Promise<void> {
  const { rows } = await session.query<{ value: string }>(
    "SELECT value FROM server_secrets WHERE name = 'database_id'",
  );
  const replica = rows[0]?.value ?? newReplicaId();
  await session.run(addTables(replica), limitMs);
  for (const table of WALLED) await session.run(`ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY`);
  await session.run(fillIn(replica), limitMs);
  for (const table of WALLED) await session.run(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`);
  await session.run(SETTLE, limitMs);
}

function addTables(replica: string): string {
  return `
    CREATE TABLE replica (
      one bigint PRIMARY KEY CHECK (one = 1),
      id ${TEXT} NOT NULL,
      epoch ${TEXT} NOT NULL,
      created_at bigint NOT NULL
    );
    INSERT INTO replica (one, id, epoch, created_at)
    VALUES (1, ${quoteLiteral(replica)}, '${newReplicaId()}', ${Date.now()});
    DELETE FROM server_secrets WHERE name = 'database_id';

    CREATE TABLE graves (
      space_id ${TEXT} NOT NULL,
      record_id ${TEXT} NOT NULL,
      generation bigint NOT NULL,
      purged_at bigint NOT NULL,
      PRIMARY KEY (space_id, record_id)
    );

    ALTER TABLE feed ADD COLUMN to_id ${TEXT}, ADD COLUMN relation_type ${TEXT};
    ALTER TABLE records ADD COLUMN generation bigint NOT NULL DEFAULT 1, ADD COLUMN dot ${TEXT};
    ALTER TABLE record_versions ADD COLUMN dot ${TEXT};
    DROP INDEX records_by_key;
    CREATE INDEX records_by_key ON records (space_id, kind, coalesce(project, ''), key) WHERE key IS NOT NULL AND deleted_at IS NULL;`;
}

function fillIn(replica: string): string {
  const purges =
    "SELECT space_id, record_id, count(*) AS n, max(at) AS at FROM feed WHERE op = 'purged' GROUP BY space_id, record_id";
  return `
    INSERT INTO graves (space_id, record_id, generation, purged_at) ${purges};
    UPDATE records SET dot = ${quoteLiteral(`${replica}:`)} || feed_seq;
    UPDATE records SET generation = 1 + p.n FROM (${purges}) AS p WHERE p.space_id = records.space_id AND p.record_id = records.id;
    UPDATE record_versions SET dot = left(encode(checksum, 'hex'), 16) || ':' || revision`;
}

const SETTLE = `
  ALTER TABLE records ALTER COLUMN dot SET NOT NULL;
  ALTER TABLE record_versions ALTER COLUMN dot SET NOT NULL;
  ALTER TABLE record_versions DROP CONSTRAINT record_versions_pkey;
  ALTER TABLE record_versions ADD CONSTRAINT record_versions_pkey PRIMARY KEY (space_id, record_id, dot);
  ALTER TABLE graves ENABLE ROW LEVEL SECURITY;
  ALTER TABLE graves FORCE ROW LEVEL SECURITY;
  CREATE POLICY graves_of_space ON graves USING (space_id = nullif(current_setting('ltm.space', true), ''));`;
