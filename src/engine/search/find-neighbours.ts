import { compareIds } from './index/columns.ts';
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
  let at = part === turn.part ? place[turn.record]! + step : seek(part, turns, turn, step);
  while (at >= 0 && at < turns.length && part.part.deadRecords[turns[at]!] === 1) at += step;
  return at < 0 || at >= turns.length ? null : { part, record: turns[at]! };
}

/** The first turn after the given one in another part, or the last before it. */
function seek(part: SearchPart, turns: Uint32Array, turn: Turn, step: 1 | -1): number {
  let low = 0;
  let high = turns.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareTurns({ part, record: turns[middle]! }, turn) < 0) low = middle + 1;
    else high = middle;
  }
  return step === 1 ? low : low - 1;
}

function compareTurns(a: Turn, b: Turn): number {
  return compareIds(a.part.part.columns.ids, a.record, b.part.part.columns.ids, b.record);
}
