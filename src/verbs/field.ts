import type { JsonObject } from '../model/json.ts';

/** Values that a header of a request carries instead of its body or address. */
export type FieldHeader = 'If-Match' | 'Idempotency-Key';

/**
 * One thing that a caller can say to a verb. Plain data: schemas, arguments of tools, flags and the API's document
 * follow from it, and a command line can be read without loading a schema library.
 */
export interface Field {
  /**
   * text, label (trimmed, 1 to 200 characters), time (a date or a phrase), instant (ISO 8601 alone, in UTC where it names no zone), names (a list, or
   * text with commas), tags, refs (ids, content hashes or keys), numbers, flags, one of several choices or a list of
   * them, a JSON object, or objects with fields of their own.
   */
  type:
    | 'text'
    | 'label'
    | 'time'
    | 'instant'
    | 'names'
    | 'tags'
    | 'refs'
    | 'integer'
    | 'number'
    | 'flag'
    | 'choice'
    | 'choices'
    | 'json'
    | 'any'
    | 'items';
  about?: string;
  /** Of a number its value, of a text its length, of a list how many. */
  min?: number;
  max?: number;
  choices?: readonly string[];
  fields?: Fields;
  isTrimmed?: boolean;
  /** Empty text is text: an agent that sends it has not left the field out. */
  isVerbatim?: boolean;
  isRequired?: boolean;
  /** null clears it. */
  isNullable?: boolean;
  header?: FieldHeader;
}

export type Fields = Readonly<Record<string, Field>>;

type Options = Omit<Field, 'type'>;
/** What the field is stays known to the compiler: `ValuesOf` says what comes out of it. */
type Made<Type extends Field['type'], Said = object> = Field & { type: Type } & Said;

export const label = <const O extends Options>(about?: string, options?: O): Made<'label', O> =>
  ({ type: 'label', about, ...options }) as Made<'label', O>;
export const text = <const O extends Options>(about: string | undefined, options?: O): Made<'text', O> =>
  ({ type: 'text', about, ...options }) as Made<'text', O>;
export const time = <const O extends Options>(about?: string, options?: O): Made<'time', O> =>
  ({ type: 'time', about, ...options }) as Made<'time', O>;
export const flag = (about?: string): Made<'flag'> => ({ type: 'flag', about });
export const integer = (min: number, max: number, about?: string): Made<'integer'> => ({
  type: 'integer',
  min,
  max,
  about,
});
export const choice = <const Choice extends string>(
  choices: readonly Choice[],
  about?: string,
): Made<'choice', { choices: readonly Choice[] }> => ({ type: 'choice', choices, about });

interface Values {
  text: string;
  label: string;
  time: string;
  instant: string;
  names: string | string[];
  tags: string | string[];
  refs: string[];
  integer: number;
  number: number;
  flag: boolean;
  choice: string;
  choices: string[];
  json: JsonObject;
  any: unknown;
  items: unknown[];
}

type ValueOf<F extends Field> = F extends { type: 'choice'; choices: readonly (infer Choice)[] }
  ? Choice
  : Values[F['type']];
type RequiredOf<Given extends Fields> = {
  [Name in keyof Given]: Given[Name] extends { isRequired: true } ? Name : never;
}[keyof Given];

/** What is left of what a caller sent, once it was read by these fields. */
export type ValuesOf<Given extends Fields> = {
  readonly [Name in RequiredOf<Given>]: ValueOf<Given[Name]>;
} & { readonly [Name in Exclude<keyof Given, RequiredOf<Given>>]?: ValueOf<Given[Name]> };

export const ref = label('An id, a content hash or a key.', { isRequired: true });
export const cursor = text('The cursor of the previous page.', { min: 1, max: 2000 });
