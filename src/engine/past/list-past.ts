import type { NoteDamage } from '../../model/damage.ts';
import type { ListFilter } from '../../model/filter.ts';
import { foldCase } from '../../model/fold-case.ts';
import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import { comparePlaces, readPlace, writePlace } from '../../model/list-place.ts';
import { isLessTrusted, type StoredRecord } from '../../model/record.ts';
import type { ListedPage, PageRequest, Records } from '../ports.ts';

interface Past {
  at: Instant;
  /** Records that are not what they were, and what they were. */
  changed: ReadonlySet<RecordId>;
  states: ReadonlyMap<RecordId, StoredRecord>;
}

interface Asked {
  filter: ListFilter;
  page: PageRequest;
  note: NoteDamage | undefined;
}

const PAGE = 250;

/** A listing of the past: what has not changed since is for the database to find, the rest is judged by what it was. */
export async function listPast(
  store: Records,
  space: SpaceId,
  { at, changed, states, filter, page, note }: Past & Asked,
): Promise<ListedPage> {
  const wanted = { ...filter, validAt: filter.validAt ?? at, before: Math.min(filter.before ?? Infinity, at + 1) };
  const start = page.cursor === undefined || page.cursor === null ? null : readPlace(page.cursor);
  const enough = (start === null ? (page.offset ?? 0) : 0) + page.limit + 1;
  const passes = createFilterTest(wanted);
  const follows = (record: StoredRecord): boolean => start === null || comparePlaces(start, record) < 0;
  const then = [...states.values()].filter(passes);
  const kept: StoredRecord[] = [];
  let total = then.length;
  // Whoever asks how many there are wants those before the place counted, too.
  for (let cursor = page.total === false ? (page.cursor ?? null) : null; ; ) {
    const listed = await store.listRecords(space, wanted, { limit: PAGE, cursor, total: false }, note);
    const unchanged = listed.items.filter(({ id }) => !changed.has(id));
    total += unchanged.length;
    if (kept.length < enough) kept.push(...unchanged.filter(follows));
    cursor = listed.cursor;
    if (cursor === null || (page.total === false && kept.length >= enough)) break;
  }
  const all = [...kept, ...then.filter(follows)].sort(comparePlaces).slice(0, enough);
  const items = all.slice(enough - page.limit - 1, enough - 1);
  const last = items.at(-1);
  const cursor = all.length === enough && last !== undefined ? writePlace(last) : null;
  return { items, total: page.total === false ? 0 : total, cursor, after: start };
}

/** The same as the database's conditions. */
function createFilterTest(filter: ListFilter): (record: StoredRecord) => boolean {
  const { kinds, types, tags = [], ids, after, before, minTrust, contains, contentHash, validAt } = filter;
  const tests: ((record: StoredRecord) => boolean)[] = [];
  if (kinds !== undefined && kinds.length > 0) tests.push(({ kind }) => kinds.includes(kind));
  if (types !== undefined && types.length > 0) tests.push(({ type }) => types.includes(type));
  for (const name of ['project', 'workspace', 'agent', 'session', 'conversation', 'key'] as const)
    if (filter[name] !== undefined) tests.push((record) => record[name] === filter[name]);
  if (tags.length > 0)
    tests.push((record) => tags[filter.tagMatch === 'all' ? 'every' : 'some']((tag) => record.tags.includes(tag)));
  if (ids !== undefined) {
    const wanted = new Set(ids);
    tests.push(({ id }) => wanted.has(id));
  }
  if (contentHash !== undefined) tests.push((record) => record.contentHash === contentHash);
  if (after !== undefined) tests.push(({ createdAt }) => createdAt >= after);
  if (before !== undefined) tests.push(({ createdAt }) => createdAt < before);
  if (minTrust !== undefined) tests.push(({ trust }) => !isLessTrusted(trust, minTrust));
  if (contains !== undefined && contains !== '') {
    const needle = foldCase(contains);
    tests.push(({ content }) => foldCase(content).includes(needle));
  }
  if (filter.deleted !== 'include') tests.push(({ deletedAt }) => (deletedAt !== null) === (filter.deleted === 'only'));
  if (filter.includeSuperseded !== true)
    tests.push(
      ({ supersededBy, validFrom, validUntil }) =>
        supersededBy === null &&
        (validFrom === null || validFrom <= validAt!) &&
        (validUntil === null || validUntil > validAt!),
    );
  return (record) => tests.every((test) => test(record));
}
