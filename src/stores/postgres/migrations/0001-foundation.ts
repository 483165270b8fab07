/** Compared byte by byte, as SQLite does: the same order on every server, whatever its locale. */
export const TEXT = 'text COLLATE "C"';

/** Tables whose rows belong to a space, which is the first column of every key: they can be spread over servers by it. */
export const SPACE_TABLES = [
  'spaces',
  'records',
  'record_tags',
  'record_versions',
  'passages',
  'vectors',
  'relations',
  'feed',
  'feed_heads',
  'segments',
  'segment_parts',
  'receipts',
  'receipt_records',
  'read_statistics',
] as const;

const tables = `
CREATE TABLE spaces (
  space_id ${TEXT} PRIMARY KEY,
  created_at bigint NOT NULL
);

CREATE TABLE records (
  space_id ${TEXT} NOT NULL,
  id ${TEXT} NOT NULL,
  revision bigint NOT NULL,
  kind ${TEXT} NOT NULL,
  key ${TEXT},
  type ${TEXT} NOT NULL,
  content_hash ${TEXT} NOT NULL,
  project ${TEXT},
  agent ${TEXT},
  session ${TEXT},
  conversation ${TEXT},
  trust ${TEXT} NOT NULL,
  quality double precision NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  valid_from bigint,
  valid_until bigint,
  superseded_by ${TEXT},
  deleted_at bigint,
  feed_seq bigint NOT NULL,
  checksum bytea NOT NULL,
  passages_checksum bytea NOT NULL,
  source ${TEXT} NOT NULL,
  tags ${TEXT} NOT NULL,
  title ${TEXT},
  body ${TEXT} NOT NULL,
  content ${TEXT} NOT NULL,
  PRIMARY KEY (space_id, id)
);
CREATE INDEX records_by_age ON records (space_id, created_at, id);
CREATE INDEX records_by_hash ON records (space_id, content_hash, created_at, id);
CREATE UNIQUE INDEX records_by_key ON records (space_id, kind, coalesce(project, ''), key) WHERE key IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX records_by_key_alone ON records (space_id, key, created_at, id) WHERE key IS NOT NULL;
CREATE INDEX records_by_project ON records (space_id, project, created_at, id) WHERE project IS NOT NULL;
CREATE INDEX records_by_session ON records (space_id, session, created_at, id) WHERE session IS NOT NULL;
CREATE INDEX records_by_conversation ON records (space_id, conversation, created_at, id) WHERE conversation IS NOT NULL;
CREATE INDEX records_deleted ON records (space_id, deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE record_tags (
  space_id ${TEXT} NOT NULL,
  tag ${TEXT} NOT NULL,
  record_id ${TEXT} NOT NULL,
  PRIMARY KEY (space_id, tag, record_id),
  FOREIGN KEY (space_id, record_id) REFERENCES records (space_id, id) ON DELETE CASCADE
);
CREATE INDEX record_tags_by_record ON record_tags (space_id, record_id);

CREATE TABLE record_versions (
  space_id ${TEXT} NOT NULL,
  record_id ${TEXT} NOT NULL,
  revision bigint NOT NULL,
  replaced_at bigint NOT NULL,
  reason ${TEXT},
  checksum bytea NOT NULL,
  state ${TEXT} NOT NULL,
  PRIMARY KEY (space_id, record_id, revision),
  FOREIGN KEY (space_id, record_id) REFERENCES records (space_id, id) ON DELETE CASCADE
);

CREATE TABLE passages (
  space_id ${TEXT} NOT NULL,
  record_id ${TEXT} NOT NULL,
  ordinal bigint NOT NULL,
  text ${TEXT} NOT NULL,
  PRIMARY KEY (space_id, record_id, ordinal),
  FOREIGN KEY (space_id, record_id) REFERENCES records (space_id, id) ON DELETE CASCADE
);

CREATE TABLE vectors (
  space_id ${TEXT} NOT NULL,
  record_id ${TEXT} NOT NULL,
  ordinal bigint NOT NULL,
  embedder ${TEXT} NOT NULL,
  scale double precision NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (space_id, record_id, ordinal, embedder),
  FOREIGN KEY (space_id, record_id, ordinal) REFERENCES passages (space_id, record_id, ordinal) ON DELETE CASCADE
);

CREATE TABLE relations (
  space_id ${TEXT} NOT NULL,
  from_id ${TEXT} NOT NULL,
  to_id ${TEXT} NOT NULL,
  type ${TEXT} NOT NULL,
  weight double precision NOT NULL,
  created_at bigint NOT NULL,
  body ${TEXT} NOT NULL,
  PRIMARY KEY (space_id, from_id, to_id, type),
  FOREIGN KEY (space_id, from_id) REFERENCES records (space_id, id) ON DELETE CASCADE,
  FOREIGN KEY (space_id, to_id) REFERENCES records (space_id, id) ON DELETE CASCADE
);
CREATE INDEX relations_by_end ON relations (space_id, to_id);
`;

