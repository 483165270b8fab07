/** The workspace that a record comes from, and the one that a token is bound to. */
export const workspaces = `
ALTER TABLE records ADD COLUMN workspace TEXT;
CREATE INDEX records_by_workspace ON records (space_id, workspace, created_at, id) WHERE workspace IS NOT NULL;
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('records', 'records_by_workspace', '500000 150000 20000 2 1');
ALTER TABLE access_tokens ADD COLUMN workspace TEXT;
`;
