import type { Caller } from '../../model/caller.ts';
import type { Change } from '../../model/change.ts';
import { EngineError } from '../../model/errors.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { SpaceId } from '../../model/ids.ts';
import type { Page } from '../../model/page.ts';
import type { RecordKind, StoredRecord } from '../../model/record.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import { checkRevision } from './check-revision.ts';
import { type Kind, needShared } from './kind.ts';
import { groupBySpace, locateAll } from './locate.ts';
import { actorOf } from './origin.ts';
import { type FilterInput, readFilter } from './read-filter.ts';

/** Small enough that other writers get their turn in between. */
const BATCH = 500;
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
  const shown: StoredRecord[] = [];
  let count = 0;
  let cursor: string | null = null;
  do {
    const page: Page<StoredRecord> = await parts.store.listRecords(caller.space, filter, { limit: BATCH, cursor });
    shown.push(...page.items.slice(0, MAX_SHOWN - shown.length));
    if (dryRun) return report(true, shown, { count: page.total, missing: [] });
    count += await deleteInSpace(parts, caller, { space: caller.space, records: page.items });
    cursor = page.cursor;
  } while (cursor !== null);
  return report(false, shown, { count, missing: [] });
}

async function deleteInSpace(
  parts: EngineParts,
  caller: Caller,
  { space, records, revision }: { space: SpaceId; records: readonly StoredRecord[]; revision?: number },
): Promise<number> {
  let rest = [...records];
  let count = 0;
  while (rest.length > 0) {
    const batch = rest.slice(0, BATCH);
    const at = parts.clock.now();
    const changes = batch.map(({ id }): Change => ({ op: 'delete', id, at, revision }));
    const committed = await parts.store.commit(space, changes, actorOf(caller));
    if (committed.outcome === 'committed') {
      count += batch.length;
      rest = rest.slice(batch.length);
    } else if (committed.conflict.reason === 'missing') {
      const { index } = committed.conflict; // somebody else deleted it first: the others remain to be done
      rest = rest.filter((_record, i) => i !== index);
    } else {
      const { reason, index } = committed.conflict;
      if (reason === 'revision') checkRevision({ ...batch[index]!, revision: committed.conflict.actual }, revision);
      throw new EngineError('conflict', 'The records could not be deleted.', {
        details: { reason },
      });
    }
  }
  return count;
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
