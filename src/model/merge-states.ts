import type { Dot, RecordId, ReplicaId } from './ids.ts';
import {
  compareWrites,
  covers,
  type Field,
  isDeleted,
  type Parts,
  readRelationPart,
  type Seen,
  type SharedState,
  TEXT,
} from './shared-state.ts';

/** What a replica holds under an id. */
export interface Holding {
  /** The last generation that was purged; 0: none. */
  buried: number;
  state: SharedState | null;
}

export const NOTHING_HELD: Holding = { buried: 0, state: null };

/** Whether this generation of a record was purged, as far as is known here. */
export type IsBuried = (id: RecordId, generation: number) => boolean;

/**
 * What two replicas hold under one id, as one. The order in which they meet does not matter, nor how often. A grave beats everything up to its
 * generation, and takes along the relations that end there.
 */
export function mergeHoldings(here: Holding, there: Holding, isBuried: IsBuried): Holding {
  const buried = Math.max(here.buried, there.buried);
  const states = [here.state, there.state].filter((state) => state !== null && state.generation > buried);
  const [one, other] = states as SharedState[];
  if (one === undefined) return { buried, state: null };
  return { buried, state: dropBuried(other === undefined ? one : mergeStates(one, other), isBuried) };
}

/** A part stays if both have it, or if one has it and the other has not heard of it yet. */
function mergeStates(here: SharedState, there: SharedState): SharedState {
  if (here.generation !== there.generation) return here.generation > there.generation ? here : there;
  const parts: Record<string, Parts> = {};
  for (const name of new Set([...Object.keys(here.parts), ...Object.keys(there.parts)])) {
    const merged = mergeParts({ here, there, name });
    if (Object.keys(merged).length > 0) parts[name] = merged;
  }
  const state = {
    generation: here.generation,
    seen: joinSeen(here.seen, there.seen),
    parts,
    fields: mergeFields(here.fields, there.fields),
  };
  return parts[TEXT] === undefined ? keepLastText(state, here, there) : state;
}

/** Where both have it, what `here` has of it stays: it has judged it already. A text that was let go here is taken from whoever still has it. */
function mergeParts({ here, there, name }: { here: SharedState; there: SharedState; name: string }): Parts {
  const [ours, theirs] = [here.parts[name] ?? {}, there.parts[name] ?? {}];
  const merged: Record<Dot, Parts[Dot]> = {};
  for (const [dot, part] of Object.entries(ours))
    if (theirs[dot] !== undefined) merged[dot] = part.gone === true ? theirs[dot] : part;
    else if (!covers(there.seen, dot)) merged[dot] = part;
  for (const [dot, part] of Object.entries(theirs))
    if (ours[dot] === undefined && !covers(here.seen, dot)) merged[dot] = part;
  return merged;
}

function mergeFields(ours: SharedState['fields'], theirs: SharedState['fields']): Record<string, Field> {
  const merged: Record<string, Field> = { ...ours };
  for (const [name, field] of Object.entries(theirs)) {
    const own = merged[name];
    const order = own === undefined ? -1 : compareWrites(own, field);
    if (order < 0 || (order === 0 && own?.gone === true)) merged[name] = field;
  }
  return merged;
}

function joinSeen(a: Seen, b: Seen): Seen {
  const joined: Record<ReplicaId, number> = { ...a };
  for (const [replica, number] of Object.entries(b)) joined[replica] = Math.max(joined[replica] ?? 0, number);
  return joined;
}

/** Writers that keep the rules never come here: a record has a text. Of one that did not, the later text is better than none. */
function keepLastText(state: SharedState, here: SharedState, there: SharedState): SharedState {
  const texts = { ...there.parts[TEXT], ...here.parts[TEXT] };
  const [last] = Object.entries(texts).sort(([a, x], [b, y]) => compareWrites({ ...y, dot: b }, { ...x, dot: a }));
  return last === undefined ? state : { ...state, parts: { ...state.parts, [TEXT]: { [last[0]]: last[1] } } };
}

/** Whether a live record lacks a text there that is here: then it is sent, whoever the last change came from. */
export function lacksText(there: SharedState | null, merged: SharedState | null): boolean {
  if (there === null || merged === null || isDeleted(merged)) return false;
  const texts = merged.parts[TEXT] ?? {};
  return Object.entries(there.parts[TEXT] ?? {}).some(
    ([dot, part]) => part.gone === true && texts[dot] !== undefined && texts[dot].gone !== true,
  );
}

/** Gone as if they had been taken away: `seen` covers them, so nobody brings them back. */
export function dropBuried(state: SharedState, isBuried: IsBuried): SharedState {
  let parts: Record<string, Parts> | null = null;
  for (const [name, some] of Object.entries(state.parts)) {
    const end = readRelationPart(name);
    if (end === null) continue;
    const left = Object.entries(some).filter(([, part]) => !isBuried(end.to, Number(part.toGeneration)));
    if (left.length === Object.keys(some).length) continue;
    parts ??= { ...state.parts };
    if (left.length > 0) parts[name] = Object.fromEntries(left);
    else delete parts[name];
  }
  return parts === null ? state : { ...state, parts };
}
