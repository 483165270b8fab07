import type { Dot, Instant, RecordId, ReplicaId } from './ids.ts';
import type { Json, JsonObject } from './json.ts';

/** Of each replica, the number of its last write that is known. */
export type Seen = Readonly<Record<ReplicaId, number>>;

/** A part that is there or not: a text, a tag, a deletion, a relation. Named by the write that made it. */
export type Part = JsonObject & { time: Instant };
export type Parts = Readonly<Record<Dot, Part>>;

/** A part of which there is one: the later write wins. Without a value: taken away. */
export interface Field {
  dot: Dot;
  time: Instant;
  value?: Json;
  /** Let go, like the text of a record that was deleted long ago. */
  gone?: true;
}

/**
 * A record as replicas exchange it. Parts and fields that this release does not know are merged like the others, kept and passed on.
 */
export interface SharedState {
  generation: number;
  seen: Seen;
  parts: Readonly<Record<string, Parts>>;
  fields: Readonly<Record<string, Field>>;
}

export const TEXT = 'text';
export const DELETION = 'deletion';
const TAG = 'tag ';
const RELATION = 'relation ';

/** Under which name the additions of one tag are kept. */
export function tagPart(tag: string): string {
  return TAG + tag;
}

/** An id has no space in it, a type may. */
export function relationPart({ to, type }: { to: RecordId; type: string }): string {
  return `${RELATION}${to} ${type}`;
}

export function readTagPart(name: string): string | null {
  return name.startsWith(TAG) ? name.slice(TAG.length) : null;
}

export function readRelationPart(name: string): { to: RecordId; type: string } | null {
  if (!name.startsWith(RELATION)) return null;
  const end = name.indexOf(' ', RELATION.length);
  return { to: name.slice(RELATION.length, end), type: name.slice(end + 1) };
}

export function replicaOf(dot: Dot): ReplicaId {
  return dot.slice(0, dot.lastIndexOf(':'));
}

export function numberOf(dot: Dot): number {
  return Number(dot.slice(dot.lastIndexOf(':') + 1));
}

export function covers(seen: Seen, dot: Dot): boolean {
  return (seen[replicaOf(dot)] ?? 0) >= numberOf(dot);
}

/** Negative where `a` is the earlier write. */
export function compareWrites(a: { time: Instant; dot: Dot }, b: { time: Instant; dot: Dot }): number {
  return a.time - b.time || compareDots(a.dot, b.dot);
}

function compareDots(a: Dot, b: Dot): number {
  const [one, other] = [replicaOf(a), replicaOf(b)];
  if (one === other) return numberOf(a) - numberOf(b);
  return one < other ? -1 : 1;
}

/** The latest first. */
function rankParts(parts: Parts | undefined): (Part & { dot: Dot })[] {
  return Object.entries(parts ?? {})
    .map(([dot, part]) => ({ ...part, dot }))
    .sort((a, b) => compareWrites(b, a));
}

export function isDeleted({ parts }: SharedState): boolean {
  return parts[DELETION] !== undefined;
}

export function listTags({ parts }: SharedState): string[] {
  return Object.keys(parts)
    .map(readTagPart)
    .filter((tag) => tag !== null);
}

/** The text that shows first, then those that were written without knowing of it; what was let go shows only where nothing else is. */
export function listTexts(state: SharedState): (Part & { dot: Dot })[] {
  return rankParts(state.parts[TEXT]).sort((a, b) => Number(a.gone === true) - Number(b.gone === true));
}
