import type { EngineParts } from '../../engine/engine-parts.ts';
import type { DeletedRecords, DeleteRecordsInput } from '../../engine/records/deletion.ts';
import {
  type FoundRecords,
  type GetRecordsInput,
  getRecords,
  type ListRecordsInput,
  listRecords,
  readFilter,
} from '../../engine/records/list-records.ts';
import {
  type PurgeInput,
  type PurgeOutcome,
  purgeRecords,
  purgeWhatIsNamed,
} from '../../engine/records/purge-records.ts';
import { listRecordVersions } from '../../engine/records/record-verbs.ts';
import type { Rejected, RejectInput } from '../../engine/rejections/reject-records.ts';
import type { Caller } from '../../model/caller.ts';
import type { Instant, RecordId } from '../../model/ids.ts';
import { lateFunctions } from '../../model/late.ts';
import type { Page } from '../../model/page.ts';
import type { RecordVersion } from '../../model/record.ts';
import { deleteNamedOrFiltered, restoreNamed } from './delete-memories.ts';
import type { Memory } from './memory.ts';
import { memoryKind } from './memory-kind.ts';
import { toMemory } from './to-memory.ts';

const { getAsOf, listAsOf } = lateFunctions(() => import('../../engine/past/read-as-of.ts'), 'getAsOf', 'listAsOf');
const { rejectRecords } = lateFunctions(() => import('../../engine/rejections/reject-records.ts'), 'rejectRecords');

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

const kind = memoryKind.name;
const anyKindById = true;

/** By id, content hash or key; an id may name a record of another kind. `missing` names what was not found: absent, foreign and purged look the same. */
export async function getMemories(
  parts: EngineParts,
  caller: Caller,
  { asOf: at, ...input }: GetMemoriesInput,
): Promise<FoundMemories> {
  if (at !== undefined) {
    const { records: then, missing } = await getAsOf(parts, caller, { ...input, at, kind, anyKindById });
    return { memories: then.map(toMemory), missing };
  }
  const { records: found, ...rest } = await getRecords(parts, caller, { ...input, kind, anyKindById });
  return { memories: found.map(toMemory), ...rest };
}

export async function listMemories(
  parts: EngineParts,
  caller: Caller,
  { asOf: at, ...input }: ListMemoriesInput,
): Promise<Page<Memory>> {
  if (at !== undefined) {
    // Who mentions what is a question of that time, too.
    const { entity, ...given } = input.filter ?? {};
    const idle = input.staleDays === undefined ? {} : { idleSince: at };
    const filter = { ...(await readFilter(parts, caller, { ...input, filter: given, kind })), entity, ...idle };
    const past = await listAsOf(parts, caller, {
      filter,
      page: input.page ?? {},
      at,
    });
    return { ...past, items: past.items.map(toMemory) };
  }
  const page = await listRecords(parts, caller, { ...input, kind });
  return { ...page, items: page.items.map(toMemory) };
}

/** By id or hash passages of documents too, and by a filter those of the kind `section`; a document of which nothing is left goes with them. */
export async function deleteMemories(
  parts: EngineParts,
  caller: Caller,
  input: DeleteMemoriesInput,
): Promise<DeleteOutcome> {
  const { outcome, records: deleted, ...rest } = await deleteNamedOrFiltered(parts, caller, input);
  return { outcome, memories: deleted.map(toMemory), ...rest };
}

export async function restoreMemories(
  parts: EngineParts,
  caller: Caller,
  refs: readonly string[],
): Promise<{ restored: Memory[]; missing: string[] }> {
  const { restored, missing } = await restoreNamed(parts, caller, refs);
  return { restored: restored.map(toMemory), missing };
}

/** They are wrong: they go, with whatever states the same, and that text is not stored again. */
export async function rejectMemories(
  parts: EngineParts,
  caller: Caller,
  input: RejectInput,
): Promise<Omit<Rejected, 'records'> & { memories: Memory[] }> {
  const { records: gone, ...rest } = await rejectRecords(parts, caller, input);
  return { ...rest, memories: gone.map(toMemory) };
}

/** Earlier states of one memory, newest first; those it superseded follow through `supersededBy`. */
export function listVersions(parts: EngineParts, caller: Caller, ref: string): Promise<RecordVersion[]> {
  return listRecordVersions(parts, caller, { kind, ref });
}

/** For good, words in the index included, and by their ids records of every kind. Needs the admin scope. */
export function purgeMemories(
  parts: EngineParts,
  caller: Caller,
  refs: readonly string[],
): Promise<{ purged: RecordId[] }> {
  return purgeRecords(parts, caller, { kind, refs, anyKindById });
}

/** The same, or everything of a source or session, of every kind; with `dryRun` what would go. */
export async function purge(
  parts: EngineParts,
  caller: Caller,
  input: Omit<PurgeInput, 'kind'>,
): Promise<PurgedMemories> {
  const { records: found, ...rest } = await purgeWhatIsNamed(parts, caller, { ...input, kind, anyKindById });
  return { ...rest, memories: found.map(toMemory) };
}
