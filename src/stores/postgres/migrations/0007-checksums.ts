import { TEXT } from './0001-foundation.ts';

/**
 * What reads are checked against. Rows that are there already have no sum, and spaces no counts, until upkeep has made them (`covered` says how
 * far it has come): a large database must not stand still for it.
 */
export const checksums = `
ALTER TABLE records ADD COLUMN quick bigint, ADD COLUMN versions_sum bigint, ADD COLUMN content_sum bigint;
ALTER TABLE vectors ADD COLUMN crc bigint;
ALTER TABLE relations ADD COLUMN crc bigint;
ALTER TABLE feed ADD COLUMN crc bigint;
ALTER TABLE graves ADD COLUMN crc bigint;
ALTER TABLE receipts ADD COLUMN crc bigint;
ALTER TABLE feed_heads
  ADD COLUMN records bigint, ADD COLUMN live bigint, ADD COLUMN versions bigint, ADD COLUMN relations bigint, ADD COLUMN graves bigint,
  ADD COLUMN crc bigint, ADD COLUMN covered ${TEXT} NOT NULL DEFAULT '';
`;
