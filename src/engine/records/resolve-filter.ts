import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { RecordFilter } from '../../model/filter.ts';
import type { RecordId } from '../../model/ids.ts';
import type { SearchQuery } from '../../model/search.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';

/** Finds the records that a feature's own word in a filter stands for. */
export type FilterResolver = (core: EngineParts, caller: Caller, word: string) => Promise<ReadonlySet<RecordId>>;

/** Fields of a filter that features resolve, each loaded when it is first used. */
export interface Filters {
  readonly entity?: () => Promise<FilterResolver>;
}

/** The filter with what features know put as ids. */
export async function resolveFilter<Filter extends RecordFilter>(
  core: EngineParts,
  caller: Caller,
  filter: Filter,
): Promise<Filter> {
  const { entity, ids } = filter;
  if (entity === undefined) return filter;
  const load = core.filters.entity;
  if (load === undefined)
    throw new EngineError('invalid_input', 'This program knows no entities.', { details: { field: 'entity' } });
  const found = await (await load())(core, caller, entity);
  return { ...filter, ids: ids === undefined ? [...found] : ids.filter((id) => found.has(id)) };
}

export async function resolveQuery(core: EngineParts, caller: Caller, query: SearchQuery): Promise<SearchQuery> {
  if (query.filter?.entity === undefined) return query;
  for (const space of caller.spaces) authorize(caller, 'read', space);
  return { ...query, filter: await resolveFilter(core, caller, query.filter) };
}
