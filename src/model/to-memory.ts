import type { Memory } from './memory.ts';
import { fieldsWhere } from './memory-fields.ts';
import type { RecordState } from './record.ts';

export const DEFAULT_TAG = 'untagged';

const SHOWN = fieldsWhere(({ within }) => within !== 'source');

export function toMemory(record: RecordState): Memory {
  const values: Record<string, unknown> = { metadata: {}, ...record.body, ...record };
  return Object.fromEntries(SHOWN.map((name) => [name, values[name] ?? null])) as Record<string, unknown> & Memory;
}
