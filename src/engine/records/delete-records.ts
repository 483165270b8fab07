import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { SpaceId } from '../../model/ids.ts';
import type { RecordKind, StoredRecord } from '../../model/record.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import { checkRevision } from './check-revision.ts';
import { commitInBatches } from './commit-in-batches.ts';
import { type Kind, needShared } from './kind.ts';
import { groupBySpace, locateAll } from './locate.ts';
import { actorOf } from './origin.ts';
import { type FilterInput, readFilter } from './read-filter.ts';
import { readPages } from './read-pages.ts';

const PAGE = 500;
const MAX_SHOWN = 100;
const NARROWING = [
  'types',
  'tags',
  'project',
  'agent',
  'session',
  'conversation',
  'after',
  'before',
  'key',
  'contentHash',
  'contains',
  'idleSince',
] as const;

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
    throw new EngineError('invalid_input', 'A revision goes with exactly one ref.', { details: { field: 'revision' } });
  const found = new Map<string, StoredRecord>();
  const missing: string[] = [];
  for (const ref of refs) {
    const records = await locateAll(parts, caller, { kind, ref, action: 'write', project, deleted: 'exclude' });
    if (records.length === 0) missing.push(ref);
    for (const record of records) found.set(record.id, record);
  }
  const records = [...found.values()];
  for (const record of records) checkRevision(record, revision);
  if (dryRun !== true)
    for (const [space, own] of groupBySpace(records))
      await deleteInSpace(parts, caller, { space, records: own, revision });
  return report(dryRun === true, records, { count: records.length, missing });
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
  for await (const { items, total } of readPages(parts.store, space, { filter, limit: PAGE })) {
    shown.push(...items.slice(0, MAX_SHOWN - shown.length));
    if (dryRun) return report(true, shown, { count: total, missing: [] });
    count += await deleteInSpace(parts, caller, { space, records: items });
  }
  return report(false, shown, { count, missing: [] });
}

async function deleteInSpace(
  { store, clock }: EngineParts,
  caller: Caller,
  { space, records, revision }: { space: SpaceId; records: readonly StoredRecord[]; revision?: number },
): Promise<number> {
  const changes = records.map(({ id }) => ({ op: 'delete', id, at: clock.now(), revision }) as const);
  return (await commitInBatches(store, { space, actor: actorOf(caller), changes })).length;
}

async function readDeleteFilter(
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
