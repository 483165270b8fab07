/**
 * Counts that commits keep, so that nobody need count; filled by upkeep, step by step (`counted` says how far). What is valid for a time alone is
 * counted when somebody asks. Deletions are gone through by time and id.
 */
export const counts = `
CREATE TABLE label_counts (
  space_id TEXT NOT NULL,
  label TEXT NOT NULL,
  value TEXT NOT NULL,
  kind TEXT NOT NULL,
  live INTEGER NOT NULL,
  plain INTEGER NOT NULL,
  PRIMARY KEY (space_id, label, value, kind)
) STRICT, WITHOUT ROWID;
ALTER TABLE feed_heads ADD COLUMN counted TEXT NOT NULL DEFAULT '';
CREATE INDEX records_valid_for_a_time ON records (space_id, created_at, id) WHERE valid_from IS NOT NULL OR valid_until IS NOT NULL;
DROP INDEX records_deleted;
CREATE INDEX records_deleted ON records (space_id, deleted_at, id) WHERE deleted_at IS NOT NULL;
DELETE FROM sqlite_stat1 WHERE idx = 'records_deleted';
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('records', 'records_deleted', '10000 3000 2 1'),
  ('records', 'records_valid_for_a_time', '300 100 2 1'),
  ('label_counts', 'label_counts', '10000 3000 500 2 1');
ANALYZE sqlite_schema;
`;
