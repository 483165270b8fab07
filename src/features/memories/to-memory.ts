import {
  COLUMN_FIELDS,
  fieldsWhere,
  MEMORY_FIELDS,
  type MemoryField,
  type MemoryFieldName,
} from '../../model/memory-fields.ts';
import type { RecordState } from '../../model/record.ts';
import type { Memory } from './memory.ts';

/** Says the order of the fields. */
const BLANK = Object.fromEntries(fieldsWhere(({ within }) => within !== 'source').map((name) => [name, null]));
const IN_BODY = fieldsWhere(({ within }) => within === 'body');

/** What is never null is empty instead. */
function isObjectAlways(name: MemoryFieldName): boolean {
  const { type, nullable }: MemoryField = MEMORY_FIELDS[name];
  return type === 'json' && nullable !== true;
}

export function toMemory(record: RecordState): Memory {
  const memory: Record<string, unknown> = { ...BLANK };
  for (const name of COLUMN_FIELDS) memory[name] = record[name] ?? null;
  for (const name of IN_BODY) memory[name] = record.body[name] ?? (isObjectAlways(name) ? {} : null);
  return memory as Record<string, unknown> & Memory;
}
