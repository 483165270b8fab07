import { canonicalJson } from './canonical-json.ts';
import type { NoteDamage } from './damage.ts';
import type { Dot, Instant, RecordId } from './ids.ts';
import type { Json, JsonObject } from './json.ts';
import type { RecordContent, RecordVersion, StoredRecord } from './record.ts';
import type { Relation } from './relation.ts';
import {
  compareWrites,
  DELETION,
  type Field,
  listTags,
  listTexts,
  type Part,
  type Parts,
  readRelationPart,
  readTagPart,
  relationPart,
  type SharedState,
  TEXT,
  tagPart,
} from './shared-state.ts';
import {
  baseParts,
  isMetadata,
  LABELS,
  labelsOf,
  metadataFrom,
  parseStamps,
  type Stamps,
  textOf,
  textParts,
} from './stamps.ts';

/** All that a database keeps under one id. */
export interface HeldRecord {
  id: RecordId;
  /** Null: nothing is left but what `stamps` and the grave say. */
  record: StoredRecord | null;
  /** Of a record that is not there any more: its whole state without the text. */
  stamps: string | null;
  buried: number;
  purgedAt: Instant | null;
  /** Those that begin at it, with the generation of the record where they end. */
  relations: readonly HeldRelation[];
  versions: readonly HeldVersion[];
}

export interface HeldRelation extends Relation {
  toGeneration: number;
}

export interface HeldVersion extends RecordVersion {
  /** The feed's number when it was kept here; 0: long ago. */
  seq: number;
}

export interface HeldOptions {
  note?: NoteDamage;
  /** False: nobody wants to know the earlier states, nor the texts that do not show. */
  versions?: boolean;
}

/** The state that is exchanged, of what is kept. */
export function stateOf({ record, stamps: text, relations, versions }: HeldRecord): SharedState | null {
  if (record === null) return text === null ? null : (JSON.parse(text) as SharedState);
  const stamps = parseStamps(text, record);
  const parts: Record<string, Parts> = { ...stamps.parts, [TEXT]: fillTexts(textParts(stamps), record, versions) };
  if (record.deletedAt !== null) parts[DELETION] ??= baseParts(stamps);
  for (const tag of record.tags) parts[tagPart(tag)] ??= baseParts(stamps);
  for (const relation of relations)
    parts[relationPart(relation)] ??= baseParts(stamps, relationValue(relation, relation.toGeneration));
  const [dot, time] = stamps.base;
  const fields: Record<string, Field> = { ...stamps.fields };
  for (const [name, value] of Object.entries(labelsOf(record)))
    fields[name] = { dot, time, value, ...stamps.fields[name] };
  return { generation: record.generation, seen: stamps.seen, parts, fields };
}

export function relationValue({ weight, body, createdAt }: Relation, toGeneration: number): JsonObject {
  return { toGeneration, weight, createdAt, body };
}

/** The record has the text that shows; the others are among the versions. */
function fillTexts(parts: Parts, record: StoredRecord, versions: readonly HeldVersion[]): Parts {
  const filled: Record<Dot, Part> = {};
  const [shown] = listTexts({ generation: 0, seen: {}, parts: { [TEXT]: parts }, fields: {} });
  for (const [dot, { time, gone }] of Object.entries(parts)) {
    const kept = dot === shown?.dot ? record : versions.find((version) => version.record.dot === dot)?.record;
    filled[dot] = kept === undefined || gone === true ? { time, gone: true } : { ...textOf(kept), time };
  }
  return filled;
}

/** What is kept beside the record that a state shows as. */
export function packState(state: SharedState, shown: RecordContent): Stamps {
  const { dot, time } = state.fields.createdAt ?? listTexts(state)[0]!;
  const isBase = (parts: Parts) => Object.keys(parts).length === 1 && parts[dot] !== undefined;
  const parts: Record<string, Parts> = {};
  for (const [name, some] of Object.entries(state.parts)) {
    if ((name === TEXT || readTagPart(name) !== null) && isBase(some) && some[dot]?.gone !== true) continue;
    parts[name] = name === TEXT ? stripTexts(some) : some;
  }
  const known = labelsOf(shown);
  const fields: Record<string, Field> = {};
  for (const [name, field] of Object.entries(state.fields)) {
    const isShown = canonicalJson(known[name] ?? null) === canonicalJson(field.value ?? null);
    if (!isShown) fields[name] = field;
    else if (field.dot !== dot || field.value === undefined) fields[name] = { dot: field.dot, time: field.time };
  }
  return { seen: state.seen, base: [dot, time], parts, fields };
}

function stripTexts(texts: Parts): Parts {
  const strip = ({ time, gone }: Part): Part => (gone === true ? { time, gone } : { time });
  return Object.fromEntries(Object.entries(texts).map(([dot, part]) => [dot, strip(part)]));
}

/** A deleted record's state once its text and metadata are let go: labels and stamps stay, so that a restore elsewhere finds its way. */
export function letGo(state: SharedState): SharedState {
  const texts = Object.entries(state.parts[TEXT] ?? {}).map(([dot, { time }]) => [dot, { time, gone: true }] as const);
  const fields = Object.entries(state.fields).map(([name, field]): [string, Field] =>
    isMetadata(name) ? [name, { dot: field.dot, time: field.time, gone: true }] : [name, field],
  );
  return { ...state, parts: { ...state.parts, [TEXT]: Object.fromEntries(texts) }, fields: Object.fromEntries(fields) };
}

/** What a state shows as, but for what its kind derives; null where no text is left. `tags` says in which order those that are known stand. */
export function showState(state: SharedState, tags: readonly string[] = []): RecordContent | null {
  const [shown] = listTexts(state);
  if (shown === undefined || shown.gone === true) return null;
  const { time: _, dot: __, gone: ___, body, ...text } = shown;
  const labels = LABELS.map((name): [string, Json] => [name, state.fields[name]?.value ?? null]);
  const metadata = metadataFrom(state.fields);
  const hasMetadata = Object.hasOwn(body as JsonObject, 'metadata');
  const all = listTags(state);
  return {
    ...Object.fromEntries(labels),
    ...text,
    contentHash: '',
    tags: [...tags.filter((tag) => all.includes(tag)), ...all.filter((tag) => !tags.includes(tag)).sort()],
    body: hasMetadata ? { ...(body as JsonObject), metadata } : body,
  } as unknown as RecordContent;
}

/** The relations that a state says there are, of each pair and type the last. */
export function listRelationsOf(id: RecordId, state: SharedState): HeldRelation[] {
  return Object.entries(state.parts).flatMap(([name, parts]) => {
    const end = readRelationPart(name);
    if (end === null) return [];
    const [last] = Object.entries(parts)
      .map(([dot, part]) => ({ ...part, dot }))
      .sort((a, b) => compareWrites(b, a));
    const { toGeneration, weight, createdAt, body } = last as unknown as HeldRelation;
    return [{ from: id, ...end, weight, body, createdAt, toGeneration }];
  });
}

/** The last write that a state knows of what it shows. */
export function lastWrite(state: SharedState): { dot: Dot; time: Instant } {
  const writes = [
    ...Object.values(state.parts).flatMap((parts) => Object.entries(parts).map(([dot, { time }]) => ({ dot, time }))),
    ...Object.values(state.fields).map(({ dot, time }) => ({ dot, time })),
  ];
  return writes.reduce((a, b) => (compareWrites(a, b) < 0 ? b : a));
}
