import type { Sequence, SpaceId } from '../model/ids.ts';
import type { Feed } from './ports.ts';

/** A hint that got lost is made up for by a look so often. */
const LOOK_ANYWAY_MS = 5000;

type Listener = (space: SpaceId) => void;

interface FeedWatch {
  follow(spaces: readonly SpaceId[], onChange: Listener): () => void;
}

const watches = new WeakMap<Feed, FeedWatch>();

/**
 * Calls back when the feed of one of the spaces may have grown, a hint of the store's lost or not; gives the end of it. However many follow a space, the store is
 * watched once and the space is looked at once: ten thousand who wait for something to happen must not ask the database two thousand times a second.
 */
export function watchFeeds(store: Feed, spaces: readonly SpaceId[], onChange: Listener): () => void {
  const watch = watches.get(store) ?? createFeedWatch(store);
  watches.set(store, watch);
  return watch.follow(spaces, onChange);
}

function createFeedWatch(store: Feed): FeedWatch {
  const followed = new Map<SpaceId, { heard: Set<Listener>; head: Sequence | null }>();
  let stopWatching: (() => void) | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isLooking = false;

  function tell(space: SpaceId): void {
    for (const listener of [...(followed.get(space)?.heard ?? [])]) listener(space);
  }

  async function lookAtAll(): Promise<void> {
    timer = null;
    isLooking = true;
    for (const [space, known] of [...followed]) {
      // whoever follows meets the failure and says so
      const head = await store.head(space).catch(() => null);
      if (head !== null && head === known.head) continue;
      known.head = head;
      tell(space);
    }
    isLooking = false;
    plan();
  }

  /** One look at a time, and none where nobody follows. */
  function plan(): void {
    if (timer !== null || isLooking || followed.size === 0) return;
    timer = setTimeout(() => void lookAtAll(), LOOK_ANYWAY_MS).unref();
  }

  function begin(): void {
    stopWatching = store.watch(tell);
    plan();
  }

  function end(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    stopWatching?.();
    stopWatching = null;
  }

  return {
    follow(spaces, onChange) {
      for (const space of spaces) {
        const known = followed.get(space) ?? { heard: new Set(), head: null };
        followed.set(space, known);
        known.heard.add(onChange);
      }
      if (stopWatching === null) begin();
      return () => {
        for (const space of spaces) {
          const known = followed.get(space);
          if (known?.heard.delete(onChange) === true && known.heard.size === 0) followed.delete(space);
        }
        if (followed.size === 0) end();
      };
    },
  };
}
