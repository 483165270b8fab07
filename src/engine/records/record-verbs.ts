import type { Caller } from '../../model/caller.ts';
import type { RecordId } from '../../model/ids.ts';
import type { Page } from '../../model/page.ts';
import type { RecordKind, RecordVersion, StoredRecord } from '../../model/record.ts';
import type { EngineParts } from '../engine-parts.ts';
import { deleteRecords, type RestoreRecordsInput, restoreRecords } from './delete-records.ts';
import type { DeletedRecords, DeleteRecordsInput } from './deletion.ts';
import { locate } from './find-records.ts';
import {
  type FoundRecords,
  type GetRecordsInput,
  getRecords,
  type ListRecordsInput,
  listRecords,
} from './list-records.ts';
import { type PurgeRecordsInput, purgeRecords } from './purge-records.ts';
import {
  type StoreRecordInput,
  type StoreRecordOutcome,
  storeRecord,
  type UpdateRecordInput,
  type UpdateRecordOutcome,
  updateRecord,
} from './store-record.ts';

/** What can be done with records of every kind. A kind with rules of its own (`ownVerbs`) is written by its own verbs and read by these. */
export interface RecordVerbs {
  storeRecord(caller: Caller, input: StoreRecordInput): Promise<StoreRecordOutcome>;
  getRecords(caller: Caller, input: GetRecordsInput): Promise<FoundRecords>;
  listRecords(caller: Caller, input: ListRecordsInput): Promise<Page<StoredRecord>>;
  updateRecord(caller: Caller, input: UpdateRecordInput): Promise<UpdateRecordOutcome>;
  deleteRecords(caller: Caller, input: DeleteRecordsInput): Promise<DeletedRecords>;
  restoreRecords(caller: Caller, input: RestoreRecordsInput): Promise<{ restored: StoredRecord[]; missing: string[] }>;
  /** For good, words in the index included. Needs the admin scope. */
  purgeRecords(caller: Caller, input: PurgeRecordsInput): Promise<{ purged: RecordId[] }>;
  /** Earlier states of one record, newest first. */
  listRecordVersions(caller: Caller, input: { kind?: RecordKind; ref: string }): Promise<RecordVersion[]>;
}

export function createRecordVerbs(parts: EngineParts): RecordVerbs {
  return {
    storeRecord: (caller, input) => storeRecord(parts, caller, input),
    getRecords: (caller, input) => getRecords(parts, caller, input),
    listRecords: (caller, input) => listRecords(parts, caller, input),
    updateRecord: (caller, input) => updateRecord(parts, caller, input),
    deleteRecords: (caller, input) => deleteRecords(parts, caller, input),
    restoreRecords: (caller, input) => restoreRecords(parts, caller, input),
    purgeRecords: (caller, input) => purgeRecords(parts, caller, input),
    listRecordVersions: (caller, input) => listRecordVersions(parts, caller, input),
  };
}

export async function listRecordVersions(
  parts: EngineParts,
  caller: Caller,
  input: { kind?: RecordKind; ref: string },
): Promise<RecordVersion[]> {
  const { space, id } = await locate(parts, caller, { ...input, action: 'read', deleted: 'include' });
  return parts.store.listVersions(space, id);
}
