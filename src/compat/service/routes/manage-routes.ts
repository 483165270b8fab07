import type { Memory } from '../../../features/memories/memory.ts';
import type { DeleteMemoriesInput } from '../../../features/memories/name-as-memories.ts';
import type { ListFilter } from '../../../model/filter.ts';
import { toIso } from '../../../model/instant.ts';
import { DEFAULT_TAG } from '../../../model/memory.ts';
import { integer, label, time } from '../../../verbs/field.ts';
import { FOUND_KINDS } from '../search-in-service.ts';
import { tally } from './count-days.ts';
import { type CallWith, defineRoute, problem, type ServiceCall, type ServiceRoute } from './service-route.ts';
import { surveyMemories } from './survey-memories.ts';

/** Refuses where another number is there than the caller has seen. */
function checkCount(count: number, confirmed: number | undefined): void {
  if (confirmed === undefined || confirmed === count) return;
  throw problem(400, `Confirmation count mismatch: ${count} memories are meant, not ${confirmed}.`);
}

const counted = integer(0, 1e9);
const IN_BULK = { tag: label(), before_date: time(), memory_type: label(), confirm_count: counted };
const RENAMED = { new_tag: label(undefined, { isRequired: true }), confirm_count: counted };
const UNTAGGED_COUNT = { confirm_count: { type: 'integer', min: 0, max: 1e9, isRequired: true } } as const;

async function bulkDelete({ engine, caller, body }: CallWith<{ body: typeof IN_BULK }>): Promise<object> {
  const { tag, before_date: before, memory_type: type, confirm_count: confirmed } = body;
  if (tag === undefined && before === undefined && type === undefined)
    throw problem(400, 'Name a tag, a before_date or a memory_type.');
  const filter = {
    ...(tag !== undefined && { tags: [tag] }),
    ...(type !== undefined && { types: [type] }),
    kinds: FOUND_KINDS,
  };
  return deleteAll({ engine, caller }, { filter, before }, { confirmed, operation: 'bulk_delete' });
}

async function deleteAll(
  { engine, caller }: Pick<ServiceCall, 'engine' | 'caller'>,
  which: Pick<DeleteMemoriesInput, 'filter' | 'before'>,
  { confirmed, operation }: { confirmed: number | undefined; operation: string },
): Promise<object> {
  checkCount((await engine.deleteMemories(caller, { ...which, dryRun: true })).count, confirmed);
  const { count } = await engine.deleteMemories(caller, which);
  return { success: true, message: `Deleted ${count} memories`, affected_count: count, operation };
}

const UNTAGGED: ListFilter = { tags: [DEFAULT_TAG] };

async function countUntagged({ engine, caller }: ServiceCall): Promise<object> {
  const { total } = await engine.listMemories(caller, { filter: UNTAGGED, page: { limit: 1 } });
  return { count: total };
}

async function tagStats(call: ServiceCall): Promise<object> {
  const memories = await surveyMemories(call);
  const tags = tally(memories.flatMap((memory) => memory.tags)).map(([tag, count]) => {
    const used = memories.filter((memory) => memory.tags.includes(tag));
    const last = Math.max(...used.map(({ createdAt }) => createdAt));
    return { tag, count, last_used: toIso(last), memory_types: [...new Set(used.map(({ type }) => type))].sort() };
  });
  return { tags, total_tags: tags.length };
}

async function renameTag({ engine, caller, params, query }: CallWith<{ query: typeof RENAMED }>): Promise<object> {
  const old = decodeURIComponent(params.tag ?? '').toLowerCase();
  const { new_tag: next, confirm_count: confirmed } = query;
  const found: Memory[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await engine.listMemories(caller, {
      filter: { tags: [old], includeSuperseded: true },
      page: { limit: 1000, ...(cursor !== undefined && { cursor }) },
    });
    found.push(...page.items);
    cursor = page.cursor;
  }
  if (found.length === 0) throw problem(404, `No memory has the tag ${old}.`);
  checkCount(found.length, confirmed);
  for (const { id, tags } of found)
    await engine.updateMemory(caller, { ref: id, tags: [...new Set(tags.map((tag) => (tag === old ? next : tag)))] });
  const message = `Renamed the tag of ${found.length} memories`;
  return { success: true, message, affected_count: found.length, operation: 'rename_tag' };
}

/** Upkeep merges the index, embeds what is pending and purges what is past its time: what the service's two operations are for. */
async function runUpkeep({ engine, params }: ServiceCall): Promise<object> {
  const operation = params.operation ?? '';
  if (operation !== 'optimize_db' && operation !== 'rebuild_index')
    throw problem(404, 'There are cleanup_duplicates, optimize_db and rebuild_index.');
  const report = await engine.runUpkeep();
  return { success: true, message: 'Index merged and background work done', affected_count: 0, operation, report };
}

export const MANAGE_ROUTES: readonly ServiceRoute[] = [
  defineRoute({
    at: 'POST /manage/bulk-delete',
    needs: 'write',
    body: IN_BULK,
    handle: bulkDelete,
  }),
  defineRoute({ at: 'GET /manage/untagged/count', needs: 'read', handle: countUntagged }),
  defineRoute({
    at: 'POST /manage/delete-untagged',
    needs: 'write',
    query: UNTAGGED_COUNT,
    handle: (call) =>
      deleteAll(call, { filter: UNTAGGED }, { confirmed: call.query.confirm_count, operation: 'delete_untagged' }),
  }),
  defineRoute({ at: 'GET /manage/tags/stats', needs: 'read', handle: tagStats }),
  defineRoute({
    at: 'PUT /manage/tags/{tag}',
    needs: 'write',
    query: RENAMED,
    handle: renameTag,
  }),
  defineRoute({ at: 'POST /manage/system/{operation}', needs: 'admin', handle: runUpkeep }),
];
