import * as z from 'zod';

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** A free JSON object, as metadata is. */
export const jsonObjectSchema = z.record(z.string(), z.json()) as z.ZodType<JsonObject>;
