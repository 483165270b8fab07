import type { Caller } from '../../model/caller.ts';
import type { RecordFilter } from '../../model/filter.ts';
import type { SearchQuery } from '../../model/search.ts';
import { authorize } from '../authorize.ts';
import { spacesOf } from '../records/find-records.ts';
import { findMentions } from './find-mentions.ts';
import type { AllEntities } from './space-entities.ts';

/** A filter that names an entity, as one that names the records that mention it. */
export async function resolveEntity<Filter extends RecordFilter>(
  { entities }: { entities: AllEntities },
  caller: Caller,
  filter: Filter,
): Promise<Filter> {
  const { entity, ids } = filter;
  if (entity === undefined) return filter;
  const mentioning = (await findMentions(entities, spacesOf(caller), entity)).ids;
  const both = ids === undefined ? [...mentioning] : ids.filter((id) => mentioning.has(id));
  return { ...filter, ids: both };
}

export async function resolveQuery(
  parts: { entities: AllEntities },
  caller: Caller,
  query: SearchQuery,
): Promise<SearchQuery> {
  if (query.filter?.entity === undefined) return query;
  for (const space of caller.spaces) authorize(caller, 'read', space);
  return { ...query, filter: await resolveEntity(parts, caller, query.filter) };
}
