import * as z from 'zod';

export interface Bounds {
  min?: number | undefined;
  max?: number | undefined;
}

type Measured = string | unknown[];

interface Checkable<Schema, Value extends Measured> {
  check(...checks: z.core.$ZodCheck<Value>[]): Schema;
}

/** Zod's own `min` and `max` measure whatever has a length, of a wrong type too, and an object may call anything its length: these measure texts and lists alone. */
export function boundLength<Schema, Value extends Measured>(
  schema: Checkable<Schema, Value>,
  { min, max }: Bounds,
): Schema {
  const checks: z.core.$ZodCheck<Measured>[] = [];
  const when = isMeasured;
  if (min !== undefined) checks.push(new z.core.$ZodCheckMinLength({ check: 'min_length', minimum: min, when }));
  if (max !== undefined) checks.push(new z.core.$ZodCheckMaxLength({ check: 'max_length', maximum: max, when }));
  return schema.check(...checks);
}

function isMeasured({ value }: z.core.ParsePayload): boolean {
  return typeof value === 'string' || Array.isArray(value);
}
