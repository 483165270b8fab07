import type { AuthStore } from '../auth/ports.ts';
import type { Movable, Store } from '../engine/ports.ts';
import { EngineError } from '../model/errors.ts';
import type { Sequence, SpaceId } from '../model/ids.ts';

type FullStore = Store & AuthStore & Movable;

/** Spaces whose positions are remembered; the oldest is forgotten first, and then asked for anew. */
const MAX_SPACES = 100_000;
/** After it has failed, the replica is left alone so long. */
const PAUSE_MS = 5_000;

/**
 * Reads from a replica what may be read there. The feed's head always comes from the primary, so a search is as fresh as without a replica; and
 * no read of a space is answered from behind what this process has written to it or has seen as its head: where the replica is not that far yet, or
 * away, the primary answers. Writes, people, leases, the watch and checks are the primary's.
 */
export function withReadReplica(primary: FullStore, replica: FullStore): FullStore {
  const promised = createPositions();
  const reached = createPositions();
  let pausedUntil = 0;

  async function isFarEnough(space: SpaceId): Promise<boolean> {
    const wanted = promised.get(space);
    if (reached.get(space) >= wanted && wanted > 0) return true;
    const head = await replica.head(space);
    reached.raise(space, head);
    return head >= wanted;
  }

  async function read<T>(space: SpaceId, ask: (store: FullStore) => Promise<T>): Promise<T> {
    if (performance.now() < pausedUntil) return ask(primary);
    try {
      if (await isFarEnough(space)) return await ask(replica);
    } catch (error) {
      if (!isAway(error)) throw error;
      pausedUntil = performance.now() + PAUSE_MS;
    }
    return ask(primary);
  }

  return {
    ...primary,
    ...replicaReads(read),
    async commit(space, changes, actor) {
      const committed = await primary.commit(space, changes, actor);
      if (committed.outcome === 'committed') promised.raise(space, committed.head);
      return committed;
    },
    async head(space) {
      const head = await primary.head(space);
      promised.raise(space, head);
      return head;
    },
    async close() {
      await Promise.all([primary.close(), replica.close()]);
    },
  };
}

type Read = <T>(space: SpaceId, ask: (store: FullStore) => Promise<T>) => Promise<T>;

function replicaReads(read: Read) {
  return {
    getRecords: (space, ...asked) => read(space, (store) => store.getRecords(space, ...asked)),
    listRecords: (space, ...asked) => read(space, (store) => store.listRecords(space, ...asked)),
    listVersions: (space, ...asked) => read(space, (store) => store.listVersions(space, ...asked)),
    listReplaced: (space, ...asked) => read(space, (store) => store.listReplaced(space, ...asked)),
    listRelations: (space, ...asked) => read(space, (store) => store.listRelations(space, ...asked)),
    relationsBetween: (space, ...asked) => read(space, (store) => store.relationsBetween(space, ...asked)),
    scanRelations: (space, ...asked) => read(space, (store) => store.scanRelations(space, ...asked)),
    countLabels: (space, ...asked) => read(space, (store) => store.countLabels(space, ...asked)),
    changesAfter: (space, ...asked) => read(space, (store) => store.changesAfter(space, ...asked)),
    readIndexEntries: (space, ...asked) => read(space, (store) => store.readIndexEntries(space, ...asked)),
    listIds: (space, ...asked) => read(space, (store) => store.listIds(space, ...asked)),
    listGraves: (space, ...asked) => read(space, (store) => store.listGraves(space, ...asked)),
    readPassages: (space, ...asked) => read(space, (store) => store.readPassages(space, ...asked)),
  } satisfies Partial<Store>;
}

function isAway(error: unknown): boolean {
  return (
    error instanceof EngineError &&
    (error.code === 'busy' || error.code === 'storage_read_only' || error.code === 'storage_unsupported')
  );
}

function createPositions(): { get(space: SpaceId): Sequence; raise(space: SpaceId, to: Sequence): void } {
  const positions = new Map<SpaceId, Sequence>();
  return {
    get: (space) => positions.get(space) ?? 0,
    raise(space, to) {
      const higher = Math.max(to, positions.get(space) ?? 0);
      positions.delete(space);
      positions.set(space, higher);
      if (positions.size > MAX_SPACES) positions.delete(positions.keys().next().value!);
    },
  };
}
