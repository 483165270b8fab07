import { readInstant } from '../engine/time/read-time.ts';
import type { ListFilter, RecordFilter } from '../model/filter.ts';
import { cleanName } from '../model/hidden-characters.ts';
import type { Instant } from '../model/ids.ts';
import { ABOUT_FIELDS, type FieldType, fieldsWhere, MEMORY_FIELDS, type MemoryField } from '../model/memory-fields.ts';
import { TRUST_TIERS } from '../model/record.ts';
import { readTags, type TagsInput } from '../model/tags.ts';
import { choice, type Field, type Fields, flag, label, time } from './field.ts';
import type { CommandFlag, CommandOffer, VerbContext } from './verb.ts';

const INPUT_TYPES: Partial<Record<FieldType, Field['type']>> = {
  text: 'text',
  label: 'label',
  tags: 'tags',
  json: 'json',
  fraction: 'number',
  instant: 'time',
  trust: 'choice',
};

function toField({ type, update }: MemoryField, use: 'store' | 'update'): Field {
  const inputType = INPUT_TYPES[type];
  if (inputType === undefined) throw new Error(`a field of type ${type} cannot be given`);
  const limits = type === 'text' ? { min: 1, isVerbatim: true } : type === 'fraction' ? { min: 0, max: 1 } : {};
  const choices = type === 'trust' ? TRUST_TIERS : undefined;
  const isNullable = type === 'tags' || (use === 'update' && update === 'clear');
  return { type: inputType, ...limits, ...(choices && { choices }), isNullable };
}

function memoryFields(use: 'store' | 'update'): Fields {
  const names = fieldsWhere((field) => field[use] !== undefined);
  return Object.fromEntries(
    names.map((name) => {
      const field: MemoryField = MEMORY_FIELDS[name];
      const isRequired = use === 'store' && field.store === 'required';
      return [field.wire, { ...toField(field, use), isRequired, about: ABOUT_FIELDS[name] }];
    }),
  );
}

/** What can be said of a new memory, and changed of one that is there. */
export const NEW_MEMORY: Fields = memoryFields('store');
export const CHANGED_MEMORY: Fields = {
  ...memoryFields('update'),
  tags: { type: 'tags', isNullable: true, about: 'Replaces all tags.' },
  metadata: { type: 'json', about: 'Merged into the existing metadata; null removes a key.' },
};

const SHORT_FLAGS: Readonly<Record<string, string>> = { type: 't', project: 'p', metadata: 'm', key: 'k' };
/** The text is an argument, the machine is told by the server, and when something was written is nobody's to say in a command. */
const NO_FLAGS: readonly string[] = ['content', 'host', 'created_at'];

/** Fields of a memory as flags, with their short names. */
export function memoryFlags(fields: Fields): CommandOffer['flags'] {
  const names = Object.keys(fields).filter((name) => !NO_FLAGS.includes(name));
  return names.map((name) => (SHORT_FLAGS[name] === undefined ? name : [name, SHORT_FLAGS[name]]));
}

/** Which memories are meant: the same for search, list, delete and export. */
export const FILTERS = {
  type: { type: 'names', about: 'Of this type; several may be given.' },
  tags: { type: 'tags', about: 'With one of these tags: a list, or names separated by commas.' },
  tag_match: choice(['any', 'all'], 'Whether one of the tags is enough (any, the default) or all are needed.'),
  project: label('Only this project.'),
  workspace: label('Only from this workspace.'),
  agent: label('Only written by this agent.'),
  session: label('Only from this session.'),
  conversation_id: label('Only from this conversation.'),
  kind: { type: 'names', about: 'Of this kind of record, such as memory, packet, session or observation.' },
  min_trust: choice(TRUST_TIERS, 'Minimum trust tier.'),
  after: time('Created at or after this time: a date or time in ISO 8601, or a phrase such as "yesterday".'),
  before: time('Created before this time. A date means the start of that day.'),
  entity: label('Only memories that mention this: @ada, file:src/login.ts, ECONNRESET, #123 …'),
  include_superseded: flag('Include superseded memories.'),
} satisfies Fields;

