import type { DatabaseSync } from 'node:sqlite';
import { newReplicaId } from '../../../model/ids.ts';

/**
 * What databases that exchange their records will need: an id of their own, graves of what was purged, and for every write a dot, which two
 * databases never give alike. Versions of before are named by their own checksum: nobody knows who wrote them.
 */
export function synchronisation(database: DatabaseSync): void {
  const named = database.prepare("SELECT value FROM server_secrets WHERE name = 'database_id'").get()?.value;
  const replica = String(named ?? newReplicaId());
  database.exec(TABLES);
  database
    .prepare('INSERT INTO replica (one, id, epoch, created_at) VALUES (1, ?, ?, ?)')
    .run(replica, newReplicaId(), Date.now());
  database.exec(COLUMNS);
  database.prepare("UPDATE records SET dot = ? || ':' || feed_seq").run(replica);
  database.exec(VERSIONS);
}

const TABLES = `
CREATE TABLE replica (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  id TEXT NOT NULL,
  epoch TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
DELETE FROM server_secrets WHERE name = 'database_id';

CREATE TABLE graves (
  space_id TEXT NOT NULL,
  record_id TEXT NOT NULL,
  generation INTEGER NOT NULL,
  purged_at INTEGER NOT NULL,
  PRIMARY KEY (space_id, record_id)
) STRICT, WITHOUT ROWID;
`;

/** The names of columns and the rows of heads become what they are on PostgreSQL, where the same statements run. */
const COLUMNS = `
ALTER TABLE spaces RENAME COLUMN id TO space_id;
INSERT INTO feed_heads (space_id, seq) SELECT space_id, 0 FROM spaces WHERE true ON CONFLICT DO NOTHING;
ALTER TABLE feed ADD COLUMN to_id TEXT;
ALTER TABLE feed ADD COLUMN relation_type TEXT;
ALTER TABLE records ADD COLUMN generation INTEGER NOT NULL DEFAULT 1;
ALTER TABLE records ADD COLUMN dot TEXT NOT NULL DEFAULT '';
DROP INDEX records_by_key;
CREATE INDEX records_by_key ON records (space_id, kind, coalesce(project, ''), key) WHERE key IS NOT NULL AND deleted_at IS NULL;

INSERT INTO graves (space_id, record_id, generation, purged_at)
SELECT space_id, record_id, count(*), max(at) FROM feed WHERE op = 'purged' GROUP BY space_id, record_id;
UPDATE records SET generation = 1 + g.generation FROM graves AS g WHERE g.space_id = records.space_id AND g.record_id = records.id;
`;

const VERSIONS = `
CREATE TABLE versions_by_dot (
  space_id TEXT NOT NULL,
  record_id TEXT NOT NULL,
  dot TEXT NOT NULL,
  revision INTEGER NOT NULL,
  replaced_at INTEGER NOT NULL,
  reason TEXT,
  checksum BLOB NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (space_id, record_id, dot),
  FOREIGN KEY (space_id, record_id) REFERENCES records (space_id, id) ON DELETE CASCADE
) STRICT;
INSERT INTO versions_by_dot (space_id, record_id, dot, revision, replaced_at, reason, checksum, state)
SELECT space_id, record_id, lower(substr(hex(checksum), 1, 16)) || ':' || revision, revision, replaced_at, reason, checksum, state FROM record_versions;
DROP TABLE record_versions;
ALTER TABLE versions_by_dot RENAME TO record_versions;

INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('records', 'records_by_key', '100000 30000 30000 1000 1'),
  ('record_versions', 'sqlite_autoindex_record_versions_1', '300000 100000 2 1'),
  ('graves', 'graves', '10000 3000 1');
ANALYZE sqlite_schema;
`;
