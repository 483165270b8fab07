import type { Caller } from '../../model/caller.ts';
import type { Instant, RecordId } from '../../model/ids.ts';
import type {
  Memory,
  StoredOutcome,
  StoreMemoryInput,
  StoreOutcome,
  UpdateMemoryInput,
  UpdateOutcome,
} from '../../model/memory.ts';
import type { Page } from '../../model/page.ts';
import type { RecordVersion } from '../../model/record.ts';
import type { Rejection } from '../../model/rejection.ts';
import { toMemory } from '../../model/to-memory.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { DeletedRecords, DeleteRecordsInput } from '../records/delete-records.ts';
import {
  type FoundRecords,
  type GetRecordsInput,
  getRecords,
  type ListRecordsInput,
  listRecords,
  readFilter,
} from '../records/list-records.ts';
import { type PurgeInput, type PurgeOutcome, purgeRecords, purgeWhatIsNamed } from '../records/purge-records.ts';
import type { RecordVerbs } from '../records/record-verbs.ts';
import type { Lifted, LiftInput, ListRejectionsInput, Rejected, RejectInput } from '../rejections/reject-records.ts';
import type { Tombstones } from '../rejections/take-tombstones.ts';
import { createDeletion } from './delete-memories.ts';
import { memoryKind } from './memory-kind.ts';
import { storeMemories, storeMemory } from './store-memories.ts';
import { updateMemory } from './update-memory.ts';

export type GetMemoriesInput = Omit<GetRecordsInput, 'kind'> & AsOf;
export type ListMemoriesInput = Omit<ListRecordsInput, 'kind'> & AsOf;

/** The memory as it was at this time. */
interface AsOf {
  asOf?: Instant;
}

export type DeleteMemoriesInput = Omit<DeleteRecordsInput, 'kind'>;
export interface FoundMemories extends Omit<FoundRecords, 'records'> {
  memories: Memory[];
}
export interface DeleteOutcome extends Omit<DeletedRecords, 'records'> {
  /** The first hundred; `count` says how many in all. */
  memories: Memory[];
}

export interface PurgedMemories extends Omit<PurgeOutcome, 'records'> {
  /** What would go, the first hundred; empty once it is gone. */
  memories: Memory[];
}

export interface MemoryVerbs {
  /** Fails with `rejected` where a person has rejected the text. */
  storeMemory(caller: Caller, input: StoreMemoryInput): Promise<StoredOutcome>;
  /** Many at once: one commit for a batch, an outcome for each, in order. */
  storeMemories(caller: Caller, inputs: readonly StoreMemoryInput[]): Promise<StoreOutcome[]>;
  /** By id, content hash or key; an id may name a record of another kind. `missing` names what was not found: absent, foreign and purged look the same. */
  getMemories(caller: Caller, input: GetMemoriesInput): Promise<FoundMemories>;
  listMemories(caller: Caller, input: ListMemoriesInput): Promise<Page<Memory>>;
  updateMemory(caller: Caller, input: UpdateMemoryInput): Promise<UpdateOutcome>;
  /** By id or hash passages of documents too, and by a filter those of the kind `section`; a document of which nothing is left goes with them. */
  deleteMemories(caller: Caller, input: DeleteMemoriesInput): Promise<DeleteOutcome>;
  restoreMemories(caller: Caller, refs: readonly string[]): Promise<{ restored: Memory[]; missing: string[] }>;
  /** They are wrong: they go, with whatever states the same, and that text is not stored again. */
  rejectMemories(caller: Caller, input: RejectInput): Promise<Omit<Rejected, 'records'> & { memories: Memory[] }>;
  /** What is kept out of the caller's spaces, newest first. */
  listRejections(caller: Caller, input: ListRejectionsInput): Promise<{ total: number; rejections: Rejection[] }>;
  /** For persons: the texts may be stored again. */
  liftRejections(caller: Caller, input: LiftInput): Promise<Lifted>;
  /** An earlier state of the space was put back: what was purged or rejected since stays so. Needs the admin scope. */
  takeTombstones(caller: Caller, given: Tombstones): Promise<{ purged: number; withdrawn: number }>;
  /** Earlier states of one memory, newest first; those it superseded follow through `supersededBy`. */
  listVersions(caller: Caller, ref: string): Promise<RecordVersion[]>;
  /** For good, words in the index included, and by their ids records of every kind. Needs the admin scope. */
  purgeMemories(caller: Caller, refs: readonly string[]): Promise<{ purged: RecordId[] }>;
  /** The same, or everything of a source or session, of every kind; with `dryRun` what would go. */
  purge(caller: Caller, input: Omit<PurgeInput, 'kind'>): Promise<PurgedMemories>;
}

