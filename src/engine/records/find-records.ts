import type { Caller } from '../../model/caller.ts';
import { type NoteDamage, refuseDamage } from '../../model/damage.ts';
import { EngineError } from '../../model/errors.ts';
import type { ListFilter } from '../../model/filter.ts';
import { isIdBeginning, isRecordId, type RecordId, type SpaceId } from '../../model/ids.ts';
import type { Page } from '../../model/page.ts';
import type { RecordKind, StoredRecord } from '../../model/record.ts';
import { type Action, authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { Records } from '../ports.ts';
import { wordsFor } from './kind.ts';

const CONTENT_HASH = /^[0-9a-f]{64}$/i;
const PAGE = 100;

export function isContentHash(ref: string): boolean {
  return CONTENT_HASH.test(ref.trim());
}

interface RefOptions {
  /** Absent: any. */
  kind?: RecordKind;
  /** An id may name a record of any kind all the same, as a search finds them. */
  anyKindById?: boolean;
  /** Where the ref is a key: its project. Absent: no project first, then any. */
  project?: string;
  deleted: 'exclude' | 'only' | 'include';
  /** Told of damaged records that the ref names; without it a damaged one is an error. */
  note?: NoteDamage;
}

/** Every record that an id, a content hash, a key or the beginning of an id names: current ones first, then superseded, then deleted. */
async function findByRef(store: Records, space: SpaceId, ref: string, options: RefOptions): Promise<StoredRecord[]> {
  const { kind, deleted, note } = options;
  if (isRecordId(ref)) {
    const found = await findByIds(store, space, [ref], options);
    if (found.length > 0) return found;
  }
  if (isContentHash(ref)) {
    const contentHash = ref.toLowerCase();
    const found = await listAll(store, space, { ...only(kind), contentHash, deleted }, note);
    if (found.length > 0) return found.sort(byStanding);
    await noteHidden(store, space, { by: 'contentHash', value: contentHash, options });
  }
  const found = await findByKeyRef(store, space, ref, options);
  if (found.length > 0) return found;
  await noteHidden(store, space, { by: 'key', value: ref, options });
  return isIdBeginning(ref) ? findByBeginning(store, space, ref, options) : [];
}

async function findByIds(
  store: Records,
  space: SpaceId,
  ids: readonly RecordId[],
  { kind, anyKindById, deleted, note }: RefOptions,
): Promise<StoredRecord[]> {
  return (await store.getRecords(space, ids, note)).filter(
    (record) =>
      (kind === undefined || record.kind === kind || anyKindById === true) &&
      (deleted === 'include' || (record.deletedAt !== null) === (deleted === 'only')),
  );
}

/** Of so many that begin alike, those that are meant are looked for; more are told apart by a longer beginning. */
const MAX_ALIKE = 100;
const MAX_NAMED = 5;

/** The one record whose id begins so. */
async function findByBeginning(
  store: Records,
  space: SpaceId,
  beginning: string,
  options: RefOptions,
): Promise<StoredRecord[]> {
  const listed = await store.listIds(space, { after: beginning, limit: MAX_ALIKE, of: 'all' });
  const alike = listed.filter((id) => id.startsWith(beginning));
  const found = alike.length === 0 ? [] : await findByIds(store, space, alike, options);
  if (found.length <= 1 && alike.length < MAX_ALIKE) return found;
  const named = found.slice(0, MAX_NAMED).map(({ id }) => id);
  const count = alike.length < MAX_ALIKE ? String(found.length) : 'Many';
  throw new EngineError(
    'conflict',
    `${count} ids begin with ${beginning}: ${named.join(', ')}${count === String(named.length) ? '' : ' …'}.`,
    {
      hint: 'Give more of the id.',
      details: { ref: beginning, candidates: named.join(' ') },
    },
  );
}

interface Hiding {
  by: 'key' | 'contentHash';
  value: string;
  options: RefOptions;
}

/** A record that bears the name, although the database's index of such names has just said that there is none. */
async function noteHidden(store: Records, space: SpaceId, { by, value, options }: Hiding): Promise<void> {
  const { kind, project, deleted, note = refuseDamage } = options;
  const ids = (await store.findUnindexed(space, by, value)) ?? [];
  if (ids.length === 0) return;
  const meant = (await store.getRecords(space, ids, note)).filter(
    (record) =>
      record[by] === value &&
      (kind === undefined || record.kind === kind) &&
      (project === undefined || record.project === project) &&
      (deleted === 'include' || (record.deletedAt !== null) === (deleted === 'only')),
  );
  // Somebody may just have stored it.
  if (meant.length === 0 || (await listAll(store, space, { ...only(kind), [by]: value, deleted }, note)).length > 0)
    return;
  for (const { id } of meant) note({ what: 'record', id });
}

/** The current record of this kind and project that has the key, or the very text. */
export async function findCurrent(
  store: Records,
  space: SpaceId,
  {
    kind,
    project,
    ...named
  }: { kind: RecordKind; project: string | null } & ({ key: string } | { contentHash: string }),
): Promise<StoredRecord | null> {
  const found = await listAll(store, space, { ...only(kind), ...named, deleted: 'exclude' });
  return found.find((record) => record.project === project && record.supersededBy === null) ?? null;
}

async function findByKeyRef(
  store: Records,
  space: SpaceId,
  key: string,
  { kind, project, deleted, note }: RefOptions,
): Promise<StoredRecord[]> {
  const found = (await listAll(store, space, { ...only(kind), key, deleted }, note)).sort(byStanding);
  if (project !== undefined) return found.filter((record) => record.project === project).slice(0, 1);
  const [first] = found;
  const own = found.find((record) => record.project === null);
  if (own !== undefined || first === undefined) return own === undefined ? [] : [own];
  if (found.every((record) => record.project === first.project)) return [first];
  throw new EngineError('conflict', 'This key is in use in several projects.', {
    hint: 'Name the project too, or use the id.',
    details: { key },
  });
}

async function listAll(store: Records, space: SpaceId, filter: ListFilter, note?: NoteDamage): Promise<StoredRecord[]> {
  const all: StoredRecord[] = [];
  const wanted = { ...filter, includeSuperseded: true };
  let cursor: string | null = null;
  do {
    const page: Page<StoredRecord> = await store.listRecords(
      space,
      wanted,
      { limit: PAGE, cursor, total: false },
      note,
    );
    all.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== null);
  return all;
}

function only(kind: RecordKind | undefined): Pick<ListFilter, 'kinds'> {
  return { kinds: kind === undefined ? undefined : [kind] };
}

function byStanding(a: StoredRecord, b: StoredRecord): number {
  return standing(a) - standing(b) || (b.deletedAt ?? 0) - (a.deletedAt ?? 0);
}

function standing(record: StoredRecord): number {
  return record.deletedAt !== null ? 2 : record.supersededBy !== null ? 1 : 0;
}

type Wanted = { ref: string; action: Action } & RefOptions;

/** The records a ref names in the first of the caller's spaces that has any; its own space is asked first. */
export async function locateAll(parts: EngineParts, caller: Caller, wanted: Wanted): Promise<StoredRecord[]> {
  for (const space of spacesOf(caller)) {
    authorize(caller, 'read', space);
    const found = await findByRef(parts.store, space, wanted.ref.trim(), wanted);
    if (found.length === 0) continue;
    authorize(caller, wanted.action, space);
    return found;
  }
  return [];
}

/** The one record a ref means; absent, foreign and purged ones look the same. */
export async function locate(parts: EngineParts, caller: Caller, wanted: Wanted): Promise<StoredRecord> {
  const [record] = await locateAll(parts, caller, wanted);
  if (record !== undefined) return record;
  const { name, plural } = wordsFor(parts.kinds, wanted.kind);
  throw new EngineError('not_found', `There is no such ${name}.`, {
    hint: `It may be deleted: deleted ${plural} can be restored for a while.`,
    details: { ref: wanted.ref },
  });
}

export function spacesOf(caller: Caller): SpaceId[] {
  return [caller.space, ...caller.spaces.filter((space) => space !== caller.space)];
}

export function groupBySpace(records: readonly StoredRecord[]): Map<SpaceId, StoredRecord[]> {
  return Map.groupBy(records, (record) => record.space);
}

/** Everything that passes, page after page, also while records come and go. How many that are is not counted. */
export async function* readPages(
  store: Records,
  space: SpaceId,
  { filter, limit, note }: { filter: ListFilter; limit: number; note?: NoteDamage },
): AsyncGenerator<Page<StoredRecord>> {
  let cursor: string | null = null;
  let size = Math.min(limit, FIRST_PAGE);
  do {
    const bounds = { limit: size, cursor, total: false };
    const page: Page<StoredRecord> = await store.listRecords(space, filter, bounds, note);
    yield page;
    cursor = page.cursor;
    const chars = page.items.reduce((sum, { content }) => sum + content.length, 0);
    size = Math.max(1, Math.min(limit, Math.floor((page.items.length * PAGE_CHARS) / Math.max(1, chars))));
  } while (cursor !== null);
}

/** A page is read in one go, and records may have a megabyte: the next has as many as the last one says that so much text has. */
const PAGE_CHARS = 400_000;
const FIRST_PAGE = 25;
