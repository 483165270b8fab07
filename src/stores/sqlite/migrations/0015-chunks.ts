/** Pieces of transcripts, named by what they hold. */
export const chunks = `
CREATE TABLE chunks (
  space_id TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  lines INTEGER NOT NULL,
  alias TEXT,
  packed BLOB NOT NULL,
  crc INTEGER,
  clean INTEGER NOT NULL,
  stored_at INTEGER NOT NULL,
  PRIMARY KEY (space_id, sha256)
) STRICT;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('chunks', 'sqlite_autoindex_chunks_1', '100000 30000 1');
`;
