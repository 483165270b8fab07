import type { Caller } from '../../model/caller.ts';
import type { Change, CommitConflict } from '../../model/change.ts';
import { EngineError } from '../../model/errors.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { SpaceId } from '../../model/ids.ts';
import { lateFunctions } from '../../model/late.ts';
import type { RecordKind, StoredRecord } from '../../model/record.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { TimeKeeper } from '../maintenance/believed-time.ts';
import { rejectionOf } from '../rejections/claims.ts';
import type { AllRejections } from '../rejections/space-rejections.ts';
import { checkRevision, commitInBatches } from './change-record.ts';
import type { DeletedRecords, DeleteRecordsInput, FilterInput } from './deletion.ts';
import { groupBySpace, locateAll, readPages } from './find-records.ts';
import { type Kind, needShared } from './kind.ts';
import { readFilter } from './list-records.ts';
import { actorOf } from './origin.ts';

const { leaveRejections } = lateFunctions(() => import('../rejections/leave-rejections.ts'), 'leaveRejections');
const { withdrawRejected } = lateFunctions(() => import('../rejections/withdraw-rejected.ts'), 'withdrawRejected');

const PAGE = 100;
const MAX_SHOWN = 100;
const NARROWING = [
  ...(['types', 'tags', 'project', 'workspace', 'agent', 'session', 'conversation', 'after', 'before'] as const),
  ...(['key', 'contentHash', 'contains', 'idleSince', 'entity'] as const),
];

/** Deleted records can be restored for a while. A filter acts in the caller's own space, on superseded records too. */
export async function deleteRecords(
  parts: EngineParts,
  caller: Caller,
  input: DeleteRecordsInput,
): Promise<DeletedRecords> {
  authorize(caller, 'write', caller.space);
  const kind = needShared(parts.kinds, input.kind, 'delete');
  const { refs = [] } = input;
  if (refs.length > 0) return deleteByRefs(parts, caller, { ...input, refs });
  const filter = await readDeleteFilter(parts, caller, { ...input, kind });
  return deleteByFilter(parts, caller, filter, input);
}

async function deleteByRefs(
  parts: EngineParts,
  caller: Caller,
  { kind, refs, project, dryRun, ...said }: DeleteRecordsInput & { refs: readonly string[] },
): Promise<DeletedRecords> {
  const { revision } = said;
  if (revision !== undefined && refs.length !== 1)
    throw new EngineError('invalid_input', 'A revision can only be given with exactly one ref.', {
      details: { field: 'revision' },
    });
  const named = new Map<string, StoredRecord[]>();
  for (const ref of refs)
    named.set(ref, await locateAll(parts, caller, { kind, ref, action: 'write', project, deleted: 'exclude' }));
  const found = [...new Map([...named.values()].flat().map((record) => [record.id, record])).values()];
  for (const record of found) checkRevision(record, revision);
  const records = dryRun === true ? found : await deleteAll(parts, caller, found, said);
  const there = new Set(records.map(({ id }) => id));
  const missing = [...named].filter(([, some]) => !some.some(({ id }) => there.has(id))).map(([ref]) => ref);
  return report(dryRun === true, records, { count: records.length, missing });
}

/** Of several who delete a record at the same moment one has deleted it; to the others it was not there any more. */
async function deleteAll(
  parts: EngineParts,
  caller: Caller,
  records: readonly StoredRecord[],
  said: Said,
): Promise<StoredRecord[]> {
  const deleted: StoredRecord[] = [];
  for (const [space, own] of groupBySpace(records))
    deleted.push(...(await deleteInSpace(parts, caller, { space, records: own, ...said })));
  return deleted;
}

async function deleteByFilter(
  parts: EngineParts,
  caller: Caller,
  filter: ListFilter,
  { dryRun = false, forever, why }: Said & Pick<DeleteRecordsInput, 'dryRun'>,
): Promise<DeletedRecords> {
  const { space } = caller;
  const shown: StoredRecord[] = [];
  let count = 0;
  if (dryRun) {
    const { items, total } = await parts.store.listRecords(space, filter, { limit: MAX_SHOWN });
    return report(true, items, { count: total, missing: [] });
  }
  for await (const { items } of readPages(parts.store, space, { filter, limit: PAGE })) {
    const deleted = await deleteInSpace(parts, caller, { space, records: items, forever, why });
    shown.push(...deleted.slice(0, MAX_SHOWN - shown.length));
    count += deleted.length;
  }
  return report(false, shown, { count, missing: [] });
}

type Said = Pick<DeleteRecordsInput, 'revision' | 'forever' | 'why'>;

