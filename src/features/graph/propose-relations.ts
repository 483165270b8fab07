import type { EngineParts } from '../../engine/engine-parts.ts';
import type { Records } from '../../engine/ports.ts';
import type { KindTable } from '../../engine/records/kind.ts';
import { passOver } from '../../model/damage.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import { readVectors } from '../../search/find-near.ts';
import { findSimilar } from '../../search/find-similar.ts';
import { createPacer } from '../../search/index/pacer.ts';
import { compareRead, readText } from '../../search/text/lexical-similarity.ts';
import { createReasonFinder } from './find-reason.ts';
import type { SpaceEntities } from './space-entities.ts';
import { createAllEntities } from './space-entities.ts';

/** A relation that the program takes for likely, and why. */
export interface Proposal {
  from: RecordId;
  to: RecordId;
  type: string;
  confidence: number;
  reason: string;
}

/** Inferred relations below this are candidates: `node evals/graph.ts` prints the precision above it. */
export const MIN_INFERRED = 0.93;

const MAX_NEAREST = 8;
/** What is less similar and has nothing else in common is not worth a look: a confidence of 0.26. */
const LEAST_SIMILAR = 0.54;
/** What so many records name tells nothing about two of them. */
const MAX_SHARING = 12;

/**
 * For each record what it may be related to: its nearest neighbours by words and meaning, and those that name the same rare thing. Pairs that nothing brings
 * together are never looked at.
 */
export async function proposeRelations(
  parts: EngineParts,
  space: SpaceId,
  records: readonly StoredRecord[],
): Promise<Proposal[]> {
  const pace = createPacer();
  const entities = await parts.state(createAllEntities).fresh(space);
  const sharing = records.map(({ id }) => listSharing(entities, id));
  const ids = [...records.map(({ id }) => id), ...sharing.flatMap((others) => [...others.keys()])];
  const texts = await readTexts(parts, space, ids);
  const read = await readVectors(parts.indexes, space, [...texts.keys()]);
  const vectors = read?.vectors ?? new Map<RecordId, Float32Array>();
  const pairs = new Map<string, Pair>();
  for (const [i, { id, content }] of records.entries()) {
    await pace();
    const own = vectors.get(id);
    // During a change of models the index may still have the vectors of the one before.
    const known = own === undefined || read?.embedder !== parts.embedder?.id ? null : [own];
    const wanted = {
      space,
      text: content,
      vectors: known,
      except: id,
      minSimilarity: LEAST_SIMILAR,
      limit: MAX_NEAREST,
    };
    const [similar] = await findSimilar(parts, parts.indexes, [wanted]);
    const near = new Map(similar!.map((each) => [each.id, each.similarity]));
    const shared = sharing[i]!;
    const words = shared.size === 0 ? null : readText(content);
    for (const to of shared.keys()) {
      if (near.has(to) || !texts.has(to)) continue;
      await pace();
      near.set(to, Math.max(cosineOf(own, vectors.get(to)), compareRead(words!, readText(texts.get(to)!))));
    }
    for (const [to, similarity] of near) {
      const pair = judge({ from: id, to }, { similarity, shared: shared.get(to) ?? [] });
      const key = id < to ? `${id} ${to}` : `${to} ${id}`;
      if ((pairs.get(key)?.confidence ?? 0) < pair.confidence) pairs.set(key, pair);
    }
  }
  return addReasons(await leaveOutOthers(parts, space, [...pairs.values()]));
}

async function readTexts(
  { store }: { store: Records },
  space: SpaceId,
  ids: readonly RecordId[],
): Promise<Map<RecordId, string>> {
  const records = await store.getRecords(space, [...new Set(ids)], passOver);
  return new Map(records.map(({ id, content }) => [id, content]));
}

