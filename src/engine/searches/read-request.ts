import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { RecordFilter } from '../../model/filter.ts';
import type { Instant } from '../../model/ids.ts';
import { withSubtypes } from '../../model/memory-types.ts';
import { SEARCH_MODES, type SearchMode, type SearchQuery } from '../../model/search.ts';
import { readTags } from '../../model/tags.ts';
import type { Clock } from '../ports.ts';
import type { KindTable } from '../records/kind.ts';
import { readTime, readTimePhrase } from '../time/read-time.ts';
import { fingerprintOf, readCursor } from './cursor.ts';
import type { SearchSettings } from './search-parts.ts';

/** A query whose every part has been checked and read. */
export interface SearchRequest {
  /** '' when filters alone decide. */
  query: string;
  mode: SearchMode;
  filter: RecordFilter;
  timeRange: { after: Instant | null; before: Instant | null } | null;
  limit: number;
  offset: number;
  /** 0: unlimited. */
  maxChars: number;
  qualityBoost: number;
  fallback: boolean;
  relevantOnly: boolean;
  weakInFull: boolean;
  debug: boolean;
  now: Instant;
  fingerprint: string;
}

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;

export async function readRequest(
  { clock, kinds }: { clock: Clock; kinds: KindTable },
  settings: SearchSettings,
  { caller, query }: { caller: Caller; query: SearchQuery },
): Promise<SearchRequest> {
  kinds.check(query.filter?.kinds);
  const now = clock.now();
  const { limit = DEFAULT_LIMIT, mode = 'hybrid', qualityBoost = 0, maxChars = settings.maxResponseChars } = query;
  demand(
    Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT,
    'limit',
    `limit must be a whole number from 1 to ${MAX_LIMIT}.`,
  );
  demand(SEARCH_MODES.includes(mode), 'mode', `mode must be one of ${SEARCH_MODES.join(', ')}.`);
  demand(qualityBoost >= 0 && qualityBoost <= 1, 'qualityBoost', 'qualityBoost must be between 0 and 1.');
  demand(Number.isInteger(maxChars) && maxChars >= 0, 'maxChars', 'maxChars must be a whole number, 0 for no limit.');
  for (const [name, weight] of Object.entries(query.ranking ?? {}))
    demand(
      weight === undefined || (weight >= 0 && weight <= 1_000_000),
      'ranking',
      `ranking.${name} must be 0 or more.`,
    );
  const text = query.query?.trim() ?? '';
  const timeRange = await readTimes(query, { now, timeZone: caller.timeZone ?? settings.timeZone });
  const filter = narrow({ ...query.filter, validAt: query.filter?.validAt ?? now }, timeRange);
  if (filter.tags !== undefined) filter.tags = readTags(filter.tags);
  if (filter.types !== undefined) filter.types = withSubtypes(settings.memoryTypes, filter.types);
  if (text === '' && !narrowsAnything(filter)) {
    throw new EngineError('invalid_input', 'A search needs a query or a filter.', {
      hint: 'Say what to look for, or give tags, a time, a project …',
    });
  }
  const { cursor, debug, relevantOnly, weakInFull, maxChars: _budget, limit: _size, ...identity } = query;
  // What mentions an entity may change between two pages; the entity does not.
  const asked =
    filter.entity === undefined ? identity : { ...identity, filter: { ...identity.filter, ids: undefined } };
  const fingerprint = fingerprintOf([asked, caller.spaces]);
  const offset = cursor === undefined ? 0 : readCursor(cursor, fingerprint);
  const choices = { limit, offset, maxChars, qualityBoost };
  if (filter.kinds !== undefined) filter.kinds = kinds.withParts(filter.kinds);
  else if (kinds.unusual.length > 0) filter.kinds = kinds.usual;
  return {
    query: text,
    mode,
    filter,
    timeRange,
    ...choices,
    fallback: query.fallback ?? false,
    // The cursor leads to what the first page left out, even where that was all of it.
    relevantOnly: relevantOnly === true && cursor === undefined,
    weakInFull: weakInFull ?? false,
    debug: debug ?? false,
    now,
    fingerprint,
  };
}

function demand(holds: boolean, field: string, message: string): void {
  if (!holds) throw new EngineError('invalid_input', message, { details: { field } });
}

type TimeRange = NonNullable<SearchRequest['timeRange']>;

async function readTimes(
  { when, after, before }: SearchQuery,
  zone: { now: Instant; timeZone: string },
): Promise<TimeRange | null> {
  if (when === undefined && after === undefined && before === undefined) return null;
  const range: TimeRange = { after: null, before: null };
  if (when !== undefined) Object.assign(range, await readTimePhrase(when, zone));
  range.after = later(range.after, await readTime(after, { ...zone, edge: 'start' }));
  range.before = earlier(range.before, await readTime(before, { ...zone, edge: 'start' }));
  return range;
}

function narrow(filter: RecordFilter, range: TimeRange | null): RecordFilter {
  const after = later(range?.after, filter.after);
  const before = earlier(range?.before, filter.before);
  return { ...filter, ...(after === null ? {} : { after }), ...(before === null ? {} : { before }) };
}

function later(a: Instant | null | undefined, b: Instant | null | undefined): Instant | null {
  return a == null ? (b ?? null) : b == null ? a : Math.max(a, b);
}

function earlier(a: Instant | null | undefined, b: Instant | null | undefined): Instant | null {
  return a == null ? (b ?? null) : b == null ? a : Math.min(a, b);
}

function narrowsAnything({
  includeSuperseded: _all,
  validAt: _at,
  tagMatch: _match,
  ...conditions
}: RecordFilter): boolean {
  return Object.values(conditions).some((condition) =>
    Array.isArray(condition) ? condition.length > 0 : condition !== undefined,
  );
}
