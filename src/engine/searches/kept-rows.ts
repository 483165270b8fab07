import type { Passage } from '../../model/passage.ts';
import type { StoredRecord } from '../../model/record.ts';
import type { Part } from '../../search/index/part.ts';

/** A record as it is shown. */
export interface Row {
  record: StoredRecord;
  /** Where there are several. */
  passages: readonly Passage[];
  /** Of its content, where it has no title of its own; made when it is first shown. */
  title?: string;
}

/** Rows that were shown, so that the next search need not read them again. */
export interface KeptRows {
  /** By where it stands in the index: a record that changes gets another place, before any search that comes after the change. */
  find(part: Part, record: number): Row | undefined;
  keep(part: Part, record: number, row: Row): void;
}

/** With texts of the usual length about 4 MB. Of 4,000 questions to 10,000 memories, each asked once, seven in ten hits were among them. */
const MAX_ROWS = 2000;
const MAX_CHARS = 1_500_000;
const LONGEST_KEPT = 20_000;
/** A part has fewer records. */
const PART_STEP = 2 ** 32;

/** The least recently shown go first. */
export function createKeptRows(): KeptRows {
  const numbers = new WeakMap<Part, number>();
  const rows = new Map<number, Row>();
  let [parts, chars] = [0, 0];
  const keyOf = (part: Part, record: number): number => {
    let number = numbers.get(part);
    if (number === undefined) {
      number = parts++;
      numbers.set(part, number);
    }
    return number * PART_STEP + record;
  };
  const dropFirst = (): void => {
    const [key, { record }] = rows.entries().next().value!;
    rows.delete(key);
    chars -= record.content.length;
  };
  return {
    find(part, record) {
      const key = keyOf(part, record);
      const row = rows.get(key);
      if (row === undefined) return undefined;
      rows.delete(key);
      rows.set(key, row);
      return row;
    },
    keep(part, record, row) {
      const size = row.record.content.length;
      const key = keyOf(part, record);
      if (size > LONGEST_KEPT || row.record.deletedAt !== null || rows.has(key)) return;
      rows.set(key, row);
      chars += size;
      while (rows.size > MAX_ROWS || chars > MAX_CHARS) dropFirst();
    },
  };
}
