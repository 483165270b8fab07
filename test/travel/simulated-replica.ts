import {
  dropBuried,
  type Holding,
  type IsBuried,
  lacksText,
  mergeHoldings,
  NOTHING_HELD,
} from '../../src/model/merge-states.ts';
import { isDeleted, type SharedState, TEXT } from '../../src/model/shared-state.ts';
import { type StateWrite, type Writing, writeState } from '../../src/model/write-state.ts';

/** The rules of merging, and what a naive program would do instead. */
export interface Rules {
  merge(here: Holding, there: Holding, isBuried: IsBuried): Holding;
  write(before: SharedState | null, write: StateWrite, writing: Writing): SharedState;
  leavesGraves: boolean;
  expires: 'text' | 'all' | 'everything known';
  scrubs: 'generation' | 'edit';
  /** When the position in the other's feed is moved: with the last item of a page, or before the first. */
  movesPosition: 'after' | 'before';
  /** Of a backup that was put back. */
  renews: readonly ('replica' | 'epoch')[];
  relationsWait: boolean;
}

export const RULES: Rules = {
  merge: mergeHoldings,
  write: writeState,
  leavesGraves: true,
  expires: 'text',
  scrubs: 'generation',
  movesPosition: 'after',
  renews: ['replica', 'epoch'],
  relationsWait: true,
};

/** Everything that a backup holds. */
interface Data {
  held: Map<string, Holding>;
  /** Texts that were overwritten, by dot. */
  versions: Map<string, Map<string, string>>;
  feed: { id: string; from: string | null }[];
  positions: Map<string, { epoch: string; at: number }>;
  /** Which writes this replica has heard of, by record: what an ideal replica would know. */
  known: Map<string, Set<number>>;
  /** When a deletion, or a text that is deleted, came here. */
  arrived: Map<string, number>;
}

export interface Replica extends Data {
  readonly name: string;
  replica: string;
  epoch: string;
  skew: number;
  backup: { data: Data; replica: string; epoch: string } | null;
}

export function newReplica(name: string, skew: number): Replica {
  const empty = { held: new Map(), versions: new Map(), feed: [], positions: new Map(), known: new Map() };
  return { ...empty, arrived: new Map(), name, replica: `${name}0`, epoch: `${name}e0`, skew, backup: null };
}

export function copyData({ held, versions, feed, positions, known, arrived }: Data): Data {
  return {
    held: new Map(held),
    versions: new Map([...versions].map(([id, some]) => [id, new Map(some)])),
    feed: [...feed],
    positions: new Map(positions),
    known: new Map([...known].map(([id, some]) => [id, new Set(some)])),
    arrived: new Map(arrived),
  };
}

export function holdingOf({ held }: Data, id: string): Holding {
  return held.get(id) ?? NOTHING_HELD;
}

function isBuriedIn(replica: Data): IsBuried {
  return (id, generation) => holdingOf(replica, id).buried >= generation;
}

/** Sets what is held, keeps the texts that this overwrites, and tells the feed. */
export function hold(
  replica: Replica,
  id: string,
  next: Holding,
  { from, step }: { from: string | null; step: number },
) {
  const before = holdingOf(replica, id);
  if (next.state === null || next.state.generation !== before.state?.generation) replica.versions.delete(id);
  else keepOverwritten(replica, id, { before: before.state, after: next.state });
  replica.held.set(id, next);
  replica.feed.push({ id, from });
  if (next.state !== null && isDeleted(next.state)) replica.arrived.set(id, step);
  if (next.buried === before.buried) return;
  for (const [other, { buried, state }] of replica.held)
    if (state !== null) replica.held.set(other, { buried, state: dropBuried(state, isBuriedIn(replica)) });
}

function keepOverwritten(
  replica: Replica,
  id: string,
  { before, after }: { before: SharedState; after: SharedState },
): void {
  for (const [dot, { text, gone }] of Object.entries(before.parts[TEXT] ?? {}))
    if (after.parts[TEXT]?.[dot] === undefined && gone !== true) versionsOf(replica, id).set(dot, String(text));
}

function versionsOf({ versions }: Replica, id: string): Map<string, string> {
  if (!versions.has(id)) versions.set(id, new Map());
  return versions.get(id)!;
}

export function knownOf({ known }: Data, id: string): Set<number> {
  if (!known.has(id)) known.set(id, new Set());
  return known.get(id)!;
}

interface PullOptions {
  rules: Rules;
  step: number;
  random: () => number;
  /** Programs may end within a page, pages come shuffled and twice. */
  isRough: boolean;
}

/** One page of what `there` has that `here` may not have; true if there was any. */
export function pull(here: Replica, there: Replica, { rules, step, random, isRough }: PullOptions): boolean {
  const place = here.positions.get(there.name);
  const at = place?.epoch === there.epoch ? place.at : 0;
  const size = isRough ? 1 + Math.floor(random() * 6) : 50;
  const entries = there.feed.slice(at, at + size);
  if (entries.length === 0) return false;
  const ids = [...new Set(entries.filter(({ from }) => from !== here.epoch).map(({ id }) => id))];
  if (isRough) ids.sort(() => random() - 0.5);
  const move = () => here.positions.set(there.name, { epoch: there.epoch, at: at + entries.length });
  if (rules.movesPosition === 'before') move();
  for (const id of ids) {
    if (isRough && random() < 0.05) return true;
    take(here, there, { id, rules, step });
  }
  if (rules.movesPosition === 'after' && !(isRough && random() < 0.05)) move();
  return true;
}

function take(here: Replica, there: Replica, { id, rules, step }: { id: string; rules: Rules; step: number }): void {
  const [ours, theirs] = [holdingOf(here, id), holdingOf(there, id)];
  for (const event of knownOf(there, id)) knownOf(here, id).add(event);
  let merged = rules.merge(ours, theirs, isBuriedIn(here));
  if (!rules.relationsWait && merged.state !== null) merged = { ...merged, state: dropWaiting(here, merged.state) };
  const isLacking = lacksText(theirs.state, merged.state);
  if (isLacking || JSON.stringify(sorted(merged)) !== JSON.stringify(sorted(ours)))
    hold(here, id, merged, { from: isLacking ? null : there.epoch, step });
  const generation = merged.state?.generation;
  if (generation === undefined || generation !== theirs.state?.generation) return;
  const { state } = merged;
  const texts = { ...theirs.state.parts[TEXT] };
  for (const [dot, { text, gone }] of Object.entries(texts))
    if (state?.parts[TEXT]?.[dot] === undefined && gone !== true) versionsOf(here, id).set(dot, String(text));
  for (const [dot, text] of versionsOf(there, id)) versionsOf(here, id).set(dot, text);
}

function dropWaiting(here: Replica, state: SharedState): SharedState {
  return dropBuried(state, (id) => holdingOf(here, id).state === null);
}

/** With what is in it in one order, so that equal things read alike. */
export function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}
