import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { RowCounts } from '../../../model/damage.ts';
import { COUNTED, headValues } from '../../sql/sums.ts';

/**
 * What reads are checked against. Rows that are there already have no sum until upkeep gives them one (`covered` says how far it has come):
 * a large database must not stand still for it. Counting is quick, and done here.
 */
export function checksums(database: DatabaseSync): void {
  database.exec(COLUMNS);
  const write = database.prepare(
    `UPDATE feed_heads SET ${['seq', ...COUNTED, 'crc'].map((column) => `${column} = ?`).join(', ')} WHERE space_id = ?`,
  );
  for (const { space_id, seq } of database.prepare('SELECT space_id, seq FROM feed_heads').all()) {
    const counts = database.prepare(COUNT).get(...Array<SQLInputValue>(5).fill(space_id!)) as unknown as RowCounts;
    write.run(...(headValues(String(space_id), Number(seq), counts) as SQLInputValue[]), space_id!);
  }
}

const COLUMNS = `
ALTER TABLE records ADD COLUMN quick INTEGER;
ALTER TABLE records ADD COLUMN versions_sum INTEGER;
ALTER TABLE records ADD COLUMN content_sum INTEGER;
ALTER TABLE vectors ADD COLUMN crc INTEGER;
ALTER TABLE relations ADD COLUMN crc INTEGER;
ALTER TABLE feed ADD COLUMN crc INTEGER;
ALTER TABLE graves ADD COLUMN crc INTEGER;
ALTER TABLE receipts ADD COLUMN crc INTEGER;
ALTER TABLE feed_heads ADD COLUMN records INTEGER;
ALTER TABLE feed_heads ADD COLUMN live INTEGER;
ALTER TABLE feed_heads ADD COLUMN versions INTEGER;
ALTER TABLE feed_heads ADD COLUMN relations INTEGER;
ALTER TABLE feed_heads ADD COLUMN graves INTEGER;
ALTER TABLE feed_heads ADD COLUMN crc INTEGER;
ALTER TABLE feed_heads ADD COLUMN covered TEXT NOT NULL DEFAULT '';
`;

const COUNT = `SELECT
  (SELECT count(*) FROM records WHERE space_id = ?) AS records,
  (SELECT count(*) FROM records WHERE space_id = ? AND deleted_at IS NULL) AS live,
  (SELECT count(*) FROM record_versions WHERE space_id = ?) AS versions,
  (SELECT count(*) FROM relations WHERE space_id = ?) AS relations,
  (SELECT count(*) FROM graves WHERE space_id = ?) AS graves`;
