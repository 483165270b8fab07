import { TEXT } from './0001-foundation.ts';

/**
 * What databases that exchange records keep: the stamps of records that were changed, which of them wait for another record, how far each link has
 * come, and since which change a version is here. A space that was put back from a backup goes on as another replica.
 */
export const travel = `
CREATE TABLE stamps (
  space_id ${TEXT} NOT NULL,
  record_id ${TEXT} NOT NULL,
  generation bigint NOT NULL,
  state ${TEXT} NOT NULL,
  crc bigint,
  PRIMARY KEY (space_id, record_id)
);
CREATE TABLE waiting (
  space_id ${TEXT} NOT NULL,
  name ${TEXT} NOT NULL,
  record_id ${TEXT} NOT NULL,
  PRIMARY KEY (space_id, name, record_id)
);
CREATE TABLE sync_links (
  space_id ${TEXT} NOT NULL,
  name ${TEXT} NOT NULL,
  state ${TEXT} NOT NULL,
  crc bigint,
  PRIMARY KEY (space_id, name)
);
ALTER TABLE record_versions ADD COLUMN feed_seq bigint NOT NULL DEFAULT 0;
ALTER TABLE feed_heads ADD COLUMN replica ${TEXT}, ADD COLUMN epoch ${TEXT};
`;
