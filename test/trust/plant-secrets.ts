import { randomInt } from 'node:crypto';

// biome-ignore lint/suspicious/noExplicitAny: JSON Schema as a tool or a route describes itself
export type Schema = Record<string, any>;

/** An AWS key id, whose form alone tells what it is; another one each time. */
export function makeSecret(): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  return `AKIA${Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join('')}`;
}

function meant(schema: Schema): Schema {
  const choices = schema.anyOf ?? schema.oneOf;
  return choices === undefined ? schema : meant(choices.find((one: Schema) => one.type !== 'null') ?? choices[0]);
}

function typeOf({ type }: Schema): string {
  return Array.isArray(type) ? type.find((one) => one !== 'null') : (type ?? 'string');
}

const isFixed = (schema: Schema): boolean => schema.enum !== undefined || schema.const !== undefined;
const join = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

/** Every place of a schema where free text may stand: `metadata.$value` and `metadata.$name` for objects without a form. */
export function listPlaces(given: Schema, path = ''): string[] {
  const schema = meant(given);
  if (isFixed(schema)) return [];
  const type = typeOf(schema);
  if (type === 'string') return [path];
  if (type === 'array') return listPlaces(schema.items ?? {}, join(path, '0'));
  if (type !== 'object') return [];
  const named = Object.entries(schema.properties ?? {}).flatMap(([name, one]) =>
    listPlaces(one as Schema, join(path, name)),
  );
  const isOpen = path !== '' && (schema.properties === undefined || schema.additionalProperties === true);
  return isOpen ? [...named, join(path, '$value'), join(path, '$name')] : named;
}

export interface Filling {
  place: string;
  secret: string;
  /** For a field that is no free text, such as an id, by its name; undefined: any words do. */
  usual(name: string): unknown;
}

/** The least that the schema demands, and the secret at its place. */
export function fillIn(given: Schema, filling: Filling, path = ''): unknown {
  const schema = meant(given);
  const { place, secret, usual } = filling;
  if (isFixed(schema)) return schema.const ?? schema.enum[0];
  if (path === place) return `note ${secret} end`;
  const type = typeOf(schema);
  if (type === 'object') {
    const needed = new Set<string>(schema.required ?? []);
    const isWanted = (name: string): boolean => {
      const inner = join(path, name);
      return needed.has(name) || inner === place || place.startsWith(`${inner}.`);
    };
    const made = Object.entries(schema.properties ?? {})
      .filter(([name]) => isWanted(name))
      .map(([name, one]) => [name, fillIn(one as Schema, filling, join(path, name))]);
    if (place === join(path, '$value')) made.push(['detail', `value ${secret}`]);
    if (place === join(path, '$name')) made.push([`name ${secret}`, 'value']);
    return Object.fromEntries(made);
  }
  const name = path.split('.').findLast((part) => part !== '0') ?? '';
  const known = usual(name);
  if (known !== undefined) return known;
  if (type === 'array') return [fillIn(schema.items ?? {}, filling, join(path, '0'))];
  if (type === 'number' || type === 'integer') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  return `plain words ${makeSecret().slice(4)}`.toLowerCase();
}