/** `commit_id` tells a program whose connection broke at the wrong moment whether its commit was the one that took this number. */
const feedAndIndex = `
CREATE TABLE feed (
  space_id ${TEXT} NOT NULL,
  seq bigint NOT NULL,
  at bigint NOT NULL,
  op ${TEXT} NOT NULL,
  record_id ${TEXT} NOT NULL,
  kind ${TEXT},
  revision bigint,
  actor ${TEXT} NOT NULL,
  commit_id uuid NOT NULL,
  PRIMARY KEY (space_id, seq)
);

CREATE TABLE feed_heads (
  space_id ${TEXT} PRIMARY KEY,
  seq bigint NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);

CREATE TABLE segments (
  space_id ${TEXT} NOT NULL,
  id ${TEXT} NOT NULL,
  state ${TEXT} NOT NULL CHECK (state IN ('staged', 'live', 'dropped')),
  staged_at bigint NOT NULL,
  from_seq bigint NOT NULL,
  to_seq bigint NOT NULL,
  passages bigint NOT NULL,
  embedder ${TEXT},
  bytes bigint NOT NULL,
  PRIMARY KEY (space_id, id)
);

CREATE TABLE segment_parts (
  space_id ${TEXT} NOT NULL,
  segment_id ${TEXT} NOT NULL,
  part bigint NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (space_id, segment_id, part),
  FOREIGN KEY (space_id, segment_id) REFERENCES segments (space_id, id) ON DELETE CASCADE
);
ALTER TABLE segment_parts ALTER COLUMN bytes SET STORAGE EXTERNAL;

CREATE TABLE receipts (
  space_id ${TEXT} NOT NULL,
  key ${TEXT} NOT NULL,
  fingerprint ${TEXT} NOT NULL,
  created_at bigint NOT NULL,
  answer ${TEXT} NOT NULL,
  PRIMARY KEY (space_id, key)
);

CREATE TABLE receipt_records (
  space_id ${TEXT} NOT NULL,
  record_id ${TEXT} NOT NULL,
  key ${TEXT} NOT NULL,
  PRIMARY KEY (space_id, record_id, key),
  FOREIGN KEY (space_id, key) REFERENCES receipts (space_id, key) ON DELETE CASCADE
);
CREATE INDEX receipt_records_by_key ON receipt_records (space_id, key);

CREATE TABLE read_statistics (
  space_id ${TEXT} NOT NULL,
  record_id ${TEXT} NOT NULL,
  reads bigint NOT NULL,
  last_read_at bigint NOT NULL,
  PRIMARY KEY (space_id, record_id),
  FOREIGN KEY (space_id, record_id) REFERENCES records (space_id, id) ON DELETE CASCADE
);

CREATE TABLE leases (
  name ${TEXT} PRIMARY KEY,
  holder ${TEXT} NOT NULL,
  until bigint NOT NULL
);
`;

/**
 * The second wall: whatever a statement asks for, it gets rows of the transaction's space and no others, the tables' owner included.
 * On the workers of a Citus cluster a setting that was never made reads as an empty string, hence nullif.
 */
function wallOff(table: string): string {
  return `
    ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
    CREATE POLICY ${table}_of_space ON ${table} USING (space_id = nullif(current_setting('ltm.space', true), ''));`;
}

/** Which spaces there are, and which have changed: nothing of what is in them. */
const listing = ['spaces', 'feed_heads']
  .map(
    (table) =>
      `CREATE POLICY ${table}_listed ON ${table} FOR SELECT USING (current_setting('ltm.lists_spaces', true) = 'on');`,
  )
  .join('\n');

export const foundation = [tables, feedAndIndex, ...SPACE_TABLES.map(wallOff), listing].join('\n');
