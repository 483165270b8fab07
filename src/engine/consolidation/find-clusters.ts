import { passOver } from '../../model/damage.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import type { EngineParts } from '../engine-parts.ts';
import { memoryKind } from '../memories/memory-kind.ts';
import { USUAL_COSINES } from '../search/confidence.ts';
import { countHolding } from '../search/count-holding.ts';
import { findNear, type NearRecord } from '../search/find-near.ts';
import { weighWords } from '../search/text/lexical-similarity.ts';

/** Memories that belong together: each is near the first, which is the one with the most neighbours. */
export interface Cluster {
  seed: StoredRecord;
  /** The seed included. */
  members: { record: StoredRecord; cosine: number }[];
}

const LEAST_MEMBERS = 5;
const MOST_NEIGHBOURS = 24;
const AT_ONCE = 500;
/** How far between what answers a question and the same text two memories must lie to be about one thing. */
const NEARNESS = 0.4;

export interface Neighbourhood {
  near: ReadonlyMap<RecordId, readonly NearRecord[]>;
  records: ReadonlyMap<RecordId, StoredRecord>;
}

/** The memories near each of these, and all of them as they are stored; null where there are no vectors. */
export async function readNeighbourhood(
  parts: EngineParts,
  space: SpaceId,
  records: readonly StoredRecord[],
): Promise<Neighbourhood | null> {
  const embedder = await parts.indexes.embedderOf(space);
  if (embedder === null) return null;
  const { related } = embedder.cosines ?? USUAL_COSINES;
  const near = await findNear(parts, parts.indexes, {
    ...{ space, ids: records.map(({ id }) => id), limit: MOST_NEIGHBOURS },
    minCosine: related + NEARNESS * (1 - related),
    filter: { kindCodes: [memoryKind.code] },
  });
  if (near === null) return null;
  const known = new Map(records.map((record) => [record.id, record]));
  const missing = [...new Set([...near.values()].flat().map(({ id }) => id))].filter((id) => !known.has(id));
  for (let i = 0; i < missing.length; i += AT_ONCE)
    for (const record of await parts.store.getRecords(space, missing.slice(i, i + AT_ONCE), passOver))
      if (isUsable(record)) known.set(record.id, record);
  return { near, records: known };
}

function isUsable({ deletedAt, supersededBy, kind }: StoredRecord): boolean {
  return deletedAt === null && supersededBy === null && kind === memoryKind.name;
}

/**
 * Greedy, those with the most neighbours first, each memory in one cluster at most: no chain of likenesses joins what is not alike. What a summary was made of before
 * is in `taken`, and so is what this finds.
 */
export function findClusters(seeds: readonly StoredRecord[], hood: Neighbourhood, taken: Set<RecordId>): Cluster[] {
  const clusters: Cluster[] = [];
  const free = (record: StoredRecord | undefined): record is StoredRecord =>
    record !== undefined && !taken.has(record.id) && record.source.door !== 'job';
  const degree = ({ id }: StoredRecord): number => hood.near.get(id)?.length ?? 0;
  const order = seeds.filter((seed) => degree(seed) >= LEAST_MEMBERS - 1);
  for (const seed of order.sort((a, b) => degree(b) - degree(a) || (a.id < b.id ? -1 : 1))) {
    if (!free(seed)) continue;
    const members = [{ record: seed, cosine: 1 }];
    for (const { id, cosine } of hood.near.get(seed.id) ?? []) {
      const record = hood.records.get(id);
      if (free(record) && record.project === seed.project) members.push({ record, cosine });
    }
    if (members.length < LEAST_MEMBERS) continue;
    for (const { record } of members) taken.add(record.id);
    clusters.push({ seed, members });
  }
  return clusters;
}

/** A word that is the cluster's own stands nowhere else, or there at least a third of the times. */
const OWN_SHARE = 1 / 3;
const LEAST_OWN_WORDS = 2;

/** Those that are about something: greetings and thanks are alike too, but in words that everybody uses. The members of the others are free again. */
export async function keepTelling(
  { indexes }: EngineParts,
  { space, clusters, taken }: { space: SpaceId; clusters: readonly Cluster[]; taken: Set<RecordId> },
): Promise<Cluster[]> {
  const shared = clusters.map(countSharedTerms);
  const totals = await countHolding(indexes, space, [...new Set(shared.flatMap((counts) => [...counts.keys()]))]);
  return clusters.filter(({ members }, i) => {
    const own = [...shared[i]!].filter(([term, count]) => count >= OWN_SHARE * (totals.get(term) ?? 0));
    if (own.length >= LEAST_OWN_WORDS) return true;
    for (const { record } of members) taken.delete(record.id);
    return false;
  });
}

/** Terms, but stop words, that at least half of the members hold, by how many of them. */
function countSharedTerms({ members }: Cluster): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { record } of members)
    for (const { term, each } of weighWords(record.content))
      if (each === 1) counts.set(term, (counts.get(term) ?? 0) + 1);
  return new Map([...counts].filter(([, count]) => count * 2 >= members.length));
}

/** Of these, what a summary was made of before: nothing is summarised twice, nor is a summary that somebody deleted made again. */
export async function listSummarised(
  { store }: EngineParts,
  space: SpaceId,
  ids: readonly RecordId[],
): Promise<RecordId[]> {
  const asked = new Set(ids);
  const relations = ids.length === 0 ? [] : await store.listRelations(space, ids, passOver);
  return relations.filter(({ to, type }) => asked.has(to) && type === 'derived-from').map(({ to }) => to);
}
