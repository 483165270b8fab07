/**
 * The tags of a record stand in its own row; an index of them by record kept them a third time. Without it no foreign key can take them away with their
 * record: a trigger does, by what the row says.
 */
export const tagsOnce = `
CREATE TABLE tags_once (
  space_id TEXT NOT NULL,
  tag TEXT NOT NULL,
  record_id TEXT NOT NULL,
  PRIMARY KEY (space_id, tag, record_id)
) STRICT, WITHOUT ROWID;
INSERT INTO tags_once SELECT space_id, tag, record_id FROM record_tags ORDER BY space_id, tag, record_id;
DROP TABLE record_tags;
ALTER TABLE tags_once RENAME TO record_tags;
CREATE TRIGGER tags_go_with_records AFTER DELETE ON records BEGIN
  DELETE FROM record_tags WHERE space_id = OLD.space_id AND record_id = OLD.id
    AND tag IN (SELECT value FROM json_each(iif(json_valid(OLD.tags), OLD.tags, '[]')));
END;
DELETE FROM sqlite_stat1 WHERE tbl IN ('record_tags', 'tags_once');
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('record_tags', 'record_tags', '3000000 1000000 1000 1');
ANALYZE sqlite_schema;
`;
