import {
  type ColumnField,
  type FieldsWith,
  fieldsWhere,
  MEMORY_FIELDS,
  type StorableValues,
  type UpdatableValues,
} from '../../model/memory-fields.ts';
import type { RecordContent } from '../../model/record.ts';
import { checkFraction, checkInstant, readLabel } from './check-text.ts';

/** Columns that a new record may leave empty. */
type OpenField = FieldsWith<{ nullable: true; store: string }> & ColumnField;
export const OPEN_FIELDS = fieldsWhere(
  ({ nullable, store, within }) => nullable === true && store !== undefined && within === undefined,
) as OpenField[];

type PlainField = OpenField | 'quality';
const PLAIN_FIELDS: readonly PlainField[] = [...OPEN_FIELDS, 'quality'];
const CHANGEABLE_FIELDS = PLAIN_FIELDS.filter((name) => 'update' in MEMORY_FIELDS[name]);

/** What stands where a new record says nothing. */
export const NOTHING_SAID = {
  ...Object.fromEntries(OPEN_FIELDS.map((name) => [name, null])),
  quality: 0.5,
} as Pick<RecordContent, PlainField>;

/** Those fields of a new record that need no more than a look at their type. */
export function readNewFields(given: StorableValues): Partial<RecordContent> {
  return readFields(PLAIN_FIELDS, given);
}

/** Those that an update names; null clears. */
export function readChangedFields(given: UpdatableValues): Partial<RecordContent> {
  return readFields(CHANGEABLE_FIELDS, given);
}

function readFields(
  names: readonly PlainField[],
  given: { [K in PlainField]?: string | number | null },
): Partial<RecordContent> {
  const read: Record<string, string | number | null> = {};
  for (const name of names) {
    const value = given[name];
    if (value !== undefined) read[name] = readValue(name, value);
  }
  return read;
}

function readValue(name: PlainField, value: string | number | null): string | number | null {
  if (typeof value !== 'number') return readLabel(name, value);
  if (MEMORY_FIELDS[name].type === 'fraction') checkFraction(name, value);
  else checkInstant(name, value);
  return value;
}
