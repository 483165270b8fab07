import { TEXT } from './0001-foundation.ts';

/** How far a copy of another database into this one has come, space by space. */
export const transfer = `
CREATE TABLE transfer_progress (
  space_id ${TEXT} PRIMARY KEY,
  state ${TEXT} NOT NULL
);
ALTER TABLE transfer_progress ENABLE ROW LEVEL SECURITY;
ALTER TABLE transfer_progress FORCE ROW LEVEL SECURITY;
CREATE POLICY transfer_progress_of_space ON transfer_progress USING (space_id = nullif(current_setting('ltm.space', true), ''));
`;
