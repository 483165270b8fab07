import type { SQLInputValue } from 'node:sqlite';
import type { ListFilter } from '../../model/filter.ts';
import type { Instant, SpaceId } from '../../model/ids.ts';
import { TRUST_TIERS } from '../../model/record.ts';
import { foldCase } from '../fold-case.ts';

/** A WHERE clause over `records` and its values, in order. Lists go in as one JSON value, so that statements stay few. */
export interface Conditions {
  sql: string;
  values: SQLInputValue[];
}

export function buildConditions(space: SpaceId, filter: ListFilter, now: Instant): Conditions {
  const parts: string[] = ['space_id = ?'];
  const values: SQLInputValue[] = [space];
  const add = (sql: string, ...more: SQLInputValue[]) => {
    parts.push(sql);
    values.push(...more);
  };
  addLifeConditions(filter, now, add);
  addTagConditions(space, filter, add);
  addListCondition('kind', filter.kinds, add);
  addListCondition('type', filter.types, add);
  for (const column of ['project', 'agent', 'session', 'conversation', 'key'] as const) {
    const wanted = filter[column];
    if (wanted !== undefined) add(`${column} = ?`, wanted);
  }
  if (filter.contentHash !== undefined) add('content_hash = ?', filter.contentHash);
  if (filter.after !== undefined) add('created_at >= ?', filter.after);
  if (filter.before !== undefined) add('created_at < ?', filter.before);
  if (filter.minTrust !== undefined)
    addListCondition('trust', TRUST_TIERS.slice(TRUST_TIERS.indexOf(filter.minTrust)), add);
  if (filter.contains !== undefined && filter.contains !== '')
    add('ltm_contains(content, ?)', foldCase(filter.contains));
  return { sql: parts.join(' AND '), values };
}

type Add = (sql: string, ...values: SQLInputValue[]) => void;

function addLifeConditions(filter: ListFilter, now: Instant, add: Add): void {
  const deleted = filter.deleted ?? 'exclude';
  if (deleted === 'exclude') add('deleted_at IS NULL');
  if (deleted === 'only') add('deleted_at IS NOT NULL');
  if (filter.includeSuperseded !== true) {
    const at = filter.validAt ?? now;
    add(
      'superseded_by IS NULL AND (valid_from IS NULL OR valid_from <= ?) AND (valid_until IS NULL OR valid_until > ?)',
      at,
      at,
    );
  }
  if (filter.idleSince !== undefined) {
    add(
      `created_at < ? AND updated_at < ? AND NOT EXISTS (
         SELECT 1 FROM read_statistics AS s WHERE s.space_id = records.space_id AND s.record_id = records.id AND s.last_read_at >= ?)`,
      filter.idleSince,
      filter.idleSince,
      filter.idleSince,
    );
  }
}

function addTagConditions(space: SpaceId, filter: ListFilter, add: Add): void {
  const tags = [...new Set(filter.tags ?? [])];
  if (tags.length === 0) return;
  const withTag = 'SELECT record_id FROM record_tags WHERE space_id = ? AND tag IN (SELECT value FROM json_each(?))';
  if (filter.tagMatch === 'all')
    add(`id IN (${withTag} GROUP BY record_id HAVING count(*) = ?)`, space, JSON.stringify(tags), tags.length);
  else add(`id IN (${withTag})`, space, JSON.stringify(tags));
}

function addListCondition(column: 'kind' | 'type' | 'trust', wanted: readonly string[] | undefined, add: Add): void {
  if (wanted !== undefined && wanted.length > 0)
    add(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(wanted));
}
