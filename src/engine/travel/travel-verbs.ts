import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { RecordId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { Digest } from './digest-space.ts';
import type { GreetInput, Greeting } from './greet-replica.ts';
import type { Fork } from './list-forks.ts';
import type { ListTravellingInput, TravelPage } from './list-travelling.ts';
import type { SealedVerbs } from './sealed-space.ts';
import type { TakenReport, TakeTravellingInput } from './take-travelling.ts';

/** Exchange of records between replicas; see docs/sync.md. */
export interface TravelVerbs extends SealedVerbs {
  /** Begins an exchange: both sides learn whether one of them was put back from a backup. */
  greetReplica(caller: Caller, input: GreetInput): Promise<Greeting>;
  /** A page of what this space holds, or of what has changed since. */
  listTravelling(caller: Caller, input: ListTravellingInput): Promise<TravelPage>;
  /** Merges a page of another replica into the caller's space. */
  takeTravelling(caller: Caller, input: TakeTravellingInput): Promise<TakenReport>;
  digestSpace(
    caller: Caller,
    projects?: readonly string[],
  ): Promise<Digest & { epoch: string; head: number; time: number }>;
  /** What the digest is of, record by record. */
  describeRecords(caller: Caller, projects?: readonly string[]): AsyncIterable<{ id: RecordId; text: string }>;
  /** All that is known under these ids, as it travels. */
  tellRecords(caller: Caller, ids: readonly RecordId[]): Promise<string[]>;
  listForks(caller: Caller): Promise<Fork[]>;
  listLinks(caller: Caller): Promise<{ name: string; state: JsonObject }[]>;
  keepLink(caller: Caller, link: { name: string; state: JsonObject | null }): Promise<void>;
  /** This database may not be the one it was: it goes on as another replica. */
  renewReplica(caller: Caller): Promise<{ replica: string; epoch: string }>;
}

export function createTravelVerbs(parts: EngineParts): TravelVerbs {
  const { store, clock } = parts;
  /** Digests are of one state of the feed, and many ask for the same. */
  const known = new Map<string, { key: string; digest: Promise<Digest> }>();
  let verbs: Promise<SealedVerbs> | null = null;
  const sealed = () => {
    verbs ??= import('./sealed-space.ts').then(({ createSealedVerbs }) => createSealedVerbs(parts));
    return verbs;
  };
  return {
    readKeyrings: async (caller, after) => (await sealed()).readKeyrings(caller, after),
    keepKeyring: async (caller, keyring) => (await sealed()).keepKeyring(caller, keyring),
    listUploads: async (caller, input) => (await sealed()).listUploads(caller, input),
    takeUploads: async (caller, input) => (await sealed()).takeUploads(caller, input),
    dropUploads: async (caller, names) => (await sealed()).dropUploads(caller, names),
    digestSealed: async (caller) => (await sealed()).digestSealed(caller),
    listSlots: async (caller, after) => (await sealed()).listSlots(caller, after),
    greetReplica: async (caller, input) => (await import('./greet-replica.ts')).greetReplica(parts, caller, input),
    listTravelling: async (caller, input) =>
      (await import('./list-travelling.ts')).listTravelling(parts, caller, input),
    takeTravelling: async (caller, input) =>
      (await import('./take-travelling.ts')).takeTravelling(parts, caller, input),
    async digestSpace(caller, projects) {
      const { space } = caller;
      authorize(caller, 'read', space);
      const { digestSpace } = await import('./digest-space.ts');
      const [head, { epoch }] = [await store.head(space), await store.readReplica(space)];
      const which = JSON.stringify([space, projects]);
      const key = `${epoch} ${head}`;
      if (known.get(which)?.key !== key) known.set(which, { key, digest: digestSpace(parts, space, projects) });
      if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!);
      return { ...(await known.get(which)!.digest), epoch, head, time: clock.now() };
    },
    async *describeRecords(caller, projects) {
      authorize(caller, 'read', caller.space);
      yield* (await import('./digest-space.ts')).describeSpace(parts, caller.space, projects, { skipsHidden: true });
    },
    tellRecords: async (caller, ids) => (await import('./list-travelling.ts')).tellRecords(parts, caller, ids),
    listForks: async (caller) => (await import('./list-forks.ts')).listForks(parts, caller),
    async listLinks(caller) {
      authorize(caller, 'read', caller.space);
      return store.listLinks(caller.space);
    },
    async keepLink(caller, link) {
      authorize(caller, 'write', caller.space);
      const state = link.state === null ? null : { ...link.state, seq: await store.head(caller.space) };
      const committed = await store.commit(caller.space, [{ op: 'link', name: link.name, state }], 'sync');
      if (committed.outcome === 'conflict') throw new EngineError('internal', 'A link could not be kept.');
    },
    async renewReplica(caller) {
      authorize(caller, 'write', caller.space);
      return (await import('./greet-replica.ts')).renewReplica(parts, caller.space);
    },
  };
}

const MAX_KNOWN = 100;
