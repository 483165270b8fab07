import type { Caller } from '../../model/caller.ts';
import type { Change } from '../../model/change.ts';
import { EngineError } from '../../model/errors.ts';
import type { ListFilter } from '../../model/filter.ts';
import type { SpaceId } from '../../model/ids.ts';
import type { Page } from '../../model/page.ts';
import type { StoredRecord } from '../../model/record.ts';
import { toMemory } from '../../model/to-memory.ts';
import { authorize } from '../authorize.ts';
import type { DeleteMemoriesInput, DeleteOutcome } from '../engine.ts';
import type { EngineParts } from '../engine-parts.ts';
import { groupBySpace, locateAll } from './locate.ts';
import { readFilter } from './read-filter.ts';
import { actorOf } from './stamp.ts';

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

/** Deleted memories can be restored for a while. Refs win over a filter; a filter acts in the caller's own space, on superseded memories too. */
export async function deleteMemories(
  parts: EngineParts,
  caller: Caller,
  input: DeleteMemoriesInput,
): Promise<DeleteOutcome> {
  authorize(caller, 'write', caller.space);
  if (input.refs !== undefined && input.refs.length > 0)
    return deleteByRefs(parts, caller, { ...input, refs: input.refs });
  return deleteByFilter(parts, caller, await readDeleteFilter(parts, caller, input), input.dryRun === true);
}

async function deleteByRefs(
  parts: EngineParts,
  caller: Caller,
  input: DeleteMemoriesInput & { refs: readonly string[] },
): Promise<DeleteOutcome> {
  const { refs, project, revision, dryRun } = input;
  if (revision !== undefined && refs.length !== 1)
    throw new EngineError('invalid_input', 'A revision goes with exactly one ref.', { details: { field: 'revision' } });
  const found = new Map<string, StoredRecord>();
  const missing: string[] = [];
  for (const ref of refs) {
    const records = await locateAll(parts, caller, { ref, action: 'write', project, deleted: 'exclude' });
    if (records.length === 0) missing.push(ref);
    for (const record of records) found.set(record.id, record);
  }
  const records = [...found.values()];
  if (revision !== undefined) checkRevision(records, revision);
  if (dryRun !== true)
    for (const [space, part] of groupBySpace(records))
      await deleteRecords(parts, caller, { space, records: part, revision });
  return report(dryRun === true, records, { count: records.length, missing });
}

async function deleteByFilter(
  parts: EngineParts,
  caller: Caller,
  filter: ListFilter,
  dryRun: boolean,
): Promise<DeleteOutcome> {
  const shown: StoredRecord[] = [];
  let count = 0;
  let cursor: string | null = null;
  do {
    const page: Page<StoredRecord> = await parts.store.listRecords(caller.space, filter, { limit: BATCH, cursor });
    shown.push(...page.items.slice(0, MAX_SHOWN - shown.length));
    if (dryRun) return report(true, shown, { count: page.total, missing: [] });
    count += await deleteRecords(parts, caller, { space: caller.space, records: page.items });
    cursor = page.cursor;
  } while (cursor !== null);
  return report(false, shown, { count, missing: [] });
}

async function deleteRecords(
  parts: EngineParts,
  caller: Caller,
  work: { space: SpaceId; records: readonly StoredRecord[]; revision?: number | undefined },
): Promise<number> {
  let rest = [...work.records];
  let count = 0;
  while (rest.length > 0) {
    const batch = rest.slice(0, BATCH);
    const changes = batch.map(
      ({ id }): Change => ({
        op: 'delete',
        id,
        at: parts.clock.now(),
        ...(work.revision === undefined ? {} : { revision: work.revision }),
      }),
    );
    const committed = await parts.store.commit(work.space, changes, actorOf(caller));
    if (committed.outcome === 'committed') {
      count += batch.length;
      rest = rest.slice(batch.length);
    } else if (committed.conflict.reason === 'missing') {
      const { index } = committed.conflict; // somebody else deleted it first: the others remain to be done
      rest = rest.filter((_record, i) => i !== index);
    } else if (committed.conflict.reason === 'revision') throw movedOn(committed.conflict.actual);
    else
      throw new EngineError('conflict', 'The memories could not be deleted.', {
        details: { reason: committed.conflict.reason },
      });
  }
  return count;
}

async function readDeleteFilter(parts: EngineParts, caller: Caller, input: DeleteMemoriesInput): Promise<ListFilter> {
  const given: ListFilter = { includeSuperseded: true, ...input.filter, deleted: 'exclude' };
  if (input.project !== undefined) given.project = input.project;
  const filter = await readFilter(parts, caller, { filter: given, after: input.after, before: input.before });
  if (filter.kinds?.some((kind) => kind !== 'memory'))
    throw new EngineError('invalid_input', 'Only memories are deleted here.', {
      hint: '`ltm rm` deletes packets.',
      details: { field: 'kind' },
    });
  if (NARROWING.some((field) => isNarrow(filter[field]))) return filter;
  throw new EngineError('invalid_input', 'Nothing says which memories to delete.', {
    hint: 'Give ids or hashes, tags, a type, a project or a time.',
  });
}

function isNarrow(value: ListFilter[(typeof NARROWING)[number]]): boolean {
  return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function checkRevision(records: readonly StoredRecord[], revision: number): void {
  for (const record of records) if (record.revision !== revision) throw movedOn(record.revision);
}

function movedOn(actual: number): EngineError {
  return new EngineError('conflict', `The memory is at revision ${actual} by now.`, {
    hint: 'Read it again and decide anew.',
    details: { actual },
  });
}

function report(
  dryRun: boolean,
  records: readonly StoredRecord[],
  rest: { count: number; missing: string[] },
): DeleteOutcome {
  return { outcome: dryRun ? 'would_delete' : 'deleted', memories: records.slice(0, MAX_SHOWN).map(toMemory), ...rest };
}
