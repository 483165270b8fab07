import {
  compareWrites,
  type Field,
  isDeleted,
  listTexts,
  readRelationPart,
  type SharedState,
} from '../../src/model/shared-state.ts';
import { listParts } from './simulate.ts';
import { holdingOf, knownOf, type Replica, sorted } from './simulated-replica.ts';

/** A write as it was meant, whatever became of it. */
export interface SimulatedEvent {
  id: string;
  generation: number;
  adds: string[];
  removes: string[];
  fields: Record<string, Field>;
  /** The fields that its writer knew and replaced. */
  overwrites: string[];
  text: string | undefined;
  /** The generation that it purged; 0: none. */
  buries: number;
  /** Its text must not be found any more. */
  scrubbed?: true;
}

export interface Failures {
  diverged: string[];
  cameBack: string[];
  lost: string[];
  purgedFound: string[];
}

interface End {
  events: readonly SimulatedEvent[];
  expired: ReadonlySet<string>;
}

/** Compares what all hold at the end with what follows from the writes that anybody still knows of. */
export function findFailures(replicas: readonly Replica[], { events, expired }: End): Failures {
  const failures: Failures = { diverged: [], cameBack: [], lost: [], purgedFound: [] };
  const ids = new Set(events.map(({ id }) => id));
  const isDoubtful = listDoubtful(events);
  const buried = new Map<string, number>();
  for (const id of ids) buried.set(id, Math.max(0, ...survivors(replicas, events, id).map(({ buries }) => buries)));
  for (const id of ids) {
    const states = new Set(replicas.map((replica) => JSON.stringify(sorted(withoutGone(replica, id)))));
    if (states.size > 1) failures.diverged.push(id);
    const expected = expect(survivors(replicas, events, id), id, buried);
    // A text that every replica let go before it heard of the restore is gone; one that somebody has, all have.
    const goneTexts = replicas.flatMap((replica) => listGone(replica, id));
    for (const dot of new Set(goneTexts))
      if (goneTexts.filter((other) => other === dot).length < replicas.length) failures.lost.push(`${id} text ${dot}`);
    for (const replica of replicas)
      compare(replica, { id, expected, failures, isExpired: expired.has(id), isDoubtful });
  }
  for (const event of events) {
    const isPurged = event.scrubbed === true || event.generation <= (buried.get(event.id) ?? 0);
    if (event.text !== undefined && isPurged && replicas.some((replica) => holds(replica, event)))
      failures.purgedFound.push(`${event.id} ${event.text}`);
  }
  return failures;
}

function survivors(replicas: readonly Replica[], events: readonly SimulatedEvent[], id: string): SimulatedEvent[] {
  const known = new Set(replicas.flatMap((replica) => [...knownOf(replica, id)]));
  return [...known].map((index) => events[index]!);
}

interface Expected {
  parts: Set<string>;
  fields: Map<string, Field>;
  texts: Map<string, string>;
}

function expect(events: readonly SimulatedEvent[], id: string, buried: ReadonlyMap<string, number>): Expected {
  const generation = Math.max(0, ...events.filter(({ buries }) => buries === 0).map((event) => event.generation));
  const own = generation > (buried.get(id) ?? 0) ? events.filter((event) => event.generation === generation) : [];
  const removed = new Set(own.flatMap(({ removes }) => removes));
  const fields = new Map<string, Field>();
  const overwritten = new Set(own.flatMap((event) => event.overwrites));
  for (const event of own)
    for (const [name, field] of Object.entries(event.fields)) {
      if (overwritten.has(`${name}@${field.dot}`)) continue;
      const known = fields.get(name);
      if (known === undefined || compareWrites(known, field) < 0) fields.set(name, field);
    }
  const parts = own.flatMap(({ adds }) => adds).filter((part) => !removed.has(part));
  const texts = own.flatMap(({ adds, text }): [string, string][] => {
    const part = adds.find((name) => name.startsWith('text@'));
    return part === undefined || text === undefined ? [] : [[part, text]];
  });
  return { parts: new Set(parts), fields, texts: new Map(texts) };
}

/** A relation to what anybody has purged may be gone, also where the purge itself was forgotten with a backup that was put back. */
function listDoubtful(events: readonly SimulatedEvent[]): (part: string) => boolean {
  const purged = new Set(events.filter(({ buries }) => buries > 0).map(({ id }) => id));
  return (part) => purged.has(readRelationPart(part)?.to ?? '');
}

interface Comparison {
  id: string;
  expected: Expected;
  failures: Failures;
  isExpired: boolean;
  isDoubtful: (part: string) => boolean;
}

function compare(replica: Replica, { id, expected, failures, isExpired, isDoubtful }: Comparison): void {
  const { state } = holdingOf(replica, id);
  const actual = new Set(listParts(state));
  const name = `${replica.name} ${id}`;
  for (const part of expected.parts)
    if (!actual.has(part) && !isDoubtful(part))
      failures[part.startsWith('deletion@') ? 'cameBack' : 'lost'].push(`${name} ${part}`);
  for (const part of actual)
    if (!expected.parts.has(part) && !isDoubtful(part))
      failures[part.startsWith('deletion@') ? 'lost' : 'cameBack'].push(`${name} ${part}`);
  for (const [field, { value }] of expected.fields)
    if (state?.fields[field]?.value !== value) failures.lost.push(`${name} ${field}`);
  if (state === null) return;
  if (!isDeleted(state) && listTexts(state)[0]?.gone === true) failures.lost.push(`${name} shown text`);
  if (isExpired) return;
  const texts = new Set([...listTexts(state).map(({ text }) => text), ...(replica.versions.get(id)?.values() ?? [])]);
  for (const text of expected.texts.values()) if (!texts.has(text)) failures.lost.push(`${name} version ${text}`);
}

function holds(replica: Replica, { id, text }: SimulatedEvent): boolean {
  const { state } = holdingOf(replica, id);
  const texts = state === null ? [] : listTexts(state).map((part) => part.text);
  return [...texts, ...(replica.versions.get(id)?.values() ?? [])].includes(text!);
}

/** Whether a text has been let go is each replica's own affair. */
function withoutGone(replica: Replica, id: string): { buried: number; state: SharedState | null } {
  const { buried, state } = holdingOf(replica, id);
  if (state === null) return { buried, state };
  const texts = listTexts(state).map(({ dot, time }) => [dot, { time }] as const);
  return { buried, state: { ...state, parts: { ...state.parts, text: Object.fromEntries(texts) } } };
}

function listGone(replica: Replica, id: string): string[] {
  const { state } = holdingOf(replica, id);
  if (state === null || isDeleted(state)) return [];
  return listTexts(state).flatMap(({ gone, dot }) => (gone === true ? [dot] : []));
}
