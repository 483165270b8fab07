import type { Caller } from '../../model/caller.ts';
import { passOver } from '../../model/damage.ts';
import { EngineError } from '../../model/errors.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import type { Rejection } from '../../model/rejection.ts';
import { authorize, authorizePerson } from '../authorize.ts';
import type { EngineParts } from '../engine-parts.ts';
import { commitInBatches } from '../records/change-record.ts';
import { checkText } from '../records/check-text.ts';
import { groupBySpace, locateAll, spacesOf } from '../records/find-records.ts';
import type { KindTable } from '../records/kind.ts';
import { actorOf } from '../records/origin.ts';
import { openRedactor } from '../records/redact-content.ts';
import { rejectionOf } from './claims.ts';
import { leaveRejections } from './leave-rejections.ts';
import { type AllRejections, findInTurns } from './space-rejections.ts';
import { withdrawRejected } from './withdraw-rejected.ts';

export interface RejectInput {
  /** Ids, content hashes or keys of memories, or ids of sections of documents. */
  refs: readonly string[];
  project?: string;
  why?: string;
}

export interface Rejected {
  rejections: Rejection[];
  /** What is not current any more: what was named, and whatever stated the same. The first hundred; `count` says how many. */
  records: StoredRecord[];
  count: number;
  missing: string[];
}

const MAX_SHOWN = 100;

/** A person calls these wrong: they go, and what they state does not come back, by whichever way. */
export async function rejectRecords(parts: EngineParts, caller: Caller, input: RejectInput): Promise<Rejected> {
  authorize(caller, 'write', caller.space);
  const why = await readWhy(parts, caller, input.why);
  const missing: string[] = [];
  const found = new Map<RecordId, StoredRecord>();
  for (const ref of input.refs) {
    const wanted = { kind: 'memory', anyKindById: true, ref, action: 'write', project: input.project } as const;
    const named = (await locateAll(parts, caller, { ...wanted, deleted: 'include' })).filter((record) =>
      isRejectable(parts, record),
    );
    if (named.length === 0) missing.push(ref);
    for (const record of named) found.set(record.id, record);
  }
  const out: Rejected = { rejections: [], records: [], count: 0, missing };
  for (const [space, records] of groupBySpace([...found.values()])) {
    const gone = await rejectIn(parts, caller, { space, records, how: 'rejected', why });
    out.rejections.push(...gone.rejections);
    out.records.push(...gone.records.slice(0, MAX_SHOWN - out.records.length));
    out.count += gone.records.length;
  }
  return out;
}

/** The tombstones first: whatever ends it in between, nothing comes back. */
export async function rejectIn(
  parts: EngineParts,
  caller: Caller,
  {
    space,
    records,
    how,
    why,
  }: { space: string; records: readonly StoredRecord[]; how: 'rejected' | 'deleted'; why: string | null },
): Promise<{ rejections: Rejection[]; records: StoredRecord[] }> {
  const rejecting = records.flatMap((record) => rejectionOf(parts, record, { how, why }));
  const actor = actorOf(caller);
  await leaveRejections(parts, caller, { space, rejecting });
  const rejections = new Set<Rejection>();
  for (const { text } of rejecting) {
    const rejection = await findWhole(parts, space, text);
    if (rejection !== null) rejections.add(rejection);
  }
  const live = records.filter(({ deletedAt }) => deletedAt === null);
  const apart = live.filter(({ kind }) => parts.removing[kind] !== undefined);
  for (const [kind, own] of Map.groupBy(apart, (record) => record.kind))
    await (await parts.removing[kind]!()).delete(parts, caller, { refs: own.map(({ id }) => id) });
  const at = await parts.time.timeOfDeletion();
  const others = live.filter((record) => !apart.includes(record));
  const changes = others.map(({ id }) => ({ op: 'delete', id, at }) as const);
  const made = (await commitInBatches(parts.store, { space, actor, changes })).map(({ id }) => id);
  const gone = new Set([...made, ...apart.map(({ id }) => id)]);
  const twins = await withdrawRejected(parts, { space, actor });
  for (const load of Object.values(parts.removing)) await (await load()).cutRejected(parts, { space, actor });
  return { rejections: [...rejections], records: [...live.filter(({ id }) => gone.has(id)), ...twins] };
}

function findWhole(
  { rejections }: Pick<EngineParts, 'rejections'>,
  space: SpaceId,
  text: string,
): Promise<Rejection | null> {
  return findInTurns(rejections, space, { text, from: null, withParts: false });
}

