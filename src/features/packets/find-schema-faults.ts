import { isObject } from '../../model/json-text.ts';
import { replaceSecrets } from '../../privacy/replace-secrets.ts';
import type { PacketFault } from './packet.ts';
import type { Schema } from './packet-schemas.ts';

const SHOWN_CHARACTERS = 40;

/** Every fault at once, in the order of the schema, so that one answer is enough to repair a packet. Lengths count code points. */
export function findSchemaFaults(schema: Schema, value: unknown, pointer = ''): PacketFault[] {
  const fault = (message: string): PacketFault[] => [{ pointer, message }];
  switch (schema.type) {
    case 'object':
      return isObject(value) ? findObjectFaults(schema, value, pointer) : fault(wrongType('an object', value));
    case 'array':
      return Array.isArray(value) ? findArrayFaults(schema, value, pointer) : fault(wrongType('an array', value));
    case 'boolean':
      return typeof value === 'boolean' ? [] : fault(wrongType('true or false', value));
    default:
      return typeof value === 'string'
        ? findStringFaults(schema, value).map((message) => ({ pointer, message }))
        : fault(wrongType('a string', value));
  }
}

function findObjectFaults(schema: Schema, value: Record<string, unknown>, pointer: string): PacketFault[] {
  const properties = schema.properties ?? {};
  const missing = (schema.required ?? [])
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ pointer: `${pointer}/${name}`, message: `missing required field '${name}'` }));
  const present = Object.keys(properties).filter((name) => Object.hasOwn(value, name));
  const wrong = present.flatMap((name) => findSchemaFaults(properties[name]!, value[name], `${pointer}/${name}`));
  const additional = Object.keys(value)
    .filter((name) => !Object.hasOwn(properties, name))
    .map((name, i) => ({
      pointer: `${pointer}/${escapePointer(cut(name))}`,
      message: `additional field ${show(name)} is not allowed here${i === 0 ? `; allowed: ${Object.keys(properties).join(', ')}` : ''}`,
    }));
  return [...missing, ...wrong, ...additional];
}

function findArrayFaults({ items, maxItems }: Schema, value: readonly unknown[], pointer: string): PacketFault[] {
  const tooMany =
    maxItems !== undefined && value.length > maxItems
      ? [{ pointer, message: `too many items: at most ${maxItems}, got ${value.length}` }]
      : [];
  return [
    ...tooMany,
    ...(items === undefined ? [] : value.flatMap((item, i) => findSchemaFaults(items, item, `${pointer}/${i}`))),
  ];
}

function findStringFaults(schema: Schema, value: string): string[] {
  const faults: string[] = [];
  const length = countCodePoints(value);
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern } = schema;
  if (length < minLength) faults.push(`shorter than ${minLength} characters: ${length}, got ${show(value)}`);
  if (length > maxLength) faults.push(`longer than ${maxLength} characters: ${length}, got ${show(value)}`);
  if (schema.const !== undefined && value !== schema.const)
    faults.push(`must be ${show(schema.const)}, got ${show(value)}`);
  if (schema.enum !== undefined && !schema.enum.includes(value))
    faults.push(`not one of ${schema.enum.join(', ')}: got ${show(value)}`);
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value))
    faults.push(`does not match the pattern ${pattern}: got ${show(value)}`);
  return faults;
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function wrongType(wanted: string, value: unknown): string {
  return `wrong type: want ${wanted}, got ${describe(value)}`;
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'string' ? `the string ${show(value)}` : `the ${typeof value} ${String(value)}`;
}

function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** A refused packet's words end up in logs: what looks like a secret is left out of them. */
export function show(value: string): string {
  return JSON.stringify(cut(value));
}

function cut(value: string): string {
  // 512 is more than any secret that begins within the shown part needs to be recognised.
  const characters = [...replaceSecrets(value.slice(0, 512)).text.toWellFormed()];
  return characters.length > SHOWN_CHARACTERS
    ? `${characters.slice(0, SHOWN_CHARACTERS).join('')}…`
    : characters.join('');
}
