import type { Instant, RecordId } from './ids.ts';
import type { JsonObject } from './json.ts';
import type { Source, Trust } from './record.ts';

/** The types of fields, each with what may be given for it. Schemas, checks and wire forms follow from the type. */
export interface FieldInputs {
  text: string;
  /** A short name: trimmed, 1 to 200 characters. */
  label: string;
  tags: string[] | string | null;
  json: JsonObject;
  /** 0 to 1. */
  fraction: number;
  instant: Instant;
  count: number;
  id: RecordId;
  hash: string;
  trust: Trust;
  source: Source;
}
export type FieldType = keyof FieldInputs;

export interface MemoryField {
  /** Its name outside of the program: in JSON, arguments and flags. */
  wire: string;
  type: FieldType;
  /** Null where nobody has said anything. */
  nullable?: true;
  /** May be given with a new memory, or must be. */
  store?: 'optional' | 'required';
  /** An update may set it, or also clear it with null. */
  update?: 'set' | 'clear';
  /** What filters by it: searches and listings, or listings alone. */
  filter?: 'search' | 'list';
  /** Kept inside this field of the record instead of a column of its own. What is inside `source` is shown with it. */
  within?: 'body' | 'source';
}

/** Every field of a memory, in the order in which it is shown: the one place that lists them. */
export const MEMORY_FIELDS = {
  id: { wire: 'id', type: 'id' },
  content: { wire: 'content', type: 'text', store: 'required', update: 'set' },
  contentHash: { wire: 'content_hash', type: 'hash', filter: 'list' },
  type: { wire: 'type', type: 'label', store: 'optional', update: 'set', filter: 'search' },
  tags: { wire: 'tags', type: 'tags', store: 'optional', update: 'set', filter: 'search' },
  metadata: { wire: 'metadata', type: 'json', store: 'optional', update: 'set', within: 'body' },
  key: { wire: 'key', type: 'label', nullable: true, store: 'optional', filter: 'list' },
  project: { wire: 'project', type: 'label', nullable: true, store: 'optional', update: 'clear', filter: 'search' },
  workspace: {
    wire: 'workspace',
    type: 'label',
    nullable: true,
    store: 'optional',
    update: 'clear',
    filter: 'search',
  },
  agent: { wire: 'agent', type: 'label', nullable: true, store: 'optional', filter: 'search' },
  session: { wire: 'session', type: 'label', nullable: true, store: 'optional', filter: 'search' },
  conversation: { wire: 'conversation_id', type: 'label', nullable: true, store: 'optional', filter: 'search' },
  author: { wire: 'author', type: 'label', nullable: true, store: 'optional', update: 'clear' },
  host: { wire: 'host', type: 'label', nullable: true, store: 'optional', within: 'source' },
  source: { wire: 'source', type: 'source' },
  trust: { wire: 'trust', type: 'trust', store: 'optional', update: 'set', filter: 'search' },
  quality: { wire: 'quality', type: 'fraction', store: 'optional', update: 'set' },
  revision: { wire: 'revision', type: 'count' },
  createdAt: { wire: 'created_at', type: 'instant', update: 'set', filter: 'search' },
  updatedAt: { wire: 'updated_at', type: 'instant' },
  validFrom: { wire: 'valid_from', type: 'instant', nullable: true, store: 'optional', update: 'clear' },
  validUntil: { wire: 'valid_until', type: 'instant', nullable: true, store: 'optional', update: 'clear' },
  supersededBy: { wire: 'superseded_by', type: 'id', nullable: true },
  archived: { wire: 'archived', type: 'json', nullable: true, within: 'body' },
  deletedAt: { wire: 'deleted_at', type: 'instant', nullable: true },
} as const satisfies Record<string, MemoryField>;

/** What each is, for people: in the API's document and in the help of commands. */
export const ABOUT_FIELDS: { readonly [K in MemoryFieldName]?: string } = {
  content: 'The text itself: one idea, understandable on its own.',
  type: 'Its type: decision, error, learning …',
  tags: 'A list, or names separated by commas.',
  metadata: 'Metadata, as a JSON object.',
  key: 'Your own name for it, unique within its project. Storing with the same key replaces the content.',
  project: 'The project it belongs to.',
  workspace: 'The workspace it comes from.',
  agent: 'The agent that wrote it.',
  session: 'The session it belongs to. Skips the check for near duplicates.',
  conversation: 'The conversation it belongs to. Skips the check for near duplicates.',
  author: 'The person who said it, where that is not who stores it.',
  host: 'The machine it comes from.',
  trust: 'How far it is to be believed. Whoever may write can lower it; only a person can raise it.',
  quality: 'Its quality, from 0 to 1.',
  validFrom: 'Valid from this time on: a date or time in ISO 8601, or a phrase such as "yesterday".',
  validUntil: 'Valid until this time: a date or time in ISO 8601, or a phrase such as "next Friday".',
  createdAt: 'When it was first written; needs preserve_timestamps: false.',
};

type Fields = typeof MEMORY_FIELDS;
export type MemoryFieldName = keyof Fields;
/** The names of the fields that have this trait. */
export type FieldsWith<Trait> = { [K in MemoryFieldName]: Fields[K] extends Trait ? K : never }[MemoryFieldName];

export type StorableField = FieldsWith<{ store: string }>;
export type UpdatableField = FieldsWith<{ update: string }>;
/** Those with a column of their own in the record. */
export type ColumnField = Exclude<MemoryFieldName, FieldsWith<{ within: string }>>;

/** What a new memory may say of itself. */
export type StorableValues = { [K in StorableField]?: FieldInputs[Fields[K]['type']] };
/** What an update may say. */
export type UpdatableValues = {
  [K in UpdatableField]?: FieldInputs[Fields[K]['type']] | (Fields[K] extends { update: 'clear' } ? null : never);
};

const ALL: readonly (readonly [name: MemoryFieldName, field: MemoryField])[] = Object.entries(MEMORY_FIELDS) as [
  MemoryFieldName,
  MemoryField,
][];

/** In the order of the table. */
export function fieldsWhere(test: (field: MemoryField) => boolean): MemoryFieldName[] {
  return ALL.filter(([, field]) => test(field)).map(([name]) => name);
}

export const UPDATABLE_FIELDS = fieldsWhere(({ update }) => update !== undefined) as UpdatableField[];
export const COLUMN_FIELDS = fieldsWhere(({ within }) => within === undefined) as ColumnField[];
