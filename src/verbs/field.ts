/** Values that a header of a request carries instead of its body or address. */
export type FieldHeader = 'If-Match' | 'Idempotency-Key';

/**
 * One thing that a caller can say to a verb. Plain data: schemas, arguments of tools, flags and the API's document
 * follow from it, and a command line can be read without loading a schema library.
 */
export interface Field {
  /**
   * text, label (trimmed, 1 to 200 characters), time (a date or a phrase), instant (ISO 8601 alone), names (a list, or
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

export const label = (about?: string, options: Options = {}): Field => ({ type: 'label', about, ...options });
export const text = (about: string | undefined, options: Options = {}): Field => ({ type: 'text', about, ...options });
export const time = (about?: string, options: Options = {}): Field => ({ type: 'time', about, ...options });
export const flag = (about?: string): Field => ({ type: 'flag', about });
export const integer = (min: number, max: number, about?: string): Field => ({ type: 'integer', min, max, about });
export const choice = (choices: readonly string[], about?: string): Field => ({ type: 'choice', choices, about });

export const ref = label('An id, a content hash or a key.', { isRequired: true });
export const cursor = text('The cursor of the previous page.', { min: 1, max: 2000 });
