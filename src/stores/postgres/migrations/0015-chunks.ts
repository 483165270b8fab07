import { TEXT } from './0001-foundation.ts';

/** Pieces of transcripts, named by what they hold. They are compressed already. */
export const chunks = `
CREATE TABLE chunks (
  space_id ${TEXT} NOT NULL,
  sha256 ${TEXT} NOT NULL,
  bytes bigint NOT NULL,
  lines bigint NOT NULL,
  alias ${TEXT},
  packed bytea NOT NULL,
  crc bigint,
  clean bigint NOT NULL,
  stored_at bigint NOT NULL,
  PRIMARY KEY (space_id, sha256)
);
ALTER TABLE chunks ALTER COLUMN packed SET STORAGE EXTERNAL;
ALTER TABLE chunks ENABLE ROW LEVEL SECURITY;
ALTER TABLE chunks FORCE ROW LEVEL SECURITY;
CREATE POLICY chunks_of_space ON chunks USING (space_id = nullif(current_setting('ltm.space', true), ''));
`;
