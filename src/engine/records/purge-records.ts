import type { Caller } from '../../model/caller.ts';
import { collectDamage, describeLeftOut, passOver } from '../../model/damage.ts';
import { EngineError } from '../../model/errors.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import { lateFunctions } from '../../model/late.ts';
import type { RecordKind, StoredRecord } from '../../model/record.ts';
import { authorize } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import { chunksHeldBy, dropUnheld } from '../maintenance/sweep-chunks.ts';
import type { Records, Repair } from '../ports.ts';
import { type Rejecting, rejectionOf } from '../rejections/claims.ts';
import { findReadOut } from '../rejections/find-read-out.ts';
import { commitInBatches } from './change-record.ts';
import { findDerived, madeIntoOf } from './find-derived.ts';
import { locateAll, readPages, spacesOf } from './find-records.ts';
import type { KindTable } from './kind.ts';
import { actorOf, isMadeByJob } from './origin.ts';
import { findStated, purgeRelations } from './purge-relations.ts';

const { leaveRejections } = lateFunctions(() => import('../rejections/leave-rejections.ts'), 'leaveRejections');

export interface PurgeRecordsInput {
  /** Absent: of any kind. */
  kind?: RecordKind;
  refs: readonly string[];
}

/** Removes records for good, deleted or not: rows, versions, relations, and their words in the index. A content hash means every record of that text. */
export async function purgeRecords(
  parts: EngineParts,
  caller: Caller,
  { refs, ...named }: PurgeRecordsInput & { anyKindById?: boolean },
): Promise<{ purged: RecordId[] }> {
  authorize(caller, 'admin', caller.space);
  const found = await addDerived(parts, await findNamed(parts, caller, { refs, ...named }), false);
  return { purged: await purgeFound(parts, caller, found) };
}

/** What is to go, by its place alone: it may be very much. `shown` is the beginning of it. */
interface Found {
  ids: Map<SpaceId, RecordId[]>;
  /** Made from what is to go, or holding an earlier text from the same source. */
  derived: Map<SpaceId, RecordId[]>;
  shown: StoredRecord[];
  missing: string[];
  /** So damaged that nothing tells whether they are meant. */
  leftOut: RecordId[];
}

async function purgeFound(parts: EngineParts, caller: Caller, { ids }: Found): Promise<RecordId[]> {
  const purged: RecordId[] = [];
  for (const [space, some] of ids) await leavePurged(parts, caller, space, some);
  for (const [space, some] of ids)
    for (const id of await purgeIds(parts, { space, ids: some, actor: actorOf(caller) })) purged.push(id);
  return purged;
}

/** Whoever purges says that the text is to be gone: it does not come back, unless another record states it and stays. */
async function leavePurged(
  parts: EngineParts,
  caller: Caller,
  space: SpaceId,
  ids: readonly RecordId[],
): Promise<void> {
  const { store, kinds } = parts;
  const going = new Set(ids);
  for (let at = 0; at < ids.length; at += PAGE) {
    const rejecting: Rejecting[] = [];
    for (const record of await store.getRecords(space, ids.slice(at, at + PAGE), passOver)) {
      if (kinds.find(record.kind)?.claim === undefined) continue;
      const before = record.revision === 1 ? [] : await store.listVersions(space, record.id, passOver);
      const states = [record, ...before.map((version) => version.record)];
      for (const state of new Map(states.map((one) => [one.contentHash, one])).values())
        if (!(await isStatedElsewhere(parts, space, { state, going })))
          rejecting.push(...rejectionOf(parts, state, { how: 'purged' }));
    }
    if (rejecting.length > 0) await leaveRejections(parts, caller, { space, rejecting });
  }
}

async function isStatedElsewhere(
  { store }: { store: Records },
  space: SpaceId,
  { state, going }: { state: StoredRecord; going: ReadonlySet<RecordId> },
): Promise<boolean> {
  const filter = { contentHash: state.contentHash, kinds: [state.kind] };
  const { items } = await store.listRecords(space, filter, { limit: 100, total: false }, passOver);
  return items.some(({ id }) => !going.has(id));
}

const PAGE = 500;
const MAX_SHOWN = 100;

/** Refs, or what is to be true of records in the caller's own space: one of the two at least of `source` and `session`. */
export interface PurgeInput extends Partial<PurgeRecordsInput> {
  source?: string;
  session?: string;
  /** What was made from it goes too. */
  derived?: boolean;
  dryRun?: boolean;
}

export interface PurgeOutcome {
  outcome: 'purged' | 'would_purge';
  count: number;
  /** What would go, the first hundred; empty once it is gone. */
  records: StoredRecord[];
  /** What is gone, the first hundred. */
  purged: RecordId[];
  missing: string[];
  /** Records that were made from what goes and stay, the first hundred; none where they were to go too. */
  derived: RecordId[];
  derivedCount: number;
  /** Relations between other records that were stated by the source, or in the session, and go. */
  relations: number;
  /** What may still hold the text, and what to do about it. */
  remains: string[];
}

