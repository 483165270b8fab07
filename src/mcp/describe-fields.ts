import type { Field, Fields } from '../verbs/field.ts';
import type { JsonShape } from '../verbs/verb.ts';

export type ObjectSchema = JsonShape & { type: 'object' };

/** What `tools/list` shows of arguments: as little as a model needs. */
export function describeFields(fields: Fields, shown: Readonly<Record<string, string | JsonShape>>): ObjectSchema {
  const names = Object.keys(shown);
  const required = names.filter((name) => fields[name]?.isRequired === true);
  const properties = Object.fromEntries(
    names.map((name) => {
      const said = shown[name]!;
      if (typeof said !== 'string') return [name, said];
      return [name, { ...(said !== '' && { description: said }), ...describeField(fields[name]!) }];
    }),
  );
  return {
    type: 'object',
    ...(names.length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

function describeField({ type, choices, min, max }: Field): JsonShape {
  switch (type) {
    case 'integer':
    case 'number':
      return { type, ...(min !== undefined && { minimum: min }), ...(isOurLimit(max) && { maximum: max }) };
    case 'flag':
      return { type: 'boolean' };
    case 'choice':
      return { type: 'string', enum: choices };
    case 'json':
      return { type: 'object' };
    case 'tags':
    case 'refs':
      return { type: 'array', items: { type: 'string' } };
    default:
      return { type: 'string' };
  }
}

function isOurLimit(max: number | undefined): boolean {
  return max !== undefined && max < Number.MAX_SAFE_INTEGER;
}