function isRejectable({ kinds }: { kinds: KindTable }, { kind }: StoredRecord): boolean {
  return kinds.find(kind)?.claim !== undefined;
}

export async function readWhy(parts: EngineParts, caller: Caller, why: string | undefined): Promise<string | null> {
  if (why === undefined || why.trim() === '') return null;
  checkText('note', why);
  return (await openRedactor(parts, caller)).value('note', why.trim()).value;
}

export interface ListRejectionsInput {
  /** Only the one that keeps this text out, whoever says it. */
  text?: string;
  /** What was merely not needed is left out unless it is asked for. */
  all?: boolean;
  limit?: number;
}

const DEFAULT_LIMIT = 50;

/** Newest first. */
export async function listRejections(
  { rejections }: { rejections: AllRejections },
  caller: Caller,
  { text, all = false, limit = DEFAULT_LIMIT }: ListRejectionsInput,
): Promise<{ total: number; rejections: Rejection[] }> {
  const found: Rejection[] = [];
  for (const space of spacesOf(caller)) {
    authorize(caller, 'read', space);
    const state = await rejections.fresh(space);
    const one = text === undefined ? undefined : await findWhole({ rejections }, space, text);
    found.push(...(one === undefined ? state.byClaim.values() : one === null ? [] : [one]));
  }
  const wanted = found
    .filter(({ how }) => all || how !== 'not_needed')
    .sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
  return { total: wanted.length, rejections: wanted.slice(0, limit) };
}

export interface LiftInput {
  /** Ids of rejections, or of records that were rejected. */
  refs: readonly string[];
  /** What was deleted with it comes back, as long as it is kept. */
  restore?: boolean;
}

export interface Lifted {
  lifted: Rejection[];
  restored: RecordId[];
  missing: string[];
}

/** A person takes it back: from now on the text may be stored. What was deleted with it can be restored. */
export async function liftRejections(
  parts: EngineParts,
  caller: Caller,
  { refs, restore = false }: LiftInput,
): Promise<Lifted> {
  authorizePerson(caller, 'lift', caller.space);
  const lifted: Rejection[] = [];
  const restored: RecordId[] = [];
  const missing: string[] = [];
  for (const ref of refs) {
    const found = await findOne(parts, caller, ref.trim());
    if (found === null) {
      missing.push(ref);
      continue;
    }
    const { space, rejection } = found;
    authorizePerson(caller, 'lift', space);
    const at = await parts.time.timeOfDeletion();
    const changes = [{ op: 'delete', id: rejection.id, at } as const];
    await commitInBatches(parts.store, { space, actor: actorOf(caller), changes });
    lifted.push(rejection);
    if (restore && rejection.record !== null)
      restored.push(...(await bringBack(parts, caller, space, rejection.record)));
  }
  return { lifted, restored, missing };
}

async function bringBack(parts: EngineParts, caller: Caller, space: SpaceId, id: RecordId): Promise<RecordId[]> {
  const [record] = await parts.store.getRecords(space, [id], passOver);
  if (record === undefined || record.deletedAt === null) return [];
  const removing = await parts.removing[record.kind]?.();
  if (removing !== undefined) return (await removing.restore(parts, caller, [id])).restored.map((one) => one.id);
  const changes = [{ op: 'restore', id, at: parts.clock.now() } as const];
  const committed = await parts.store.commit(space, changes, actorOf(caller));
  return committed.outcome === 'committed' ? [id] : [];
}

/** By its id, the beginning of that, or the id of the record that was rejected. */
async function findOne(
  { rejections }: { rejections: AllRejections },
  caller: Caller,
  ref: string,
): Promise<{ space: string; rejection: Rejection } | null> {
  if (ref === '') return null;
  for (const space of spacesOf(caller)) {
    const all = [...(await rejections.fresh(space)).byClaim.values()];
    const exact = all.find(({ id, record }) => id === ref || record === ref);
    const alike = exact === undefined ? all.filter(({ id }) => ref.length >= 6 && id.startsWith(ref)) : [exact];
    if (alike.length > 1)
      throw new EngineError('conflict', `${alike.length} rejections begin with ${ref}.`, {
        hint: 'Give more of the id.',
        details: { ref },
      });
    if (alike[0] !== undefined) return { space, rejection: alike[0] };
  }
  return null;
}
