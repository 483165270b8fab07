/**
 * What databases that exchange records keep: the stamps of records that were changed, which of them wait for another record, how far each link has
 * come, and since which change a version is here. A space that was put back from a backup goes on as another replica.
 */
export const travel = `
CREATE TABLE stamps (
  space_id TEXT NOT NULL,
  record_id TEXT NOT NULL,
  generation INTEGER NOT NULL,
  state TEXT NOT NULL,
  crc INTEGER,
  PRIMARY KEY (space_id, record_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE waiting (
  space_id TEXT NOT NULL,
  name TEXT NOT NULL,
  record_id TEXT NOT NULL,
  PRIMARY KEY (space_id, name, record_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE sync_links (
  space_id TEXT NOT NULL,
  name TEXT NOT NULL,
  state TEXT NOT NULL,
  crc INTEGER,
  PRIMARY KEY (space_id, name)
) STRICT, WITHOUT ROWID;
ALTER TABLE record_versions ADD COLUMN feed_seq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE feed_heads ADD COLUMN replica TEXT;
ALTER TABLE feed_heads ADD COLUMN epoch TEXT;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('stamps', 'stamps', '30000 10000 1'),
  ('waiting', 'waiting', '100 30 1 1'),
  ('sync_links', 'sync_links', '10 3 1');
ANALYZE sqlite_schema;
`;
