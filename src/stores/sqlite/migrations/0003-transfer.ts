/** How far a copy of another database into this one has come, space by space. */
export const transfer = `
CREATE TABLE transfer_progress (
  space_id TEXT PRIMARY KEY,
  state TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;
