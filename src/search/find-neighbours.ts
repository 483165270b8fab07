import { compareIds } from './index/columns.ts';
import { seek } from './index/seek.ts';
import type { SearchPart } from './search-set.ts';
import { groupOf, isTurn, listTurns, translateGroup } from './turns.ts';

/** A record of a searched part. */
export interface Turn {
  part: SearchPart;
  record: number;
}

export type FindNeighbour = (turn: Turn, step: 1 | -1) => Turn | null;

/** Finds the living turn before or after another one, whichever parts of the index the two lie in. */
export function createNeighbourFinder(parts: readonly SearchPart[]): FindNeighbour {
  const places = new Map<string, Holder[]>();
  return (turn, step) => {
    const { space, part } = turn.part;
    if (!isTurn(part, turn.record)) return null;
    const group = groupOf(part, turn.record);
    const key = `${parts.indexOf(turn.part)} ${group}`;
    let holders = places.get(key);
    if (holders === undefined) {
      holders = findHolders(
        parts.filter((other) => other.space === space),
        turn,
      );
      places.set(key, holders);
    }
    let nearest: Turn | null = null;
    for (const holder of holders) {
      const found = nextAlive(holder, turn, step);
      if (found !== null && (nearest === null || compareTurns(found, nearest) * step < 0)) nearest = found;
    }
    return nearest;
  };
}

/** A part that holds turns of a conversation, in order. */
interface Holder {
  part: SearchPart;
  turns: Uint32Array;
  place: Uint32Array;
}

function findHolders(parts: readonly SearchPart[], { part: home, record }: Turn): Holder[] {
  return parts.flatMap((part) => {
    const listed = listTurns(part.part);
    const group =
      listed === null
        ? null
        : part === home
          ? groupOf(home.part, record)
          : translateGroup(home.part, record, part.part);
    const turns = group === null ? undefined : listed?.groups.get(group);
    return turns === undefined ? [] : [{ part, turns, place: listed!.place }];
  });
}

function nextAlive({ part, turns, place }: Holder, turn: Turn, step: 1 | -1): Turn | null {
  const after = () => seek(turns.length, (i) => compareTurns({ part, record: turns[i]! }, turn) < 0);
  let at = part === turn.part ? place[turn.record]! + step : after() - (step === 1 ? 0 : 1);
  while (at >= 0 && at < turns.length && part.part.deadRecords[turns[at]!] === 1) at += step;
  return at < 0 || at >= turns.length ? null : { part, record: turns[at]! };
}

function compareTurns(a: Turn, b: Turn): number {
  return compareIds(a.part.part.columns.ids, a.record, b.part.part.columns.ids, b.record);
}
