import { TEXT } from './0001-foundation.ts';

/** What machines have sealed, and who has the keys (the rows without a slot). A space that is sealed takes no records. */
export const sealed = `
CREATE TABLE sealed (
  space_id ${TEXT} NOT NULL,
  upload ${TEXT} NOT NULL,
  slot ${TEXT} NOT NULL,
  seq bigint NOT NULL,
  generation bigint NOT NULL,
  buried bigint NOT NULL,
  key_id ${TEXT} NOT NULL,
  member ${TEXT} NOT NULL,
  tag ${TEXT} NOT NULL,
  link ${TEXT} NOT NULL,
  user_id ${TEXT} NOT NULL,
  stored_at bigint NOT NULL,
  body bytea NOT NULL,
  crc bigint,
  PRIMARY KEY (space_id, upload)
);
CREATE INDEX sealed_by_slot ON sealed (space_id, slot, seq, upload);
CREATE INDEX sealed_by_seq ON sealed (space_id, seq);
ALTER TABLE sealed ALTER COLUMN body SET STORAGE EXTERNAL;
ALTER TABLE sealed ENABLE ROW LEVEL SECURITY;
ALTER TABLE sealed FORCE ROW LEVEL SECURITY;
CREATE POLICY sealed_of_space ON sealed USING (space_id = nullif(current_setting('ltm.space', true), ''));
ALTER TABLE feed_heads ADD COLUMN sealed bigint NOT NULL DEFAULT 0;
`;
