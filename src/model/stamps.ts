import { canonicalJson } from './canonical-json.ts';
import type { Dot, Instant } from './ids.ts';
import type { Json, JsonObject } from './json.ts';
import { COLUMN_FIELDS } from './memory-fields.ts';
import type { RecordContent, StoredRecord } from './record.ts';
import {
  DELETION,
  type Field,
  numberOf,
  type Parts,
  replicaOf,
  type Seen,
  type SharedState,
  TEXT,
} from './shared-state.ts';
import { type StateWrite, writeState } from './write-state.ts';

/**
 * Which writes the parts of a record come from, beside the record itself: what is not listed was written by `base`. A record that was never changed
 * has none: its own dot is all there is to say.
 */
export interface Stamps {
  seen: Seen;
  base: readonly [dot: Dot, time: Instant];
  parts: Readonly<Record<string, Parts>>;
  /** With a value where the record's own differs, or has no place for it. */
  fields: Readonly<Record<string, Field>>;
}

type Stamped = Pick<StoredRecord, 'dot' | 'updatedAt'>;

/** What the text consists of, and what is each database's own; every other column is a label. */
const NO_LABELS = ['content', 'contentHash', 'source', 'trust', 'tags', 'id', 'revision', 'deletedAt'];
export const LABELS: readonly string[] = ['kind', ...COLUMN_FIELDS.filter((name) => !NO_LABELS.includes(name))];
const METADATA = 'metadata ';

export function parseStamps(text: string | null, record: Stamped): Stamps {
  return text === null ? firstStamps(record.dot, record.updatedAt) : (JSON.parse(text) as Stamps);
}

function firstStamps(dot: Dot, time: Instant): Stamps {
  return { seen: { [replicaOf(dot)]: numberOf(dot) }, base: [dot, time], parts: {}, fields: {} };
}

/** Null where the record says it all itself. */
export function formatStamps(stamps: Stamps, record: Stamped): string | null {
  const text = canonicalJson(stamps as unknown as JsonObject);
  return text === canonicalJson(firstStamps(record.dot, record.updatedAt) as unknown as JsonObject) ? null : text;
}

/** Of a record's first write. One that claims a time to come is stamped with what the clock says. */
export function stampFirst(dot: Dot, { updatedAt, now }: { updatedAt: Instant; now: Instant }): Stamps {
  return firstStamps(dot, Math.min(updatedAt, now));
}

export function stampWrite(before: Stamps, write: StateWrite, { dot, now }: { dot: Dot; now: Instant }): Stamps {
  const known = { generation: 1, seen: before.seen, parts: before.parts, fields: before.fields };
  const after = writeState(known, write, { dot, now: Math.max(now, before.base[1] + 1), generation: 1 });
  const fields = { ...after.fields };
  for (const name of Object.keys(write.fields ?? {})) fields[name] = { dot, time: fields[name]!.time };
  return { seen: after.seen, base: before.base, parts: after.parts, fields };
}

/** What a change of a record is, part by part. */
export function diffContents(before: RecordContent, after: RecordContent): StateWrite {
  const fields: Record<string, Json | undefined> = {};
  const [old, next] = [labelsOf(before), labelsOf(after)];
  for (const name of new Set([...Object.keys(old), ...Object.keys(next)]))
    if (!isSame(old[name], next[name])) fields[name] = next[name];
  const isRetexted = ['content', 'title', 'body'].some((name) => !isSame(textOf(before)[name], textOf(after)[name]));
  return {
    ...(isRetexted && { text: {} }),
    addTags: after.tags.filter((tag) => !before.tags.includes(tag)),
    removeTags: before.tags.filter((tag) => !after.tags.includes(tag)),
    fields,
  };
}

function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b));
}

/** The labels of a record, each metadata key being one. */
export function labelsOf(content: RecordContent): Record<string, Json> {
  const labels: Record<string, Json> = {};
  for (const name of LABELS) labels[name] = (content as unknown as JsonObject)[name] ?? null;
  for (const [key, value] of Object.entries(metadataOf(content))) labels[METADATA + key] = value;
  return labels;
}

function metadataOf({ body }: Pick<RecordContent, 'body'>): JsonObject {
  const { metadata } = body;
  return typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata) ? metadata : {};
}

/** The text of a record, with what goes along with it; of the metadata, that there is a place for it. */
export function textOf({ content, title, source, trust, body }: RecordContent): JsonObject {
  const kept = Object.hasOwn(body, 'metadata') ? { ...body, metadata: {} } : body;
  return { content, title, source: source as unknown as JsonObject, trust, body: kept };
}

export function isMetadata(name: string): boolean {
  return name.startsWith(METADATA);
}

/** The metadata that the fields of a state make. */
export function metadataFrom(fields: SharedState['fields']): JsonObject {
  const entries = Object.entries(fields).flatMap(([name, { value }]): [string, Json][] =>
    isMetadata(name) && value !== undefined ? [[name.slice(METADATA.length), value]] : [],
  );
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function baseParts({ base: [dot, time] }: Stamps, value: JsonObject = {}): Parts {
  return { [dot]: { ...value, time } };
}

export function textParts(stamps: Stamps): Parts {
  return stamps.parts[TEXT] ?? baseParts(stamps);
}

/** With the deletion that the base stands for said aloud. */
export function withDeletion(stamps: Stamps): Stamps {
  return stamps.parts[DELETION] === undefined
    ? { ...stamps, parts: { ...stamps.parts, [DELETION]: baseParts(stamps) } }
    : stamps;
}
