import type { ListFilter } from '../../model/filter.ts';
import type { Instant, SpaceId } from '../../model/ids.ts';
import { TRUST_TIERS } from '../../model/record.ts';
import type { SqlValue } from './statements.ts';

/** A WHERE clause over `records` and its values, in order; the space is $1. What the content must contain is not in it. */
export interface Conditions {
  sql: string;
  values: SqlValue[];
}

/** Writes a condition with the places of its values. */
type Add = (write: (...places: string[]) => string, ...values: SqlValue[]) => void;

export function buildConditions(space: SpaceId, filter: ListFilter, now: Instant): Conditions {
  const values: SqlValue[] = [space];
  const parts: string[] = ['space_id = $1'];
  const add: Add = (write, ...more) => {
    const first = values.length + 1;
    values.push(...more);
    parts.push(write(...more.map((_, i) => `$${first + i}`)));
  };
  addLifeConditions(filter, now, add);
  addTagConditions(filter, add);
  addListCondition('kind', filter.kinds, add);
  addListCondition('type', filter.types, add);
  for (const column of ['project', 'agent', 'session', 'conversation', 'key'] as const) {
    const wanted = filter[column];
    if (wanted !== undefined) add((value) => `${column} = ${value}`, wanted);
  }
  if (filter.contentHash !== undefined) add((hash) => `content_hash = ${hash}`, filter.contentHash);
  if (filter.after !== undefined) add((after) => `created_at >= ${after}`, filter.after);
  if (filter.before !== undefined) add((before) => `created_at < ${before}`, filter.before);
  if (filter.minTrust !== undefined)
    addListCondition('trust', TRUST_TIERS.slice(TRUST_TIERS.indexOf(filter.minTrust)), add);
  return { sql: parts.join(' AND '), values };
}

function addLifeConditions(filter: ListFilter, now: Instant, add: Add): void {
  const deleted = filter.deleted ?? 'exclude';
  if (deleted === 'exclude') add(() => 'deleted_at IS NULL');
  if (deleted === 'only') add(() => 'deleted_at IS NOT NULL');
  if (filter.includeSuperseded !== true) {
    const isValid = (at: string | undefined) =>
      `(valid_from IS NULL OR valid_from <= ${at}) AND (valid_until IS NULL OR valid_until > ${at})`;
    add((at) => `superseded_by IS NULL AND ${isValid(at)}`, filter.validAt ?? now);
  }
  if (filter.idleSince !== undefined) {
    add(
      (since) => `created_at < ${since} AND updated_at < ${since} AND NOT EXISTS (
         SELECT 1 FROM read_statistics AS s WHERE s.space_id = $1 AND s.record_id = records.id AND s.last_read_at >= ${since})`,
      filter.idleSince,
    );
  }
}

function addTagConditions(filter: ListFilter, add: Add): void {
  const tags = [...new Set(filter.tags ?? [])];
  if (tags.length === 0) return;
  const withTag = (list: string | undefined) =>
    `SELECT record_id FROM record_tags WHERE space_id = $1 AND tag = ANY (${list}::text[])`;
  if (filter.tagMatch === 'all')
    add((list, count) => `id IN (${withTag(list)} GROUP BY record_id HAVING count(*) = ${count})`, tags, tags.length);
  else add((list) => `id IN (${withTag(list)})`, tags);
}

function addListCondition(column: 'kind' | 'type' | 'trust', wanted: readonly string[] | undefined, add: Add): void {
  if (wanted !== undefined && wanted.length > 0) add((list) => `${column} = ANY (${list}::text[])`, wanted);
}