/** 0 where one of them has no vector. */
function cosineOf(a: Float32Array | undefined, b: Float32Array | undefined): number {
  let sum = 0;
  if (a !== undefined && b !== undefined) for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

interface Shared {
  key: string;
  /** How many records name it. */
  named: number;
}

/** Records that name something that few others name. */
function listSharing({ records, entities }: SpaceEntities, id: RecordId): Map<RecordId, Shared[]> {
  const sharing = new Map<RecordId, Shared[]>();
  for (const key of records.get(id)?.keys ?? []) {
    const naming = entities.get(key)?.ids ?? new Set();
    if (naming.size > MAX_SHARING) continue;
    for (const other of naming)
      if (other !== id) sharing.set(other, [...(sharing.get(other) ?? []), { key, named: naming.size }]);
  }
  return sharing;
}

/** Weights measured on the labelled notes of `evals/graph/topics.ts`; `node evals/graph.ts` prints what they are worth. */
const BIAS = -6.2;
const PER_SIMILARITY = 9.5;
const PER_SHARED = 2.4;

/** Two notes that name one ticket are about one thing; that two name one file, or one person, says less. */
function weightOf(key: string): number {
  if (/^(?:ticket|decision|url):/.test(key)) return 1;
  return key.startsWith('person:') ? 0.4 : 0.65;
}

function judge(
  ends: Pick<Proposal, 'from' | 'to'>,
  { similarity, shared }: { similarity: number; shared: readonly Shared[] },
): Pair {
  const together = shared.reduce((sum, { key, named }) => sum + weightOf(key) * (2 / named), 0);
  const odds = BIAS + PER_SIMILARITY * similarity + PER_SHARED * Math.min(2, together);
  const confidence = Math.round(1000 / (1 + Math.exp(-odds))) / 1000;
  const reasons = [
    ...(similarity > 0 ? [`${Math.round(similarity * 100)} % alike`] : []),
    ...(shared.length > 0
      ? [
          `both mention ${shared
            .map(({ key }) => key)
            .slice(0, 3)
            .join(', ')}`,
        ]
      : []),
  ];
  return { ...ends, confidence, reason: reasons.join('; '), shared: new Set(shared.map(({ key }) => key)) };
}

/** Two records that may be related, and what few others name besides them. */
interface Pair extends Omit<Proposal, 'type'> {
  shared: ReadonlySet<string>;
}

type Ends = readonly [StoredRecord, StoredRecord];

/** What is deleted, superseded, of another project or not a usual kind is not proposed. */
async function leaveOutOthers(
  { store, kinds }: { store: Records; kinds: KindTable },
  space: SpaceId,
  pairs: readonly Pair[],
): Promise<{ pair: Pair; ends: Ends }[]> {
  const ids = [...new Set(pairs.flatMap(({ from, to }) => [from, to]))];
  const records = ids.length === 0 ? [] : await store.getRecords(space, ids, passOver);
  const known = new Map(records.map((record) => [record.id, record]));
  const isUsable = (record: StoredRecord | undefined): record is StoredRecord =>
    record !== undefined &&
    record.deletedAt === null &&
    record.supersededBy === null &&
    kinds.usual.includes(record.kind);
  return pairs.flatMap((pair) => {
    const [a, b] = [known.get(pair.from), known.get(pair.to)];
    if (!isUsable(a) || !isUsable(b)) return [];
    return a.project === null || b.project === null || a.project === b.project ? [{ pair, ends: [a, b] as const }] : [];
  });
}

/** Related, as sure as that is; and where one of the texts says how, that too, as sure as the words are. */
async function addReasons(found: readonly { pair: Pair; ends: Ends }[]): Promise<Proposal[]> {
  const findReason = createReasonFinder();
  const pace = createPacer();
  const proposals: Proposal[] = [];
  for (const { pair, ends } of found) {
    await pace();
    const { shared, ...related } = pair;
    const typed = findReason(...ends, shared);
    // What is said in so many words says more than that there is some relation.
    if (typed === null || typed.confidence < Math.min(related.confidence, MIN_INFERRED))
      proposals.push({ ...related, type: 'related' });
    if (typed === null) continue;
    const { from, to, type, confidence, reason } = typed;
    proposals.push({ from: from.id, to: to.id, type, confidence, reason: `${reason}; ${related.reason}` });
  }
  return proposals.sort((a, b) => b.confidence - a.confidence);
}