/** Deleted or not, superseded or not. */
export async function purgeWhatIsNamed(
  parts: EngineParts,
  caller: Caller,
  { refs = [], dryRun = false, derived: withDerived = false, ...rest }: PurgeInput & { anyKindById?: boolean },
): Promise<PurgeOutcome> {
  authorize(caller, 'admin', caller.space);
  const named =
    refs.length > 0 ? await findNamed(parts, caller, { refs, ...rest }) : await findMatching(parts, caller, rest);
  const found = await addDerived(parts, named, withDerived);
  const stated = refs.length > 0 ? [] : await findStated(parts, caller.space, rest);
  const { missing } = found;
  const derived = [...found.derived.values()].flat();
  const staying = { derived: derived.slice(0, MAX_SHOWN), derivedCount: derived.length, relations: stated.length };
  const leftOut = found.leftOut.length === 0 ? [] : [describeLeftOut(found.leftOut)];
  if (dryRun) {
    const count = [...found.ids.values()].reduce((sum, some) => sum + some.length, 0);
    return { outcome: 'would_purge', count, records: found.shown, purged: [], missing, ...staying, remains: leftOut };
  }
  const purged = await purgeFound(parts, caller, found);
  await purgeRelations(parts, caller, stated);
  const remains = [...leftOut, ...(purged.length + stated.length === 0 ? [] : await parts.store.eraseTraces())];
  const shown = { records: [], purged: purged.slice(0, MAX_SHOWN) };
  return { outcome: 'purged', count: purged.length, ...shown, missing, ...staying, remains };
}

/** What a program composed of their words goes with them, and can be made anew of the others; what somebody wrote goes where all of it is meant. */
async function addDerived(
  { store, kinds }: { store: Records; kinds: KindTable },
  found: Found,
  all: boolean,
): Promise<Found> {
  const ids = new Map(found.ids);
  const shown = [...found.shown];
  const staying = new Map<SpaceId, RecordId[]>();
  for (const [space, some] of found.derived) {
    const stays = new Set<RecordId>();
    for (let i = 0; i < some.length; i += PAGE) {
      const part = some.slice(i, i + PAGE);
      const records = await store.getRecords(space, part, passOver);
      const isComposed = (record: StoredRecord) => kinds.find(record.kind)?.isMemory === true && isMadeByJob(record);
      const going = all ? records : records.filter(isComposed);
      shown.push(...going.slice(0, MAX_SHOWN - shown.length));
      const gone = new Set(going.map(({ id }) => id));
      for (const id of part) if (!all && !gone.has(id)) stays.add(id);
    }
    ids.set(space, [...(ids.get(space) ?? []), ...some.filter((id) => !stays.has(id))]);
    staying.set(space, [...stays]);
  }
  return { ...found, ids, shown, derived: staying };
}

async function findNamed(
  parts: EngineParts,
  caller: Caller,
  { refs, ...named }: PurgeRecordsInput & { anyKindById?: boolean },
): Promise<Found> {
  const found = new Map<RecordId, StoredRecord>();
  const missing: string[] = [];
  const damaged: Pick<StoredRecord, 'space' | 'id'>[] = [];
  for (const ref of refs) {
    const { note, ids } = collectDamage();
    const records = await locateAll(parts, caller, { ...named, ref, action: 'admin', deleted: 'include', note });
    damaged.push(...(await findDamaged(parts, caller, ids())));
    if (records.length === 0 && ids().length === 0) missing.push(ref);
    for (const record of records) found.set(record.id, record);
  }
  for (const record of await findHeld(parts, [...found.values()])) found.set(record.id, record);
  const records = [...found.values()];
  const all = Map.groupBy([...records, ...damaged], ({ space }) => space);
  const ids = new Map(Array.from(all, ([space, some]) => [space, some.map(({ id }) => id)] as const));
  const derived = new Map<SpaceId, RecordId[]>();
  for (const [space, some] of ids) {
    const madeInto = records.filter((record) => record.space === space).flatMap((record) => madeIntoOf(parts, record));
    derived.set(space, await findDerived(parts, space, { ids: some, madeInto }));
  }
  return { ids, derived, shown: records.slice(0, MAX_SHOWN), missing, leftOut: [] };
}

/** What is a part of these goes with them. */
async function findHeld(
  { store, kinds }: { store: Records; kinds: KindTable },
  records: readonly StoredRecord[],
): Promise<StoredRecord[]> {
  const held: StoredRecord[] = [];
  for (const record of records) {
    const ids = kinds.find(record.kind)?.holds?.(record) ?? [];
    for (let i = 0; i < ids.length; i += PAGE)
      held.push(...(await store.getRecords(record.space, ids.slice(i, i + PAGE), passOver)));
  }
  return held;
}

