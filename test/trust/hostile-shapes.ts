import type { Field, Fields } from '../../src/verbs/field.ts';

function nested(levels: number): unknown {
  let value: unknown = 'x';
  for (let i = 0; i < levels; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
}

const parsed = (json: string): unknown => JSON.parse(json);

/** Values of JSON that a program takes for something else when it asks what they can do instead of what they are. */
export const HOSTILE: readonly unknown[] = [
  { length: { length: 'o', toString: {} } },
  { length: 1e9 },
  { length: 2, 0: 'a', 1: 'b' },
  { length: '5' },
  { size: { size: {} } },
  { toString: {} },
  { toString: 'x', valueOf: 1 },
  { valueOf: {}, toString: null },

  parsed('{"then":"x"}'),
  parsed('{"then":{"then":{}}}'),
  { toJSON: {} },
  { toJSON: 'x' },
  { toWellFormed: 1, trim: {} },
  { constructor: { prototype: { x: 1 } } },
  { constructor: null, prototype: {} },
  { hasOwnProperty: 1, map: 'x' },
  parsed('{"__proto__":{"length":3,"x":1}}'),
  parsed('{"a":{"__proto__":null}}'),
  { getTime: 1, toISOString: {} },
  { Symbol: 1, iterator: {} },
  { message: {}, code: {}, name: [] },
  { type: {}, text: { length: {} } },
  { '': '' },
  [],
  [[]],
  [null],
  [{}],
  [{ length: { length: 'o', toString: {} } }],
  ['a', { toString: {} }],
  [1, 'x', true],

  { structuredPatch: [null, { lines: {} }, 'x'] },
  { functionResponse: null },
  { content: { content: [null, { length: -1 }] } },
  {},
  null,
  true,
  false,
  0,
  -1,
  0.5,
  1e308,
  -1e308,
  2 ** 53 + 2,
  2 ** 31,
  5e-324,
  -0,
  '',
  ' ',
  '\ud800',
  'a\udc00b',
  'a\0b',
  '\u202e\u3164',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '%',
  '%00',
  '../../etc',
  '-1',
  '1e999',
  'NaN',
  'Infinity',
  '9'.repeat(400),
  'x'.repeat(5000),
  '[',
  '[1',
  '{"a":',
  '["a",{"toString":{}}]',
  '[{"length":{"toString":{}}}]',
  '0000-00-00',
  '9999-99-99T99:99',
  '+275760-09-13',
  '\n',
  nested(20),
  nested(70),
  nested(600),
  Array.from({ length: 2000 }, () => 'y'),
  { a: 'x'.repeat(70_000) },
];

const PLAIN: { readonly [Type in Field['type']]: (field: Field) => unknown } = {
  text: ({ min = 1 }) => 'plain text'.padEnd(min, '.'),
  label: () => 'name',
  time: () => 'yesterday',
  instant: () => '2026-01-01T00:00:00Z',
  names: () => ['note'],
  tags: () => ['tag'],
  refs: () => ['ref'],
  integer: ({ min = 1 }) => min,
  number: ({ min = 0 }) => min,
  flag: () => true,
  choice: ({ choices = [] }) => choices[0],
  choices: ({ choices = [] }) => choices.slice(0, 1),
  json: () => ({ a: 1 }),
  any: () => 'anything',
  items: ({ fields = {} }) => [plainValues(fields)],
};

/** What a call needs at least. */
function plainValues(fields: Fields, known: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const required = Object.entries(fields).filter(([name, { isRequired }]) => isRequired === true || name in known);
  return Object.fromEntries(required.map(([name, field]) => [name, known[name] ?? PLAIN[field.type](field)]));
}

/** A sound call with one hostile value in one of its fields, at every place where one can be. */
export function* hostileCalls(
  fields: Fields,
  known: Readonly<Record<string, unknown>> = {},
): Generator<[field: string, value: unknown, args: Record<string, unknown>]> {
  const plain = plainValues(fields, known);
  for (const [name, field] of Object.entries(fields))
    for (const value of HOSTILE) {
      yield [name, value, { ...plain, [name]: value }];
      if (field.type === 'json')
        for (const key of ['a', 'tags', 'type', 'length', 'content', 'updates'])
          yield [`${name}.${key}`, value, { ...plain, [name]: { [key]: value } }];
      if (field.type !== 'items') continue;
      const item = plainValues(field.fields ?? {});
      for (const inner of Object.keys(field.fields ?? {}))
        yield [`${name}.${inner}`, value, { ...plain, [name]: [{ ...item, [inner]: value }] }];
    }
}