/** Storing and updating have rules of their own; the rest is what all records can do. */
export function createMemoryVerbs(parts: EngineParts, records: RecordVerbs): MemoryVerbs {
  const kind = memoryKind.name;
  const anyKindById = true;
  const deletion = createDeletion(parts);
  return {
    storeMemory: (caller, input) => storeMemory(parts, caller, input),
    storeMemories: (caller, inputs) => storeMemories(parts, caller, inputs),
    async getMemories(caller, { asOf: at, ...input }) {
      if (at !== undefined) {
        const { getAsOf } = await import('../history/read-as-of.ts');
        const { records: then, missing } = await getAsOf(parts, caller, { ...input, at, kind, anyKindById });
        return { memories: then.map(toMemory), missing };
      }
      const { records: found, ...rest } = await getRecords(parts, caller, { ...input, kind, anyKindById });
      return { memories: found.map(toMemory), ...rest };
    },
    async listMemories(caller, { asOf: at, ...input }) {
      if (at !== undefined) {
        // Who mentions what is a question of that time, too.
        const { entity, ...given } = input.filter ?? {};
        const idle = input.staleDays === undefined ? {} : { idleSince: at };
        const filter = { ...(await readFilter(parts, caller, { ...input, filter: given, kind })), entity, ...idle };
        const past = await (await import('../history/read-as-of.ts')).listAsOf(parts, caller, {
          filter,
          page: input.page ?? {},
          at,
        });
        return { ...past, items: past.items.map(toMemory) };
      }
      const page = await listRecords(parts, caller, { ...input, kind });
      return { ...page, items: page.items.map(toMemory) };
    },
    updateMemory: (caller, input) => updateMemory(parts, caller, input),
    async deleteMemories(caller, input) {
      const { outcome, records: deleted, ...rest } = await deletion.delete(caller, input);
      return { outcome, memories: deleted.map(toMemory), ...rest };
    },
    async restoreMemories(caller, refs) {
      const { restored, missing } = await deletion.restore(caller, refs);
      return { restored: restored.map(toMemory), missing };
    },
    async rejectMemories(caller, input) {
      const { rejectRecords } = await import('../rejections/reject-records.ts');
      const { records: gone, ...rest } = await rejectRecords(parts, caller, input);
      return { ...rest, memories: gone.map(toMemory) };
    },
    listRejections: async (caller, input) =>
      (await import('../rejections/reject-records.ts')).listRejections(parts, caller, input),
    liftRejections: async (caller, input) =>
      (await import('../rejections/reject-records.ts')).liftRejections(parts, caller, input),
    takeTombstones: async (caller, given) =>
      (await import('../rejections/take-tombstones.ts')).takeTombstones(parts, caller, given),
    listVersions: (caller, ref) => records.listRecordVersions(caller, { kind, ref }),
    purgeMemories: (caller, refs) => purgeRecords(parts, caller, { kind, refs, anyKindById }),
    async purge(caller, input) {
      const { records: found, ...rest } = await purgeWhatIsNamed(parts, caller, { ...input, kind, anyKindById });
      return { ...rest, memories: found.map(toMemory) };
    },
  };
}
