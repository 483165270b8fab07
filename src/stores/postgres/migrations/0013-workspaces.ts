import { TEXT } from './0001-foundation.ts';

/** The workspace that a record comes from, and the one that a token is bound to. */
export const workspaces = `
ALTER TABLE records ADD COLUMN workspace ${TEXT};
CREATE INDEX records_by_workspace ON records (space_id, workspace, created_at, id) WHERE workspace IS NOT NULL;
ALTER TABLE access_tokens ADD COLUMN workspace ${TEXT};
`;
