import { TEXT } from './0001-foundation.ts';

/**
 * Counts that commits keep, so that nobody need count; filled by upkeep, step by step (`counted` says how far). What is valid for a time alone is
 * counted when somebody asks. Deletions are gone through by time and id.
 */
export const counts = `
CREATE TABLE label_counts (
  space_id ${TEXT} NOT NULL,
  label ${TEXT} NOT NULL,
  value ${TEXT} NOT NULL,
  kind ${TEXT} NOT NULL,
  live bigint NOT NULL,
  plain bigint NOT NULL,
  PRIMARY KEY (space_id, label, value, kind)
);
ALTER TABLE feed_heads ADD COLUMN counted ${TEXT} NOT NULL DEFAULT '';
CREATE INDEX records_valid_for_a_time ON records (space_id, created_at, id) WHERE valid_from IS NOT NULL OR valid_until IS NOT NULL;
DROP INDEX records_deleted;
CREATE INDEX records_deleted ON records (space_id, deleted_at, id) WHERE deleted_at IS NOT NULL;
`;
