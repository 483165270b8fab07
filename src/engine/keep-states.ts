import type { Feed, Records, Relations } from './ports.ts';
import type { KindTable } from './records/kind.ts';

/** What a state is made from. */
export interface StateSource {
  store: Records & Relations & Feed;
  kinds: KindTable;
}

/** The one that this store has, made when it is first asked for. */
export type StateOf = <State>(make: (source: StateSource) => State) => State;

/** What features keep in memory belongs to the store it follows from: one that reads the past has its own. */
export function keepStates(source: StateSource): StateOf {
  const kept = new Map<unknown, unknown>();
  return <State>(make: (source: StateSource) => State): State => {
    if (!kept.has(make)) kept.set(make, make(source));
    return kept.get(make) as State;
  };
}
