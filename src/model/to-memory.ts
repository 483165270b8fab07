import type { Memory } from './memory.ts';
import { COLUMN_FIELDS, fieldsWhere, MEMORY_FIELDS } from './memory-fields.ts';
import type { RecordState } from './record.ts';

export const DEFAULT_TAG = 'untagged';

/** Says the order of the fields. */
const BLANK = Object.fromEntries(fieldsWhere(({ within }) => within !== 'source').map((name) => [name, null]));
const IN_BODY = fieldsWhere(({ within }) => within === 'body');

export function toMemory(record: RecordState): Memory {
  const memory: Record<string, unknown> = { ...BLANK };
  for (const name of COLUMN_FIELDS) memory[name] = record[name];
  for (const name of IN_BODY) memory[name] = record.body[name] ?? (MEMORY_FIELDS[name].type === 'json' ? {} : null);
  return memory as Record<string, unknown> & Memory;
}