/** What is damaged can be removed, though not be shown. */
async function findDamaged(
  { store }: { store: Repair },
  caller: Caller,
  ids: readonly RecordId[],
): Promise<Pick<StoredRecord, 'space' | 'id'>[]> {
  const found: Pick<StoredRecord, 'space' | 'id'>[] = [];
  for (const id of ids) {
    for (const space of spacesOf(caller)) {
      if ((await store.salvage(space, id)) === null) continue;
      authorize(caller, 'admin', space);
      found.push({ space, id });
    }
  }
  return found;
}

async function findMatching(
  parts: EngineParts,
  { space }: Caller,
  { source, session }: Pick<PurgeInput, 'source' | 'session'>,
): Promise<Found> {
  if (source === undefined && session === undefined)
    throw new EngineError('invalid_input', 'Nothing says what to purge.', {
      hint: 'Give ids, a source or a session.',
    });
  const { store } = parts;
  const isFrom = source === undefined ? () => true : readSource(source);
  const ids: RecordId[] = [];
  const rewritten: RecordId[] = [];
  const madeInto = new Set<RecordId>();
  const shown: StoredRecord[] = [];
  const filter = { session, deleted: 'include', includeSuperseded: true } as const;
  const { note, ids: damaged } = collectDamage();
  for await (const { items } of readPages(store, space, { filter, limit: PAGE, note })) {
    const matching = items.filter((record) => parts.kinds.find(record.kind)?.isKeptApart !== true && isFrom(record));
    ids.push(...matching.map(({ id }) => id));
    shown.push(...matching.slice(0, MAX_SHOWN - shown.length));
    for (const record of matching) for (const id of madeIntoOf(parts, record)) madeInto.add(id);
    for (const record of items)
      if (record.revision > 1 && !isFrom(record) && (await wasFrom(parts, record, isFrom))) rewritten.push(record.id);
  }
  const going = new Set(ids);
  const readOut =
    session === undefined || source !== undefined
      ? []
      : await findReadOut(store, space, { session, deleted: 'include' });
  const made = [...rewritten, ...readOut.map(({ id }) => id).filter((id) => !going.has(id))];
  const derived = [...made, ...(await findDerived(parts, space, { ids: [...ids, ...made], madeInto }))];
  const found = { ids: new Map([[space, ids]]), derived: new Map([[space, derived]]) };
  return { ...found, shown, missing: [], leftOut: damaged() };
}

/** Whoever rewrites a text stands for it; the earlier one, and where it comes from, is in a version. */
async function wasFrom(
  { store }: { store: Records },
  { space, id }: StoredRecord,
  isFrom: (record: StoredRecord) => boolean,
): Promise<boolean> {
  return (await store.listVersions(space, id, passOver)).some(({ record }) => isFrom(record));
}

/** What a record says of where it comes from; of a client also the name without its version. */
const ORIGINS: Readonly<Record<string, (record: StoredRecord) => readonly (string | null | undefined)[]>> = {
  door: ({ source }) => [source.door],
  user: ({ source }) => [source.userId],
  client: ({ source }) => [source.client, source.client?.split('/')[0]],
  host: ({ source }) => [source.host],
  agent: ({ agent }) => [agent],
};

/** `user:ada` looks at that alone, `ada` at everything. */
function readSource(source: string): (record: StoredRecord) => boolean {
  const [, name = '', rest = ''] = /^(\w+):(.*)$/s.exec(source) ?? [];
  const origin = Object.hasOwn(ORIGINS, name) ? ORIGINS[name] : undefined;
  const wanted = (origin === undefined ? source : rest).trim();
  if (wanted === '') throw new EngineError('invalid_input', 'The source is empty.', { details: { field: 'source' } });
  const origins = origin === undefined ? Object.values(ORIGINS) : [origin];
  return (record) => origins.some((valuesOf) => valuesOf(record).includes(wanted));
}

/**
 * The one way in which records leave for good. The commit takes the rows, versions, passages, vectors, relations, statistics, links and the
 * receipts that repeat their words, and empties the database's log; then the segments of the index that hold the words are written anew.
 * A process that ends in between leaves that to the next round of upkeep. Returns those that were still there.
 */
export async function purgeIds(
  parts: EngineParts,
  { space, ids, actor }: { space: SpaceId; ids: readonly RecordId[]; actor: string },
): Promise<RecordId[]> {
  const { store, indexes } = parts;
  const pieces = await chunksHeldBy(parts, space, ids);
  const changes = ids.map((id) => ({ op: 'purge', id }) as const);
  const purged = (await commitInBatches(store, { space, actor, changes })).map(({ id }) => id);
  if (purged.length > 0) await indexes.forget(space, purged);
  await dropUnheld(parts, space, pieces);
  return purged;
}
