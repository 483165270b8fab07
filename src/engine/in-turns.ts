import { setImmediate as nextTurn } from 'node:timers/promises';

/** Each of these writes to a connection of its own: fewer than take a millisecond or two. */
const AT_ONCE = 32;

/** Calls for each of them, and lets others have the processor in between. Members that a set gets meanwhile have their turn too. */
export async function inTurns<T>(all: Iterable<T>, call: (one: T) => void): Promise<void> {
  let called = 0;
  for (const one of all) {
    call(one);
    if (++called % AT_ONCE === 0) await nextTurn();
  }
}
