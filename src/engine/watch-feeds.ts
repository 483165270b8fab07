import type { Sequence, SpaceId } from '../model/ids.ts';
import { inTurns } from './in-turns.ts';
import type { Feed } from './ports.ts';

/** A hint that got lost is made up for by a look so often. */
const LOOK_ANYWAY_MS = 5000;

type Listener = (space: SpaceId) => void;

export interface Following<Page> {
  /** What `read` gives. Whoever asks for the same place before the feed is known to have grown again gets the same page. */
  share(space: SpaceId, after: Sequence, read: () => Promise<Page>): Promise<Page>;
  end(): void;
}

interface FeedWatch {
  follow(spaces: readonly SpaceId[], onChange: Listener): Following<unknown>;
}

interface Followed {
  heard: Set<Listener>;
  /** Those of them that have not been told yet. */
  untold: Set<Listener>;
  isTelling: boolean;
  head: Sequence | null;
  /** By the place after which they begin; kept while followers are told. */
  pages: Map<Sequence, Promise<unknown>>;
}

const watches = new WeakMap<Feed, FeedWatch>();

/**
 * Calls back when the feed of one of the spaces may have grown, a hint of the store's lost or not. However many follow a space, the store is watched once, the space is
 * looked at once and what has come is read once: ten thousand who wait for something to happen must not ask the database ten thousand times. They are told in turns,
 * so that whoever writes is answered meanwhile, and those who have not had their turn hear once of several changes.
 */
export function watchFeeds<Page>(store: Feed, spaces: readonly SpaceId[], onChange: Listener): Following<Page> {
  const watch = watches.get(store) ?? createFeedWatch(store);
  watches.set(store, watch);
  return watch.follow(spaces, onChange) as Following<Page>;
}

function createFeedWatch(store: Feed): FeedWatch {
  const followed = new Map<SpaceId, Followed>();
  let stopWatching: (() => void) | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isLooking = false;

  function tell(space: SpaceId): void {
    const known = followed.get(space);
    if (known === undefined) return;
    known.pages.clear(); // they were read before this
    for (const listener of known.heard) known.untold.add(listener);
    if (!known.isTelling) void tellInTurns(space, known);
  }

  async function tellInTurns(space: SpaceId, known: Followed): Promise<void> {
    known.isTelling = true;
    await inTurns(known.untold, (listener) => {
      known.untold.delete(listener);
      listener(space);
    });
    known.isTelling = false;
    known.pages.clear();
  }

  async function share(space: SpaceId, after: Sequence, read: () => Promise<unknown>): Promise<unknown> {
    const known = followed.get(space);
    if (known?.isTelling !== true) return read();
    const page = known.pages.get(after) ?? read();
    known.pages.set(after, page);
    return page;
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
        const known = followed.get(space) ?? newFollowed();
        followed.set(space, known);
        known.heard.add(onChange);
      }
      if (stopWatching === null) begin();
      const leave = (): void => {
        for (const space of spaces) {
          const known = followed.get(space);
          known?.untold.delete(onChange);
          if (known?.heard.delete(onChange) === true && known.heard.size === 0) followed.delete(space);
        }
        if (followed.size === 0) end();
      };
      return { share, end: leave };
    },
  };
}

function newFollowed(): Followed {
  return { heard: new Set(), untold: new Set(), isTelling: false, head: null, pages: new Map() };
}
