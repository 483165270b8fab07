/**
 * Without statistics SQLite takes the first column of a key for selective and reads a whole space where a narrower index is at hand. These describe
 * a store of a million records in three spaces (rows in all, then rows per distinct value of 1, 2, 3 … columns), so that plans are good and never change.
 */
const plannerStatistics = `
ANALYZE sqlite_schema;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('records', 'sqlite_autoindex_records_1', '1000000 300000 1'),
  ('records', 'records_by_age', '1000000 300000 2 1 1 1 1 1 1'),
  ('records', 'records_by_hash', '1000000 300000 2 1 1'),
  ('records', 'records_by_key', '100000 30000 30000 1000 1'),
  ('records', 'records_by_key_alone', '100000 30000 2 1 1'),
  ('records', 'records_by_project', '500000 150000 20000 2 1'),
  ('records', 'records_by_session', '500000 150000 200 2 1'),
  ('records', 'records_by_conversation', '500000 150000 200 2 1'),
  ('records', 'records_deleted', '10000 3000 2'),
  ('record_tags', 'record_tags', '3000000 1000000 1000 1'),
  ('record_tags', 'record_tags_by_record', '3000000 1000000 3'),
  ('record_versions', 'sqlite_autoindex_record_versions_1', '300000 100000 2 1'),
  ('passages', 'passages', '2000000 600000 2 1'),
  ('vectors', 'vectors', '2000000 600000 2 1 1'),
  ('relations', 'relations', '500000 150000 5 2 1'),
  ('relations', 'relations_by_end', '500000 150000 5'),
  ('feed', 'feed', '5000000 1500000 1'),
  ('segments', 'segments', '1000 300 1'),
  ('segment_parts', 'sqlite_autoindex_segment_parts_1', '10000 3000 10 1'),
  ('receipts', 'sqlite_autoindex_receipts_1', '100000 30000 1'),
  ('receipt_records', 'receipt_records', '200000 60000 2 1'),
  ('receipt_records', 'receipt_records_by_key', '200000 60000 2'),
  ('read_statistics', 'read_statistics', '500000 150000 1');
ANALYZE sqlite_schema;
`;

/**
 * Every key begins with the space, so that the tables can be spread over servers by it; spaces, leases and access_tokens belong to the whole store.
 * Long columns come last in a row: SQLite reads the pages before a column to reach it.
 */
export const foundation = `
CREATE TABLE spaces (
  id TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE records (
  space_id TEXT NOT NULL,
  id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  kind TEXT NOT NULL,
  key TEXT,
  type TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  project TEXT,
  agent TEXT,
  session TEXT,
  conversation TEXT,
  trust TEXT NOT NULL,
  quality REAL NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  valid_from INTEGER,
  valid_until INTEGER,
  superseded_by TEXT,
  deleted_at INTEGER,
  feed_seq INTEGER NOT NULL,
  checksum BLOB NOT NULL,
  passages_checksum BLOB NOT NULL,
  source TEXT NOT NULL,
  tags TEXT NOT NULL,
  title TEXT,
  body TEXT NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (space_id, id)
) STRICT;
CREATE INDEX records_by_age ON records (space_id, created_at, id, deleted_at, superseded_by, valid_from, valid_until, kind);
CREATE INDEX records_by_hash ON records (space_id, content_hash, created_at, id);
CREATE UNIQUE INDEX records_by_key ON records (space_id, kind, ifnull(project, ''), key) WHERE key IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX records_by_key_alone ON records (space_id, key, created_at, id) WHERE key IS NOT NULL;
CREATE INDEX records_by_project ON records (space_id, project, created_at, id) WHERE project IS NOT NULL;
CREATE INDEX records_by_session ON records (space_id, session, created_at, id) WHERE session IS NOT NULL;
CREATE INDEX records_by_conversation ON records (space_id, conversation, created_at, id) WHERE conversation IS NOT NULL;
CREATE INDEX records_deleted ON records (space_id, deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE record_tags (
  space_id TEXT NOT NULL,
  tag TEXT NOT NULL,
  record_id TEXT NOT NULL,
  PRIMARY KEY (space_id, tag, record_id),
  FOREIGN KEY (space_id, record_id) REFERENCES records (space_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX record_tags_by_record ON record_tags (space_id, record_id);

CREATE TABLE record_versions (
  space_id TEXT NOT NULL,
  record_id TEXT NOT NULL,
  revision INTEGER NOT NULL,
  replaced_at INTEGER NOT NULL,
  reason TEXT,
  checksum BLOB NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (space_id, record_id, revision),
  FOREIGN KEY (space_id, record_id) REFERENCES records (space_id, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE passages (
  space_id TEXT NOT NULL,
  record_id TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (space_id, record_id, ordinal),
  FOREIGN KEY (space_id, record_id) REFERENCES records (space_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE vectors (
  space_id TEXT NOT NULL,
  record_id TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  embedder TEXT NOT NULL,
  scale REAL NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (space_id, record_id, ordinal, embedder),
  FOREIGN KEY (space_id, record_id, ordinal) REFERENCES passages (space_id, record_id, ordinal) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE relations (
  space_id TEXT NOT NULL,
  from_id TEXT NOT NULL,
  to_id TEXT NOT NULL,
  type TEXT NOT NULL,
  weight REAL NOT NULL,
  created_at INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (space_id, from_id, to_id, type),
  FOREIGN KEY (space_id, from_id) REFERENCES records (space_id, id) ON DELETE CASCADE,
  FOREIGN KEY (space_id, to_id) REFERENCES records (space_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX relations_by_end ON relations (space_id, to_id);

CREATE TABLE feed (
  space_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  op TEXT NOT NULL,
  record_id TEXT NOT NULL,
  kind TEXT,
  revision INTEGER,
  actor TEXT NOT NULL,
  PRIMARY KEY (space_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE feed_heads (
  space_id TEXT PRIMARY KEY,
  seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE segments (
  space_id TEXT NOT NULL,
  id TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('staged', 'live', 'dropped')),
  staged_at INTEGER NOT NULL,
  from_seq INTEGER NOT NULL,
  to_seq INTEGER NOT NULL,
  passages INTEGER NOT NULL,
  embedder TEXT,
  bytes INTEGER NOT NULL,
  PRIMARY KEY (space_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE segment_parts (
  space_id TEXT NOT NULL,
  segment_id TEXT NOT NULL,
  part INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (space_id, segment_id, part),
  FOREIGN KEY (space_id, segment_id) REFERENCES segments (space_id, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE receipts (
  space_id TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  answer TEXT NOT NULL,
  PRIMARY KEY (space_id, key)
) STRICT;

CREATE TABLE receipt_records (
  space_id TEXT NOT NULL,
  record_id TEXT NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (space_id, record_id, key),
  FOREIGN KEY (space_id, key) REFERENCES receipts (space_id, key) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX receipt_records_by_key ON receipt_records (space_id, key);

CREATE TABLE read_statistics (
  space_id TEXT NOT NULL,
  record_id TEXT NOT NULL,
  reads INTEGER NOT NULL,
  last_read_at INTEGER NOT NULL,
  PRIMARY KEY (space_id, record_id),
  FOREIGN KEY (space_id, record_id) REFERENCES records (space_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE leases (
  name TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE access_tokens (
  id TEXT PRIMARY KEY,
  sha256 TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER,
  expires_at INTEGER
) STRICT, WITHOUT ROWID;

${plannerStatistics}
`;
