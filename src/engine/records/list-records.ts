import type { Caller } from '../../model/caller.ts';
import { collectDamage } from '../../model/damage.ts';
import { EngineError } from '../../model/errors.ts';
import type { Label, ListFilter } from '../../model/filter.ts';
import type { SpaceId } from '../../model/ids.ts';
import { withSubtypes } from '../../model/memory-types.ts';
import { readOpaque, writeOpaque } from '../../model/opaque.ts';
import type { Page } from '../../model/page.ts';
import type { RecordKind, StoredRecord } from '../../model/record.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { EngineSettings } from '../engine-settings.ts';
import type { Clock, Condition, PageRequest, Records } from '../ports.ts';
import { refuseSealed } from '../refuse-sealed.ts';
import { readInstant } from '../time/read-time.ts';
import { checkText, invalid, readCheckedTags } from './check-text.ts';
import type { FilterInput } from './deletion.ts';
import { groupBySpace, locateAll, spacesOf } from './find-records.ts';
import type { KindTable } from './kind.ts';
import { type Listing, listPage } from './list-page.ts';
import { resolveFilter } from './resolve-filter.ts';
import { tellOriginals } from './tell-originals.ts';

const DAY = 86_400_000;
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1000;

export interface ListRecordsInput extends FilterInput {
  /** Absent: of any kind that the filter lets through. */
  kind?: RecordKind;
  page?: Partial<PageRequest>;
  /** Not created, changed or read for this many days. */
  staleDays?: number;
}

/** Newest first, over all of the caller's spaces. */
export async function listRecords(
  parts: EngineParts,
  caller: Caller,
  { page = {}, staleDays, ...input }: ListRecordsInput,
): Promise<Page<StoredRecord>> {
  const spaces = spacesOf(caller);
  for (const space of spaces) authorize(caller, 'read', space);
  const filter = widenTypes(parts, await readFilter(parts, caller, input));
  if (staleDays !== undefined) {
    if (!(staleDays > 0)) throw invalid('staleDays', 'must be more than 0');
    filter.idleSince = parts.clock.now() - staleDays * DAY;
  }
  const { note, ids } = collectDamage();
  const listed = await listAcrossSpaces(parts, spaces, { filter, page: readPage(page), note });
  if (listed.items.length === 0) await refuseSealed(parts, caller.space);
  return { ...listed, ...(ids().length > 0 && { damaged: ids() }), ...noticesOfLoss(parts) };
}

function readPage({ limit = DEFAULT_LIMIT, cursor, offset }: Partial<PageRequest>): PageRequest {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT)
    throw invalid('limit', `must be a whole number from 1 to ${MAX_LIMIT}`);
  if (offset !== undefined && !(Number.isInteger(offset) && offset >= 0))
    throw invalid('offset', 'must be a whole number, 0 or more');
  if (cursor !== undefined && cursor !== null) return { limit, cursor };
  return offset === undefined ? { limit } : { limit, offset };
}

/** Where each space's listing goes on; a space that is at its end is left out. */
type Positions = Map<SpaceId, string | null>;

/** One page over several spaces, newest first, as if they were one. */
async function listAcrossSpaces(
  parts: EngineParts,
  spaces: readonly SpaceId[],
  { filter, page, note }: Listing,
): Promise<Page<StoredRecord>> {
  const [only] = spaces;
  if (spaces.length === 1 && only !== undefined) return listPage(parts, only, { filter, page, note });
  const list = (space: SpaceId, wanted: PageRequest) => listPage(parts, space, { filter, page: wanted, note });
  const positions = readPositions(spaces, page.cursor ?? null);
  const reach = page.limit + (page.offset ?? 0);
  const pages = await Promise.all(
    spaces.map(async (space) => {
      const cursor = positions.get(space);
      if (cursor === undefined) {
        const { total, atLeast } = await list(space, { limit: 1 });
        return { space, items: [], total, cursor: null, ...(atLeast && { atLeast }) };
      }
      return { space, ...(await list(space, { limit: reach, cursor })) };
    }),
  );
  const taken = pages
    .flatMap(({ items }) => items)
    .sort(newestFirst)
    .slice(0, reach);
  const next: Positions = new Map();
  for (const { space, items, cursor } of pages) {
    const limit = taken.filter((record) => record.space === space).length;
    const from = positions.get(space) ?? null;
    if (limit < items.length) {
      const { cursor: after } = await list(space, { limit, cursor: from, total: false });
      next.set(space, limit === 0 ? from : after);
    } else if (cursor !== null) next.set(space, cursor);
  }
  const total = pages.reduce((sum, one) => sum + one.total, 0);
  const cursor = next.size === 0 ? null : writeOpaque([...next]);
  const isLeast = pages.some(({ atLeast }) => atLeast === true);
  return { items: taken.slice(page.offset ?? 0), total, cursor, ...(isLeast && { atLeast: true }) };
}

function newestFirst(a: StoredRecord, b: StoredRecord): number {
  return b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);
}

/** A cursor names spaces, but only the caller's own are ever looked at. */
function readPositions(spaces: readonly SpaceId[], cursor: string | null): Positions {
  if (cursor === null) return new Map(spaces.map((space) => [space, null]));
  const read = readOpaque(cursor);
  if (!Array.isArray(read) || !read.every(isPosition)) {
    throw new EngineError('invalid_cursor', 'This cursor is not valid for this list.', {
      hint: 'List again from the start.',
    });
  }
  return new Map(read.filter(([space]) => spaces.includes(space)));
}