async function deleteInSpace(
  parts: EngineParts,
  caller: Caller,
  { space, records, revision, forever, why }: Said & { space: SpaceId; records: readonly StoredRecord[] },
): Promise<StoredRecord[]> {
  const at = await parts.time.timeOfDeletion();
  const changes = records.map(({ id }) => ({ op: 'delete', id, at, revision }) as const);
  const how = forever === true ? 'deleted' : 'not_needed';
  const made = await commitInBatches(parts.store, { space, actor: actorOf(caller), changes });
  const gone = new Set(made.map(({ id }) => id));
  const deleted = records.filter(({ id }) => gone.has(id));
  const rejecting = deleted.flatMap((record) => rejectionOf(parts, record, { how, why }));
  if (rejecting.length > 0) await leaveRejections(parts, caller, { space, rejecting });
  if (how === 'deleted' && rejecting.length > 0) await withdrawRejected(parts, { space, actor: actorOf(caller) });
  return deleted;
}

export async function readDeleteFilter(
  parts: EngineParts,
  caller: Caller,
  input: FilterInput & { kind: Kind; project?: string },
): Promise<ListFilter> {
  const { name, plural } = input.kind;
  if (input.filter?.kinds?.some((kind) => kind !== name))
    throw new EngineError('invalid_input', `Only ${plural} are deleted here.`, {
      hint: 'Other kinds of records have verbs of their own.',
      details: { field: 'kind' },
    });
  const project = input.project ?? input.filter?.project;
  const given: ListFilter = { includeSuperseded: true, ...input.filter, kinds: [name], project, deleted: 'exclude' };
  const filter = await readFilter(parts, caller, { ...input, filter: given, kind: name });
  if (NARROWING.some((field) => isNarrow(filter[field]))) return filter;
  throw new EngineError('invalid_input', `Nothing says which ${plural} to delete.`, {
    hint: 'Give ids or hashes, tags, a type, a project or a time.',
  });
}

function isNarrow(value: ListFilter[(typeof NARROWING)[number]]): boolean {
  return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function report(
  dryRun: boolean,
  records: readonly StoredRecord[],
  rest: { count: number; missing: string[] },
): DeletedRecords {
  return { outcome: dryRun ? 'would_delete' : 'deleted', records: records.slice(0, MAX_SHOWN), ...rest };
}

export interface RestoreRecordsInput {
  kind: RecordKind;
  refs: readonly string[];
}

/** Brings deleted records back as they were, all or none. One that is not deleted is given back as it is. */
export async function restoreRecords(
  parts: EngineParts,
  caller: Caller,
  { kind, refs }: RestoreRecordsInput,
): Promise<{ restored: StoredRecord[]; missing: string[] }> {
  authorize(caller, 'write', caller.space);
  needShared(parts.kinds, kind, 'restore');
  const found = new Map<string, StoredRecord>();
  const missing: string[] = [];
  for (const ref of refs) {
    const wanted = { kind, ref, action: 'write' } as const;
    const [deleted] = await locateAll(parts, caller, { ...wanted, deleted: 'only' });
    const record = deleted ?? (await locateAll(parts, caller, { ...wanted, deleted: 'exclude' }))[0];
    if (record === undefined) missing.push(ref);
    else found.set(record.id, record);
  }
  const restored: StoredRecord[] = [];
  for (const [space, records] of groupBySpace([...found.values()])) {
    const deleted = records.filter((record) => record.deletedAt !== null);
    const changes = deleted.map(({ id }): Change => ({ op: 'restore', id, at: parts.clock.now() }));
    changes.push(...(await liftNotNeeded(parts, space, deleted)));
    const committed = changes.length === 0 ? null : await parts.store.commit(space, changes, actorOf(caller));
    if (committed?.outcome === 'conflict')
      throw refuse(committed.conflict, deleted[committed.conflict.index] ?? deleted[0]!);
    const ids = records.map((record) => record.id);
    restored.push(...(await parts.store.getRecords(space, ids)));
  }
  return { restored, missing };
}

/** Whoever restores what was not needed needs it: its source may say it again. */
export async function liftNotNeeded(
  { rejections, time }: { rejections: AllRejections; time: TimeKeeper },
  space: SpaceId,
  records: readonly StoredRecord[],
): Promise<Change[]> {
  const ids = new Set(records.map(({ id }) => id));
  const all = ids.size === 0 ? [] : [...(await rejections.fresh(space)).byClaim.values()];
  const lifted = all.filter(({ how, record }) => how === 'not_needed' && record !== null && ids.has(record));
  const at = lifted.length === 0 ? 0 : await time.timeOfDeletion();
  return lifted.map(({ id }) => ({ op: 'delete', id, at }));
}

function refuse(conflict: CommitConflict, { id, kind }: StoredRecord): EngineError {
  const why: Partial<Record<CommitConflict['reason'], string>> = {
    key_taken: `Another ${kind} now has its key.`,
    duplicate: `The same text is stored in another ${kind} by now.`,
  };
  const { reason } = conflict;
  return new EngineError('conflict', `The ${kind} was not restored. ${why[reason] ?? 'It changed in the meantime.'}`, {
    hint: `Use the other ${kind}, or delete it first.`,
    details: { id, other: 'id' in conflict ? conflict.id : '', reason },
  });
}
