/**
 * A passage that is a piece of its record's content says where it lies instead of repeating it (in UTF-16 units; its text is empty then). Hashes are found
 * by their beginning: the whole of them would be in the file twice.
 */
export const passagePlaces = `
ALTER TABLE passages ADD COLUMN starts_at INTEGER;
ALTER TABLE passages ADD COLUMN ends_at INTEGER;
DROP INDEX records_by_hash;
CREATE INDEX records_by_hash ON records (space_id, substr(content_hash, 1, 16));
DELETE FROM sqlite_stat1 WHERE idx = 'records_by_hash';
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('records', 'records_by_hash', '1000000 300000 2');
ANALYZE sqlite_schema;
`;
