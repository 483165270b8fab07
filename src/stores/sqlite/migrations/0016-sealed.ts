/** What machines have sealed, and who has the keys (the rows without a slot). A space that is sealed takes no records. */
export const sealed = `
CREATE TABLE sealed (
  space_id TEXT NOT NULL,
  upload TEXT NOT NULL,
  slot TEXT NOT NULL,
  seq INTEGER NOT NULL,
  generation INTEGER NOT NULL,
  buried INTEGER NOT NULL,
  key_id TEXT NOT NULL,
  member TEXT NOT NULL,
  tag TEXT NOT NULL,
  link TEXT NOT NULL,
  user_id TEXT NOT NULL,
  stored_at INTEGER NOT NULL,
  body BLOB NOT NULL,
  crc INTEGER,
  PRIMARY KEY (space_id, upload)
) STRICT;
CREATE INDEX sealed_by_slot ON sealed (space_id, slot, seq, upload);
CREATE INDEX sealed_by_seq ON sealed (space_id, seq);
ALTER TABLE feed_heads ADD COLUMN sealed INTEGER NOT NULL DEFAULT 0;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('sealed', 'sqlite_autoindex_sealed_1', '30000 10000 1'),
  ('sealed', 'sealed_by_slot', '30000 10000 1 1 1'),
  ('sealed', 'sealed_by_seq', '30000 10000 1');
ANALYZE sqlite_schema;
`;
