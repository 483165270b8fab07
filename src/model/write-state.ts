import type { Dot, Instant } from './ids.ts';
import type { Json, JsonObject } from './json.ts';
import {
  DELETION,
  type Field,
  numberOf,
  type Parts,
  replicaOf,
  type SharedState,
  TEXT,
  tagPart,
} from './shared-state.ts';

/** What one write does to a record. */
export interface StateWrite {
  /** A new text, which takes the place of all that are known. */
  text?: JsonObject;
  addTags?: readonly string[];
  removeTags?: readonly string[];
  /** Undefined takes a field away. */
  fields?: Readonly<Record<string, Json | undefined>>;
  /** A restore undoes the deletions that are known, and no others. */
  life?: 'delete' | 'restore';
  /** Other parts by their names, each in place of all that are known of that name; null takes them away. */
  parts?: Readonly<Record<string, JsonObject | null>>;
}

export interface Writing {
  dot: Dot;
  now: Instant;
  generation: number;
}

/** The state after a write. Its time is later than any that the record bears, whatever the clock says. */
export function writeState(before: SharedState | null, write: StateWrite, writing: Writing): SharedState {
  const { dot, now, generation } = writing;
  const old = before?.generation === generation ? before : { generation, seen: {}, parts: {}, fields: {} };
  const time = Math.max(now, newestTime(old) + 1);
  const fields: Record<string, Field> = { ...old.fields };
  for (const [name, value] of Object.entries(write.fields ?? {}))
    fields[name] = value === undefined ? { dot, time } : { dot, time, value };
  const parts: Record<string, Parts> = { ...old.parts };
  const put = (name: string, value: JsonObject) => {
    parts[name] = { [dot]: { ...value, time } };
  };
  if (write.text !== undefined) put(TEXT, write.text);
  for (const tag of write.removeTags ?? []) delete parts[tagPart(tag)];
  for (const tag of write.addTags ?? []) put(tagPart(tag), {});
  if (write.life === 'delete') parts[DELETION] = { ...old.parts[DELETION], [dot]: { time } };
  if (write.life === 'restore') delete parts[DELETION];
  for (const [name, value] of Object.entries(write.parts ?? {})) {
    if (value === null) delete parts[name];
    else put(name, value);
  }
  const number = Math.max(old.seen[replicaOf(dot)] ?? 0, numberOf(dot));
  return { generation, seen: { ...old.seen, [replicaOf(dot)]: number }, parts, fields };
}

function newestTime({ parts, fields }: SharedState): Instant {
  let newest = 0;
  for (const some of Object.values(parts)) for (const { time } of Object.values(some)) newest = Math.max(newest, time);
  for (const { time } of Object.values(fields)) newest = Math.max(newest, time);
  return newest;
}
