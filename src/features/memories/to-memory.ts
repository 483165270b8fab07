import {
  COLUMN_FIELDS,
  fieldsWhere,
  MEMORY_FIELDS,
  type MemoryField,
  type MemoryFieldName,
} from '../../model/memory-fields.ts';
import { once } from '../../model/once.ts';
import type { RecordState } from '../../model/record.ts';
import type { Memory } from './memory.ts';

/** Says the order of the fields. */
const blank = once(() =>
  Object.fromEntries(fieldsWhere(({ within }) => within !== 'source').map((name) => [name, null])),
);
const inBody = once(() => fieldsWhere(({ within }) => within === 'body'));

/** What is never null is empty instead. */
function isObjectAlways(name: MemoryFieldName): boolean {
  const { type, nullable }: MemoryField = MEMORY_FIELDS[name];
  return type === 'json' && nullable !== true;
}

export function toMemory(record: RecordState): Memory {
  const memory: Record<string, unknown> = { ...blank() };
  for (const name of COLUMN_FIELDS) memory[name] = record[name] ?? null;
  for (const name of inBody()) memory[name] = record.body[name] ?? (isObjectAlways(name) ? {} : null);
  return memory as Record<string, unknown> & Memory;
}
