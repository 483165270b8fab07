import type { Instant, RecordId } from './ids.ts';
import type { JsonObject } from './json.ts';
import { type ColumnField, fieldsWhere, MEMORY_FIELDS, type MemoryField } from './memory-fields.ts';
import type { StoredRecord } from './record.ts';

/** Why a memory may be set aside. */
export const FORGET_REASONS = ['temporary', 'noise', 'disliked', 'irrelevant', 'inactive', 'by hand'] as const;
export type ForgetReason = (typeof FORGET_REASONS)[number];

/** Kept with a memory that is archived. */
export interface Archived {
  at: Instant;
  reason: ForgetReason;
  run: RecordId;
  /** The name it had: others may have it meanwhile. */
  key?: string;
}

/** A memory as every surface shows it. */
export interface Memory extends Pick<StoredRecord, ColumnField> {
  metadata: JsonObject;
  /** Set aside by consolidation, or by hand: hidden until somebody restores it. */
  archived: Archived | null;
}

export const DEFAULT_TAG = 'untagged';

/** Shown by every door in a place of its own. */
const WELL_KNOWN: readonly string[] = ['key', 'project'];

/** The labels of a memory that somebody has set, in the order of the table. */
export function listLabels(memory: Memory): [field: MemoryField, value: string][] {
  const names = fieldsWhere(({ type, nullable }) => type === 'label' && nullable === true);
  return names.flatMap((name): [MemoryField, string][] => {
    const value = name in memory ? memory[name as keyof Memory] : null;
    return typeof value === 'string' && !WELL_KNOWN.includes(name) ? [[MEMORY_FIELDS[name], value]] : [];
  });
}
