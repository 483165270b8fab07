import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long work may go on before others have the event loop, in milliseconds. */
const STRETCH_MS = 8;
/** What a piece of work has of a turn that others have used up: with less it would never end beside them. */
const LEAST_MS = 2;

/** When this turn of the event loop began, as far as anybody asked; null: nobody has. */
let began: number | null = null;

/** For how many milliseconds this turn of the event loop has been at work for those who ask. Pieces of work that meet in one turn know of each other by it. */
function turnMs(): number {
  const now = performance.now();
  if (began !== null) return now - began;
  began = now;
  setImmediate(endTurn);
  return 0;
}

function endTurn(): void {
  began = null;
}

/** Two turns: the first may come before timers and what has arrived meanwhile were looked at. */
export async function giveWay(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/** Call it now and then in long work: it lets others run when a stretch is over. */
export type Pace = () => Promise<void> | undefined;

export function createPacer(): Pace {
  let since = performance.now();
  return () => {
    const ms = performance.now() - since;
    if (ms < LEAST_MS || (ms < STRETCH_MS && turnMs() < STRETCH_MS)) return undefined;
    return giveWay().then(() => {
      since = performance.now();
    });
  };
}

/**
 * Answers that are there at once never let anything else run, however many are asked for one after the other. Called before each: once this turn has
 * lasted for a stretch it waits for the next, otherwise it is nothing.
 */
export function paceTurn(): Promise<void> | undefined {
  return turnMs() < STRETCH_MS ? undefined : giveWay();
}
