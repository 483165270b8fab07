import type { Clock, Records, Relations } from '../../engine/ports.ts';
import { isMadeByJob } from '../../engine/records/origin.ts';
import type { Committing, RecordChange } from '../../engine/records/what-follows.ts';
import type { Change } from '../../model/change.ts';
import { passOver } from '../../model/damage.ts';
import type { Instant, RecordId, SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { factsOf, isEnded, type Relation } from '../../model/relation.ts';
import { spellType } from '../../model/relation-types.ts';
import { memoryKind } from '../memories/memory-kind.ts';

/** What a summary is to its sources; what merely replaced something is no summary of it. */
const SUMMARISES: ReadonlySet<string> = new Set(['derived-from', 'summarizes', 'summary-of']);

type Reader = Records & Relations;

/** From what was made of others to these, also those that somebody has ended since. */
async function listMadeFrom(store: Reader, space: SpaceId, ids: readonly RecordId[]): Promise<Relation[]> {
  const found = ids.length === 0 ? [] : await store.listRelations(space, ids, passOver);
  return found.filter(({ type }) => SUMMARISES.has(spellType(type)));
}

function isMadeHere(record: StoredRecord): boolean {
  return record.kind === memoryKind.name && isMadeByJob(record);
}

type SourceState = Pick<StoredRecord, 'deletedAt' | 'supersededBy' | 'validUntil' | 'contentHash' | 'body'>;

/** What it was made from says so no more: it is gone, was replaced, has ceased to hold or says something else. */
function hasChanged(relation: Relation, source: SourceState | undefined, at: Instant): boolean {
  if (source === undefined || source.deletedAt !== null) return true;
  if (source.supersededBy !== null && source.body.archived === undefined) return true;
  if (source.validUntil !== null && source.validUntil <= at) return true;
  const { of } = factsOf(relation);
  return of !== undefined && of !== source.contentHash;
}

/**
 * A summary goes in the same commit in which one of its sources is deleted, corrected or replaced, and comes back with a source that is restored. The next
 * consolidation makes it anew of what holds by then. What a run of it merges or archives says the same as before.
 */
export async function withdrawSummaries(
  store: Reader,
  { space, changes, causes, clock }: Committing,
): Promise<Change[]> {
  if (changes.some((change) => change.op === 'put' && change.content.kind === 'run')) return [];
  const touched = new Map(causes.map((change) => [change.id, change]));
  const relations = (await listMadeFrom(store, space, [...touched.keys()])).filter(
    (relation) => touched.has(relation.to) && !isEnded(relation),
  );
  if (relations.length === 0) return [];
  const written = new Set(changes.flatMap((change) => ('id' in change ? [change.id] : [])));
  const made = [...new Set(relations.map(({ from }) => from))].filter((id) => !written.has(id));
  const summaries = (await store.getRecords(space, made, passOver)).filter(isMadeHere);
  const sources = new Map((await store.getRecords(space, [...touched.keys()], passOver)).map((one) => [one.id, one]));
  const follow: Change[] = [];
  for (const { id, deletedAt } of summaries) {
    const own = relations.filter(({ from }) => from === id);
    if (deletedAt === null) {
      const at = own.flatMap((relation) => unmadeAt(relation, touched.get(relation.to)!, { sources, clock }) ?? [])[0];
      if (at !== undefined) follow.push({ op: 'delete', id, at });
    } else if (await comesBack(store, space, { id, deletedAt, own, touched, sources }))
      follow.push({ op: 'restore', id, at: clock.now() });
  }
  return follow;
}

/** When its source stops saying what it was made from; null where the change leaves that as it is. */
function unmadeAt(
  relation: Relation,
  change: RecordChange,
  { sources, clock }: { sources: ReadonlyMap<RecordId, StoredRecord>; clock: Clock },
): Instant | null {
  if (change.op === 'delete') return change.at;
  if (change.op === 'purge') return clock.now();
  const known = sources.get(relation.to);
  const next = stateAfter(change, known);
  if (next === null || known === undefined) return null;
  const body = { of: known.contentHash, ...relation.body };
  return hasChanged({ ...relation, body }, next, clock.now()) ? clock.now() : null;
}

/** Undefined: it is gone; null: it is what it was. */
function stateAfter(change: RecordChange, known: StoredRecord | undefined): SourceState | undefined | null {
  if (change.op === 'put') return { ...change.content, deletedAt: known?.deletedAt ?? null };
  return change.op === 'take' ? (change.record ?? undefined) : null;
}

/** It went with what is restored now, and all that it was made from says the same as then. */
async function comesBack(
  store: Reader,
  space: SpaceId,
  {
    id,
    deletedAt,
    own,
    touched,
    sources,
  }: {
    id: RecordId;
    deletedAt: Instant;
    own: readonly Relation[];
    touched: ReadonlyMap<RecordId, RecordChange>;
    sources: ReadonlyMap<RecordId, StoredRecord>;
  },
): Promise<boolean> {
  const isBack = (to: RecordId): boolean => touched.get(to)?.op === 'restore';
  if (!own.some(({ to }) => isBack(to) && sources.get(to)?.deletedAt === deletedAt)) return false;
  const all = (await listMadeFrom(store, space, [id])).filter((one) => one.from === id && !isEnded(one));
  const records = await store.getRecords(
    space,
    all.map(({ to }) => to),
    passOver,
  );
  const byId = new Map(records.map((record) => [record.id, record]));
  return all.every((relation) => {
    const source = byId.get(relation.to);
    const then = source !== undefined && isBack(relation.to) ? { ...source, deletedAt: null } : source;
    return !hasChanged(relation, then, deletedAt);
  });
}

/** Those of these that were made of what does not say so any more, whoever made them, and however long ago. */
export async function findOutdated(
  store: Reader,
  space: SpaceId,
  { records, at }: { records: readonly StoredRecord[]; at: Instant },
): Promise<Set<RecordId>> {
  const made = new Map(records.map((record) => [record.id, record]));
  const relations = (await listMadeFrom(store, space, [...made.keys()])).filter(({ from }) => made.has(from));
  const ids = [...new Set(relations.map(({ to }) => to))];
  const sources = new Map(
    (ids.length === 0 ? [] : await store.getRecords(space, ids, passOver)).map((one) => [one.id, one]),
  );
  const changed = relations
    .filter((one) => !isEnded(one) && hasChanged(one, sources.get(one.to), at))
    .map(({ from }) => from);
  return new Set([...changed, ...records.filter((one) => lacksSources(one, relations)).map(({ id }) => id)]);
}

/** What was purged has no relations any more. */
function lacksSources(record: StoredRecord, relations: readonly Relation[]): boolean {
  const { metadata } = record.body as { metadata?: { sources?: unknown } };
  if (!isMadeHere(record) || !Array.isArray(metadata?.sources)) return false;
  return relations.filter(({ from }) => from === record.id).length < metadata.sources.length;
}
