/** Each transaction has a number, so that it can be told beside the database which was the last one. */
export const lastWrite = `
ALTER TABLE replica ADD COLUMN writes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE replica ADD COLUMN written_at INTEGER NOT NULL DEFAULT 0;
`;