function isPosition(value: unknown): value is [SpaceId, string | null] {
  if (!Array.isArray(value) || value.length !== 2) return false;
  return typeof value[0] === 'string' && (value[1] === null || typeof value[1] === 'string');
}

/** Over all of the caller's spaces, the most frequent first. */
export async function countLabels(
  { store, kinds }: { store: Records; kinds: KindTable },
  caller: Caller,
  label: Label,
): Promise<{ value: string; count: number }[]> {
  const counts = new Map<string, number>();
  for (const space of spacesOf(caller)) {
    authorize(caller, 'read', space);
    for (const { value, count } of await store.countLabels(
      space,
      label,
      label === 'kind' ? [] : [...kinds.unusual, ...kinds.parts],
    ))
      counts.set(value, (counts.get(value) ?? 0) + count);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

/** A filter as the store wants it: known kinds, clean tags, times as instants, validity judged now. `kind` holds where the filter names none. */
export async function readFilter(
  parts: EngineParts,
  caller: Caller,
  { filter: given, after, before, kind }: FilterInput & { kind?: RecordKind },
): Promise<ListFilter> {
  const filter: ListFilter = { ...given, kinds: given?.kinds ?? (kind === undefined ? undefined : [kind]) };
  parts.kinds.check(filter.kinds);
  if (filter.tags !== undefined) {
    filter.tags = readCheckedTags(filter.tags);
    if (filter.tags.length === 0 && given?.tags?.length !== 0) throw invalid('tags', 'holds no tag');
  }
  if (filter.contains !== undefined) checkText('contains', filter.contains);
  if (filter.contentHash !== undefined) filter.contentHash = filter.contentHash.toLowerCase();
  if (after !== undefined) filter.after = Math.max(filter.after ?? -Infinity, await readTime(parts, caller, after));
  if (before !== undefined) filter.before = Math.min(filter.before ?? Infinity, await readTime(parts, caller, before));
  if (filter.includeSuperseded !== true) filter.validAt ??= parts.clock.now();
  return resolveFilter(parts, caller, filter);
}

/** For those who look. Who deletes gets no more than was named. */
function widenTypes({ settings }: { settings: EngineSettings }, filter: ListFilter): ListFilter {
  return filter.types === undefined ? filter : { ...filter, types: withSubtypes(settings.memoryTypes, filter.types) };
}

/** A day means its beginning on both sides: `before` a day does not hold that day, and a deletion never takes more than was said. */
async function readTime(
  { clock, settings }: { clock: Clock; settings: EngineSettings },
  caller: Caller,
  text: string,
): Promise<number> {
  return readInstant(text, { now: clock.now(), timeZone: caller.timeZone ?? settings.timeZone, edge: 'start' });
}

export interface GetRecordsInput {
  /** Absent: of any kind. */
  kind?: RecordKind;
  /** Ids, content hashes or keys. */
  refs: readonly string[];
  /** Where a ref is a key: the project it belongs to. */
  project?: string;
  includeDeleted?: boolean;
}

export interface FoundRecords {
  records: StoredRecord[];
  /** Absent, foreign and purged look the same. */
  missing: string[];
  /** Refs of records that are there, and damaged; one that is asked for alone is an error. */
  damaged?: string[];
  /** What else the answer may lack, for people. */
  notices?: string[];
}

export async function getRecords(
  parts: EngineParts,
  caller: Caller,
  { refs, includeDeleted, ...named }: GetRecordsInput & { anyKindById?: boolean },
): Promise<FoundRecords> {
  const records: StoredRecord[] = [];
  const missing: string[] = [];
  const damaged: string[] = [];
  const deleted = includeDeleted === true ? 'include' : 'exclude';
  for (const ref of refs) {
    const { note, noted } = collectDamage();
    const among = refs.length === 1 ? {} : { note };
    const [record] = await locateAll(parts, caller, { ...named, ...among, ref, action: 'read', deleted });
    if (noted.length > 0) damaged.push(ref);
    else if (record === undefined) missing.push(ref);
    else if (!records.some(({ id }) => id === record.id)) records.push(record);
  }
  countReads(parts, records);
  const notices = [...(noticesOfLoss(parts).notices ?? []), ...(await tellOriginals(parts, records))];
  return { records, missing, ...(damaged.length > 0 && { damaged }), ...(notices.length > 0 && { notices }) };
}

function noticesOfLoss({ store }: { store: Condition }): { notices?: string[] } {
  const lost = store.lostWrites?.() ?? null;
  return lost === null ? {} : { notices: [lost.message] };
}

/** Statistics are kept apart from the record and never hold up or fail a read. */
function countReads({ store, clock, log, tally }: EngineParts, records: readonly StoredRecord[]): void {
  for (const [space, read] of groupBySpace(records)) {
    const ids = read.map((record) => record.id);
    const counted = store
      .recordReads(space, ids, clock.now())
      .catch((error: unknown) =>
        log.warn('reads_not_counted', { message: error instanceof Error ? error.message : String(error) }),
      )
      .finally(() => tally.unfinished.delete(counted));
    tally.unfinished.add(counted);
  }
}
