import type { FeedEntry } from '../../model/change.ts';
import type { Instant, RecordId, Sequence, SpaceId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { IndexEntry } from '../../model/passage.ts';
import type { StoredRecord } from '../../model/record.ts';
import { factsOf, type Relation, type RelationFacts, type RelationKey } from '../../model/relation.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { Feed, Records, Store } from '../ports.ts';
import { readOnlyStore } from '../read-only-store.ts';
import { passagesOf } from '../records/kind.ts';
import { createSearchableMaker } from '../records/make-searchable.ts';
import { contentOf } from '../records/record-changes.ts';
import { listPast } from './list-past.ts';
import { listChangedSince, readStates } from './state-at.ts';

interface Past {
  /** Of the feed as it is; what differs follows it. */
  head: Sequence;
  ids: RecordId[];
  changed: ReadonlySet<RecordId>;
  states: Map<RecordId, StoredRecord>;
}

/**
 * The store as it was at a time, for reading: whatever has changed since is given as it was then, and told as the newest changes of the feed, so that an
 * index takes the segments of today and reads only these anew. In the index what is new since then is there: a filter by time leaves it out. Relations are
 * those of that time. Nothing can be written.
 */
export function createStoreAsOf(parts: EngineParts, at: Instant): Store {
  const { store } = parts;
  const pasts = new Map<SpaceId, Promise<Past>>();
  const pastOf = (space: SpaceId): Promise<Past> => {
    const known = pasts.get(space) ?? readPast(store, space, at);
    pasts.set(space, known);
    return known;
  };
  const make = createSearchableMaker(parts);
  const readEntry = async (id: RecordId, state: StoredRecord | undefined): Promise<IndexEntry> => {
    if (state === undefined || state.deletedAt !== null) return { id, record: null, passages: [], vectors: [] };
    const [made] = await make([contentOf(state)]);
    return { id, record: state, passages: made!.passages, vectors: made!.vectors };
  };
  return {
    ...readOnlyStore(store, 'The past cannot be written.'),
    head: async (space) => headOf(await pastOf(space)),
    async changesAfter(space, seq, limit, note) {
      const past = await pastOf(space);
      if (seq < past.head)
        return (await store.changesAfter(space, seq, limit, note)).filter((entry) => entry.seq <= past.head);
      return past.ids.slice(seq - past.head, seq - past.head + limit).map((id, i) => tell(id, seq + 1 + i, at));
    },
    async getRecords(space, ids, note) {
      const { states, changed } = await pastOf(space);
      const records = await store.getRecords(space, ids, note);
      return records
        .flatMap((record) => (changed.has(record.id) ? (states.get(record.id) ?? []) : [record]))
        .filter(({ createdAt }) => createdAt <= at);
    },
    listRecords: async (space, filter, page, note) =>
      listPast(store, space, { ...(await pastOf(space)), at, filter, page, note }),
    listRelations: async (space, ids, note) => relationsAt(await store.listRelations(space, ids, note), at),
    relationsBetween: async (space, ends, note) => relationsAt(await store.relationsBetween(space, ends, note), at),
    async scanRelations(space, { after, limit }, note) {
      const found: Relation[] = [];
      for (let last: RelationKey | null = after; ; ) {
        const page = await store.scanRelations(space, { after: last, limit }, note);
        found.push(...relationsAt(page, at));
        if (page.length < limit || found.length >= limit) return found.slice(0, limit);
        last = page.at(-1)!;
      }
    },
    listDeletions: async (space, which) =>
      (await store.listDeletions(space, which)).filter(({ deletedAt }) => deletedAt <= at),
    async readIndexEntries(space, ids) {
      const { states, changed } = await pastOf(space);
      const now = await store.readIndexEntries(
        space,
        ids.filter((id) => !changed.has(id)),
      );
      const known = new Map(now.map((entry) => [entry.id, entry]));
      return Promise.all(ids.map(async (id) => known.get(id) ?? readEntry(id, states.get(id))));
    },
    listIds: (space, page) => store.listIds(space, { ...page, of: 'all' }),
    async readPassages(space, ids) {
      const { states } = await pastOf(space);
      const passages = await store.readPassages(space, ids);
      for (const id of ids) {
        const state = states.get(id);
        if (state !== undefined) passages.set(id, passagesOf(parts.kinds.need(state.kind), state));
      }
      return passages;
    },
    expectedRows: async () => null,
    close: async () => {},
  };
}

function relationsAt(relations: readonly Relation[], at: Instant): Relation[] {
  return relations.flatMap((relation) => relationAt(relation, at) ?? []);
}

async function readPast(store: Records & Feed, space: SpaceId, at: Instant): Promise<Past> {
  const head = await store.head(space);
  const changed = await listChangedSince(store, space, at);
  const ids = [...changed];
  return { head, ids, changed, states: await readStates(store, space, { ids, at }) };
}

function headOf({ head, ids }: Past): Sequence {
  return head + ids.length;
}

function tell(id: RecordId, seq: Sequence, at: Instant): FeedEntry {
  return { seq, at, op: 'updated', id, kind: null, revision: null, actor: '', relation: null };
}

/** A relation as it was; null where nobody had stated or proposed it yet. Ended then, it says so. */
function relationAt(relation: Relation, at: Instant): Relation | null {
  const { earlier = [], ...facts } = factsOf(relation);
  const { from, to, type, weight, createdAt } = relation;
  if (createdAt <= at) return asOf({ from, to, type, weight, createdAt }, facts, at);
  const then = earlier.findLast((state) => state.createdAt <= at);
  if (then === undefined) return null;
  const { weight: weightThen, createdAt: since, until: _, ...factsThen } = then;
  return asOf({ from, to, type, weight: weightThen, createdAt: since }, factsThen, at);
}

function asOf(relation: Omit<Relation, 'body'>, facts: RelationFacts, at: Instant): Relation {
  const { endedAt, endedBy, ...rest } = facts;
  const hasEnded = endedAt !== undefined && endedAt <= at;
  return { ...relation, body: (hasEnded ? { ...rest, endedAt, endedBy } : rest) as JsonObject };
}
