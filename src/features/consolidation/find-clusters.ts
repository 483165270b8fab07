import type { EngineParts } from '../../engine/engine-parts.ts';
import type { Clock, Records, Relations } from '../../engine/ports.ts';
import { passOver } from '../../model/damage.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { USUAL_COSINES } from '../../search/confidence.ts';
import { countHolding } from '../../search/count-holding.ts';
import { findNear, type NearRecord } from '../../search/find-near.ts';
import { createPacer } from '../../search/index/pacer.ts';
import type { SpaceIndexes } from '../../search/space-indexes.ts';
import { weighWords } from '../../search/text/lexical-similarity.ts';
import { memoryKind } from '../memories/memory-kind.ts';
import { isRatedBad } from '../quality/score-quality.ts';
import { LEAST_COSINE } from './find-duplicates.ts';
import { findOutdated } from './withdraw-summaries.ts';

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

/** What the neighbours are wanted for: nothing is read that neither needs. */
export interface WantedNear {
  records: readonly StoredRecord[];
  duplicates: boolean;
  clusters: boolean;
}

/** The memories near each of these, and as they are stored those that may say the same or belong to a cluster; null where there are no vectors. */
export async function readNeighbourhood(
  parts: EngineParts,
  space: SpaceId,
  { records, duplicates, clusters }: WantedNear,
): Promise<Neighbourhood | null> {
  const embedder = await parts.indexes.embedderOf(space);
  if (embedder === null) return null;
  const { related } = embedder.cosines ?? USUAL_COSINES;
  const near = await findNear(parts, parts.indexes, {
    space,
    ids: records.map(({ id }) => id),
    limit: MOST_NEIGHBOURS,
    minCosine: clusters ? Math.min(LEAST_COSINE, related + NEARNESS * (1 - related)) : LEAST_COSINE,
    filter: { kindCodes: [memoryKind.code] },
  });
  if (near === null) return null;
  const known = new Map(records.map((record) => [record.id, record]));
  const wanted = [...near.values()].flatMap((found) => {
    if (clusters && found.length >= LEAST_MEMBERS - 1) return found;
    return duplicates ? found.filter(({ cosine }) => cosine >= LEAST_COSINE) : [];
  });
  const missing = [...new Set(wanted.map(({ id }) => id))].filter((id) => !known.has(id));
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
 * is in `taken`, and so is what this finds. What was rated bad is summarised nowhere.
 */
export function findClusters(seeds: readonly StoredRecord[], hood: Neighbourhood, taken: Set<RecordId>): Cluster[] {
  const clusters: Cluster[] = [];
  const free = (record: StoredRecord | undefined): record is StoredRecord =>
    record !== undefined && !taken.has(record.id) && record.source.door !== 'job' && !isRatedBad(record);
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
/** A run that changes memories leaves their earlier passages in the index until it is tidied: a rare word may seem so many times as common. */
const STALE_TIMES = 4;

interface Telling {
  space: SpaceId;
  clusters: readonly Cluster[];
  taken: Set<RecordId>;
  /** The words of memories that were asked about before: what is no cluster at one of them is often none at its neighbour. */
  terms: Map<RecordId, readonly string[]>;
}

const MOST_REMEMBERED = 2000;

/** Those that are about something: greetings and thanks are alike too, but in words that everybody uses. The members of the others are free again. */
export async function keepTelling(
  { indexes }: { indexes: SpaceIndexes },
  { space, clusters, taken, terms }: Telling,
): Promise<Cluster[]> {
  const pace = createPacer();
  const termsOf = ({ record: { id, content } }: Cluster['members'][number]): readonly string[] => {
    const known = terms.get(id) ?? weighWords(content).flatMap(({ text, each }) => (each === 1 ? [text] : []));
    if (terms.size >= MOST_REMEMBERED) terms.clear();
    terms.set(id, known);
    return known;
  };
  const telling: Cluster[] = [];
  for (const cluster of clusters) {
    await pace();
    const own = await listOwnTerms(cluster, {
      termsOf,
      countAll: (asked, most) => countHolding(indexes, space, { terms: asked, most }),
    });
    if (own.length >= LEAST_OWN_WORDS) telling.push(cluster);
    else for (const { record } of cluster.members) taken.delete(record.id);
  }
  return telling;
}

/**
 * Terms, but stop words, that at least half of the members hold and few others do. Such a term stands in one of the first half, give or take one, and
 * in no more than three times as many texts as there are members: where the first half has none, the others need not be read.
 */
async function listOwnTerms({ members }: Cluster, { termsOf, countAll }: OwnTerms): Promise<string[]> {
  const counts = new Map<string, number>();
  const first = Math.floor(members.length / 2) + 1;
  for (const member of members.slice(0, first))
    for (const term of termsOf(member)) counts.set(term, (counts.get(term) ?? 0) + 1);
  // So many of the others hold it at most.
  const possible = [...counts].filter(([, count]) => (count + members.length - first) * 2 >= members.length);
  const totals = await countAll(
    possible.map(([term]) => term),
    STALE_TIMES * (members.length / OWN_SHARE),
  );
  for (const [term] of counts) if ((totals.get(term) ?? Infinity) * OWN_SHARE > members.length) counts.delete(term);
  if (counts.size < LEAST_OWN_WORDS) return [];
  for (const member of members.slice(first))
    for (const term of termsOf(member)) {
      const known = counts.get(term);
      if (known !== undefined) counts.set(term, known + 1);
    }
  return [...counts]
    .filter(([term, count]) => count * 2 >= members.length && count >= OWN_SHARE * totals.get(term)!)
    .map(([term]) => term);
}

interface OwnTerms {
  termsOf: (member: Cluster['members'][number]) => readonly string[];
  countAll: (terms: readonly string[], most: number) => Promise<ReadonlyMap<string, number>>;
}

/**
 * Of these, what a summary was made of before: nothing is summarised twice, nor is a summary that somebody deleted made again. One that went because its sources
 * changed is.
 */
export async function listSummarised(
  { store, clock }: { store: Records & Relations; clock: Clock },
  space: SpaceId,
  ids: readonly RecordId[],
): Promise<RecordId[]> {
  const asked = new Set(ids);
  const all = ids.length === 0 ? [] : await store.listRelations(space, ids, passOver);
  const relations = all.filter(({ to, type }) => asked.has(to) && type === 'derived-from');
  const summaries = await store.getRecords(space, [...new Set(relations.map(({ from }) => from))], passOver);
  const deleted = summaries.filter(({ deletedAt }) => deletedAt !== null);
  const withdrawn = await findOutdated(store, space, { records: deleted, at: clock.now() });
  return relations.filter(({ from }) => !withdrawn.has(from)).map(({ to }) => to);
}
