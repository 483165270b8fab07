import type { FeedEntry } from '../model/change.ts';
import type { Sequence, SpaceId } from '../model/ids.ts';
import type { Feed } from './ports.ts';

/** Something that follows from what a space holds, kept in memory and never stored. */
export interface FeedState {
  /** Up to where the feed is in it. */
  head: Sequence;
}

export interface FeedStates<State extends FeedState> {
  /** As of the feed's head at some moment after this call. Must not be kept over anything that waits. */
  fresh(space: SpaceId): Promise<State>;
  /** What stands in the feed after one number and up to another is nothing to this state. */
  skip(space: SpaceId, after: Sequence, upTo: Sequence): void;
}

interface Following<State extends FeedState> {
  /** All of it, from what the space holds; `head` was read before. */
  load(space: SpaceId, head: Sequence): Promise<State>;
  apply(space: SpaceId, state: State, entries: readonly FeedEntry[]): Promise<void>;
  bytesOf(state: State): number;
  /** All states together; the least recently used go first. */
  maxBytes: number;
}

const FEED_PAGE = 500;

/** Keeps such states fresh from the feed, and makes them anew where it is no longer kept as far back. */
export function createFeedStates<State extends FeedState>(
  store: Feed,
  { load, apply, bytesOf, maxBytes }: Following<State>,
): FeedStates<State> {
  /** In order of use, the least recent first. */
  const states = new Map<SpaceId, State>();
  const running = new Map<SpaceId, Promise<State>>();
  const catchUp = async (space: SpaceId, state: State): Promise<boolean> => {
    const head = await store.head(space);
    if (head === state.head) return true;
    if (head < state.head || (await store.prunedTo(space)) > state.head) return false;
    while (state.head < head) {
      const entries = await store.changesAfter(space, state.head, FEED_PAGE);
      const last = entries.at(-1);
      if (last === undefined) return false;
      await apply(space, state, entries);
      state.head = last.seq;
    }
    return true;
  };
  const refresh = async (space: SpaceId): Promise<State> => {
    const known = states.get(space);
    const isCurrent = known !== undefined && (await catchUp(space, known));
    const state = isCurrent ? known : await load(space, await store.head(space));
    states.delete(space);
    states.set(space, state);
    let bytes = [...states.values()].reduce((sum, one) => sum + bytesOf(one), 0);
    for (const [other, one] of states) {
      if (bytes <= maxBytes || other === space) break;
      states.delete(other);
      bytes -= bytesOf(one);
    }
    return state;
  };
  return {
    skip(space, after, upTo) {
      const state = states.get(space);
      // One that is being refreshed reads the feed itself.
      if (state?.head === after && !running.has(space)) state.head = upTo;
    },
    fresh(space) {
      // One after the other: a refresh that began before this call may have missed what its caller has just written.
      const next = (running.get(space) ?? Promise.resolve())
        .catch(() => undefined)
        .then(() => refresh(space))
        .finally(() => running.get(space) === next && running.delete(space));
      running.set(space, next);
      return next;
    },
  };
}