/** The memory as it was, for whatever reads it. */
export const AS_OF: Fields = {
  as_of: time('The memory as it was at this time. A date means the end of that day.'),
};

/** What holds at a time, for whatever finds and lists. */
export const VALID_AT: Fields = {
  valid_at: time(
    'What holds at this time by valid_from and valid_until, as far as is known today; as_of is what was known then. A date means its beginning.',
  ),
};

/** Those that tools list, with what is said of them. */
export const SHOWN_FILTERS = { tags: '', tag_match: '', type: '', project: '', after: 'Date or phrase', before: '' };

/** The filters as flags, with their short names; `--all-tags` stands for tag_match. */
export const FILTER_FLAGS: CommandOffer['flags'] = Object.keys(FILTERS)
  .filter((name) => name !== 'tag_match')
  .map((name) => (name === 'type' ? [name, 't'] : name === 'project' ? [name, 'p'] : name));
export const ALL_TAGS: CommandFlag = { name: 'all-tags', description: 'Require all tags instead of one of them.' };

type Times = 'after' | 'before';

export interface FilterInput extends Omit<RecordFilter, 'kinds' | 'types' | 'tags' | 'validAt' | 'ids' | Times> {
  type?: string | readonly string[];
  tags?: TagsInput;
  kind?: string | readonly string[];
  /** Texts: the engine reads them in the caller's zone. */
  after?: string;
  before?: string;
}

export type ListFilterInput = FilterInput & Pick<ListFilter, 'key' | 'contentHash' | 'contains' | 'deleted'>;

const FILTER_LABELS = ['project', 'workspace', 'agent', 'session', 'conversation'] as const;

/** All but `after` and `before`; what nobody asked for stays out. */
export function toFilter(input: Omit<ListFilterInput, Times>): ListFilter {
  const { type, tags, kind, ...same } = input;
  for (const name of FILTER_LABELS) if (same[name] !== undefined) same[name] = cleanName(same[name]);
  const kinds = readNames(kind) as RecordFilter['kinds'];
  const filter = { types: readNames(type), tags: unlessEmpty(readTags(tags)), kinds, ...same };
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}

function readNames(input: string | readonly string[] | undefined): string[] | undefined {
  if (input === undefined) return undefined;
  const list = typeof input === 'string' ? input.split(',') : input;
  return unlessEmpty(list.map(cleanName).filter((name) => name !== ''));
}

function unlessEmpty<T>(list: T[]): T[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** A time as a caller gives it: an instant, or a date or phrase in their zone. */
export type TimeInput = Instant | string;

/** Reads the times that are still text. A day given as a beginning counts from its first moment, as an end to its last. */
export async function readTimes<T extends object, K extends keyof T & string>(
  input: T,
  edges: Readonly<Record<K, 'start' | 'end'>>,
  { caller, now, timeZone }: VerbContext,
): Promise<Omit<T, K> & { [P in K]: Exclude<T[P], string> }> {
  const read = { ...input } as Record<string, unknown>;
  for (const [name, edge] of Object.entries(edges) as [K, 'start' | 'end'][]) {
    const given = input[name];
    if (typeof given !== 'string') continue;
    read[name] = await readInstant(given, { now, timeZone: caller.timeZone ?? timeZone, edge });
  }
  return read as Omit<T, K> & { [P in K]: Exclude<T[P], string> };
}

export interface AsOfInput {
  /** The memory as it was at this time. */
  asOf?: TimeInput;
}

export interface ValidAtInput {
  validAt?: TimeInput;
}

/** As a filter; empty where nobody asks. */
export async function readValidAt({ validAt }: ValidAtInput, context: VerbContext): Promise<{ validAt?: Instant }> {
  const read = await readTimes<ValidAtInput, 'validAt'>({ validAt }, { validAt: 'start' }, context);
  return read.validAt === undefined ? {} : { validAt: read.validAt };
}

export async function readAsOf({ asOf }: AsOfInput, context: VerbContext): Promise<Instant | undefined> {
  return (await readTimes<AsOfInput, 'asOf'>({ asOf }, { asOf: 'end' }, context)).asOf;
}
