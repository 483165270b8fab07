import * as z from 'zod';
import { boundLength } from './bounded-length.ts';
import type { Json } from './json.ts';

const name = boundLength(z.string(), { max: 1000 });
const replica = z.string().regex(/^[0-9a-f-]{1,64}$/);
const dot = z.string().regex(/^[0-9a-f-]{1,64}:\d{1,16}$/);
const time = z.number().int().nonnegative();
const seen = z.record(replica, z.number().int().nonnegative());
const parts = z.record(name, z.record(dot, z.looseObject({ time })));
const fields = z.record(
  name,
  z.strictObject({ dot, time, value: z.custom<Json>(() => true).optional(), gone: z.literal(true).optional() }),
);

export const stateSchema = z.object({ generation: z.number().int().positive(), seen, parts, fields });

const stampsSchema = z.object({ seen, base: z.tuple([dot, time]), parts, fields });

/** Whether a text is one that a database keeps beside a record. */
export function isStamps(text: string): boolean {
  try {
    return stampsSchema.safeParse(JSON.parse(text)).success;
  } catch {
    return false;
  }
}
