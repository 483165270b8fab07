import type { Caller } from '../../model/caller.ts';
import type { Change, CommitConflict } from '../../model/change.ts';
import { EngineError } from '../../model/errors.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { SpaceId } from '../../model/ids.ts';
import type { RecordKind, StoredRecord } from '../../model/record.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import { checkRevision, commitInBatches } from './change-record.ts';
import { groupBySpace, locateAll, readPages } from './find-records.ts';
import { type Kind, needShared } from './kind.ts';
import { type FilterInput, readFilter } from './list-records.ts';
import { actorOf } from './origin.ts';

const PAGE = 100;
const MAX_SHOWN = 100;
const NARROWING = [
  ...(['types', 'tags', 'project', 'workspace', 'agent', 'session', 'conversation', 'after', 'before'] as const),
  ...(['key', 'contentHash', 'contains', 'idleSince', 'entity'] as const),
];

export interface DeleteRecordsInput extends FilterInput {
  kind: RecordKind;
  /** Ids, content hashes or keys. They win over a filter, which may not be empty. */
  refs?: readonly string[];
  project?: string;
  dryRun?: boolean;
  /** Only at this revision; with one ref. */
  revision?: number;
}

export interface DeletedRecords {
  outcome: 'deleted' | 'would_delete';
  /** The first hundred; `count` says how many in all. */
  records: StoredRecord[];
  count: number;
  missing: string[];
}

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
  return deleteByFilter(parts, caller, filter, input.dryRun === true);
}

async function deleteByRefs(
  parts: EngineParts,
  caller: Caller,
  { kind, refs, project, revision, dryRun }: DeleteRecordsInput & { refs: readonly string[] },
): Promise<DeletedRecords> {
  if (revision !== undefined && refs.length !== 1)
    throw new EngineError('invalid_input', 'A revision can only be given with exactly one ref.', {
      details: { field: 'revision' },
    });
  const named = new Map<string, StoredRecord[]>();
  for (const ref of refs)
    named.set(ref, await locateAll(parts, caller, { kind, ref, action: 'write', project, deleted: 'exclude' }));
  const found = [...new Map([...named.values()].flat().map((record) => [record.id, record])).values()];
  for (const record of found) checkRevision(record, revision);
  const records = dryRun === true ? found : await deleteAll(parts, caller, { records: found, revision });
  const there = new Set(records.map(({ id }) => id));
  const missing = [...named].filter(([, some]) => !some.some(({ id }) => there.has(id))).map(([ref]) => ref);
  return report(dryRun === true, records, { count: records.length, missing });
}

/** Of several who delete a record at the same moment one has deleted it; to the others it was not there any more. */
async function deleteAll(
  parts: EngineParts,
  caller: Caller,
  { records, revision }: { records: readonly StoredRecord[]; revision: number | undefined },
): Promise<StoredRecord[]> {
  const deleted: StoredRecord[] = [];
  for (const [space, own] of groupBySpace(records))
    deleted.push(...(await deleteInSpace(parts, caller, { space, records: own, revision })));
  return deleted;
}

async function deleteByFilter(
  parts: EngineParts,
  caller: Caller,
  filter: ListFilter,
  dryRun: boolean,
): Promise<DeletedRecords> {
  const { space } = caller;
  const shown: StoredRecord[] = [];
  let count = 0;
  if (dryRun) {
    const { items, total } = await parts.store.listRecords(space, filter, { limit: MAX_SHOWN });
    return report(true, items, { count: total, missing: [] });
  }
  for await (const { items } of readPages(parts.store, space, { filter, limit: PAGE })) {
    const deleted = await deleteInSpace(parts, caller, { space, records: items });
    shown.push(...deleted.slice(0, MAX_SHOWN - shown.length));
    count += deleted.length;
  }
  return report(false, shown, { count, missing: [] });
}

async function deleteInSpace(
  { store, time }: EngineParts,
  caller: Caller,
  { space, records, revision }: { space: SpaceId; records: readonly StoredRecord[]; revision?: number },
): Promise<StoredRecord[]> {
  const at = await time.timeOfDeletion();
  const changes = records.map(({ id }) => ({ op: 'delete', id, at, revision }) as const);
  const made = new Set((await commitInBatches(store, { space, actor: actorOf(caller), changes })).map(({ id }) => id));
  return records.filter(({ id }) => made.has(id));
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
    const committed = changes.length === 0 ? null : await parts.store.commit(space, changes, actorOf(caller));
    if (committed?.outcome === 'conflict') throw refuse(committed.conflict, deleted[committed.conflict.index]!);
    const ids = records.map((record) => record.id);
    restored.push(...(await parts.store.getRecords(space, ids)));
  }
  return { restored, missing };
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
