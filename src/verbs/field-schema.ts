import * as z from 'zod';
import { boundLength } from '../model/bounded-length.ts';
import { cleanName } from '../model/hidden-characters.ts';
import type { JsonObject } from '../model/json.ts';
import { FORBIDDEN_KEY_FAULT, hasForbiddenKey } from '../model/json-text.ts';
import { readExactTime, TIME_FAULT } from '../model/read-exact-time.ts';
import type { Field, Fields } from './field.ts';

const MAX_LABEL = 200;
const TEXT = boundLength(z.string(), { max: 20_000 });
const NAME = boundLength(z.string(), { max: MAX_LABEL });
const REF = boundLength(z.string().trim(), { min: 1, max: MAX_LABEL });
/** In an address every value is text. */
const URL_FLAG = z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] });

/** What arrives has come out of a JSON parser, so its values need no second look; a schema would drop the key that is refused here in words. */
const JSON_OBJECT = z.preprocess(
  (value, { issues }) => {
    if (hasForbiddenKey(value)) issues.push({ code: 'custom', message: FORBIDDEN_KEY_FAULT, input: value });
    return value;
  },
  z.record(z.string(), z.unknown()),
) as z.ZodType as z.ZodType<JsonObject>;

type Place = 'body' | 'address';

const known = new WeakMap<Fields, Map<Place, z.ZodObject>>();

/** Checks what a caller sent, by wire names; unknown names are errors. The same fields give the same schema. */
export function schemaOf(fields: Fields, place: Place = 'body'): z.ZodObject {
  const schemas = known.get(fields) ?? new Map<Place, z.ZodObject>();
  known.set(fields, schemas);
  const schema =
    schemas.get(place) ??
    z.strictObject(
      Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field, place)])),
    );
  schemas.set(place, schema);
  return schema;
}

/** Those that are kept; the very same object where all are. */
export function pickFields(fields: Fields, isKept: (name: string) => boolean): Fields {
  const names = Object.keys(fields);
  const kept = names.filter(isKept);
  return kept.length === names.length ? fields : Object.fromEntries(kept.map((name) => [name, fields[name]!]));
}

function fieldSchema(field: Field, place: Place): z.ZodType {
  const plain = typeSchema(field, place);
  const nullable = field.isNullable === true ? plain.nullable() : plain;
  const optional = field.isRequired === true ? nullable : nullable.optional();
  return field.about === undefined ? optional : optional.describe(field.about);
}

/** Names between commas are a list: whatever a verb is given has come apart already. */
function splitNames(input: string | string[]): string[] {
  const list = typeof input === 'string' ? input.split(',') : input;
  return list.map(cleanName).filter((name) => name !== '');
}

function typeSchema(field: Field, place: Place): z.ZodType {
  switch (field.type) {
    case 'text':
      return boundLength(field.isTrimmed === true ? z.string().trim() : z.string(), field);
    case 'label':
      return boundLength(z.string().overwrite(cleanName), { min: 1, max: MAX_LABEL, ...field });
    case 'time':
      return boundLength(z.string().trim(), { min: 1, max: MAX_LABEL, ...field });
    case 'instant':
      return z
        .string()
        .refine((text) => readExactTime(text) !== null, TIME_FAULT)
        .meta({ format: 'date-time' });
    case 'names':
      return z.union([TEXT, boundLength(z.array(NAME), { max: 100 })]).overwrite(splitNames);
    case 'tags':
      return z.union([boundLength(z.array(z.string()), { max: 1000 }), TEXT]);
    case 'refs':
      return boundLength(z.array(REF), field);
    case 'integer':
    case 'number':
      return numberSchema(field, place);
    case 'flag':
      return place === 'address' ? URL_FLAG : z.boolean();
    case 'choice':
      return z.enum(field.choices ?? []);
    case 'choices':
      return boundLength(z.array(z.enum(field.choices ?? [])), field);
    case 'json':
      return JSON_OBJECT;
    case 'any':
      return field.isRequired === true ? z.unknown().refine((value) => value !== undefined) : z.unknown();
    case 'items':
      return boundLength(z.array(schemaOf(field.fields ?? {}, place)), field);
  }
}

function numberSchema(field: Field, place: Place): z.ZodNumber {
  const number: z.ZodNumber = place === 'address' ? z.coerce.number() : z.number();
  const typed = field.type === 'integer' ? number.int() : number;
  const atLeast = field.min === undefined ? typed : typed.min(field.min);
  return field.max === undefined ? atLeast : atLeast.max(field.max);
}
