import type { NoteDamage } from './damage.ts';
import type { HeldOptions, HeldRecord } from './held-record.ts';
import type { RecordId, ReplicaId, SpaceId } from './ids.ts';
import type { JsonObject } from './json.ts';

/** What exchanging records with other replicas asks of a store. */
export interface Replication {
  /** Returns all that is kept under these ids, in this order: records, what is left of those that are gone, graves, relations that begin there, versions. */
  readHeld(space: SpaceId, ids: readonly RecordId[], options?: HeldOptions): Promise<HeldRecord[]>;
  /** Says which writes the parts of these records come from, of those that were changed since they were made. */
  readStamps(space: SpaceId, ids: readonly RecordId[], note?: NoteDamage): Promise<Map<RecordId, string>>;
  /** Lists the records of which there are some. Tells of those that are damaged, also where nobody can say any more whose they are. */
  checkStamps(space: SpaceId, note: NoteDamage): Promise<RecordId[]>;
  /** Lists every id of which anything is known, in ascending order. */
  listHeldIds(space: SpaceId, page: { after: RecordId | null; limit: number }): Promise<RecordId[]>;
  /** Says with whom this space is exchanged, and how far that has come; see the change `link`. */
  listLinks(space: SpaceId): Promise<{ name: string; state: JsonObject }[]>;
  /** Says who writes in this space, and which numbering its feed's positions belong to. `sealed`: 0 where it is not, and another number after each upload. */
  readReplica(space: SpaceId): Promise<{ replica: ReplicaId; epoch: string; sealed: number }>;
}
