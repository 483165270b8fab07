import { passOver } from '../../model/damage.ts';
import type { RecordId, SpaceId } from '../../model/ids.ts';
import type { StoredRecord } from '../../model/record.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { SpaceEntities } from '../entities/space-entities.ts';
import { createSearchableMaker } from '../records/make-searchable.ts';
import { contentOf } from '../records/record-changes.ts';
import { findSimilar } from '../search/find-similar.ts';

/** A pair that the program takes for related, and why. */
export interface Proposal {
  from: RecordId;
  to: RecordId;
  confidence: number;
  reason: string;
}

const MAX_NEAREST = 8;
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
  const make = createSearchableMaker(parts);
  const made = await make(records.map(contentOf));
  const similar = await findSimilar(
    parts,
    parts.indexes,
    records.map(({ id, content }, i) => ({
      space,
      text: content,
      vectors: made[i]!.exact,
      except: id,
      limit: MAX_NEAREST,
    })),
  );
  const entities = await parts.entities.fresh(space);
  const pairs = new Map<string, Proposal>();
  for (const [i, record] of records.entries()) {
    const near = new Map(similar[i]!.map(({ id, similarity }) => [id, similarity]));
    const shared = listSharing(entities, record.id);
    for (const to of new Set([...near.keys(), ...shared.keys()])) {
      const proposal = judge({ from: record.id, to }, { similarity: near.get(to) ?? 0, shared: shared.get(to) ?? [] });
      const key = record.id < to ? `${record.id} ${to}` : `${to} ${record.id}`;
      if ((pairs.get(key)?.confidence ?? 0) < proposal.confidence) pairs.set(key, proposal);
    }
  }
  return leaveOutOthers(parts, space, [...pairs.values()]);
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

function judge(
  ends: Pick<Proposal, 'from' | 'to'>,
  { similarity, shared }: { similarity: number; shared: readonly Shared[] },
): Proposal {
  const together = shared.reduce((sum, { named }) => sum + 2 / named, 0);
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
  return { ...ends, confidence, reason: reasons.join('; ') };
}

/** What is deleted, superseded, of another project or not a usual kind is not proposed. */
async function leaveOutOthers(
  { store, kinds }: EngineParts,
  space: SpaceId,
  proposals: readonly Proposal[],
): Promise<Proposal[]> {
  const ids = [...new Set(proposals.flatMap(({ from, to }) => [from, to]))];
  const records = ids.length === 0 ? [] : await store.getRecords(space, ids, passOver);
  const known = new Map(records.map((record) => [record.id, record]));
  const isUsable = (record: StoredRecord | undefined): record is StoredRecord =>
    record !== undefined &&
    record.deletedAt === null &&
    record.supersededBy === null &&
    kinds.usual.includes(record.kind);
  return proposals
    .filter(({ from, to }) => {
      const [a, b] = [known.get(from), known.get(to)];
      return isUsable(a) && isUsable(b) && (a.project === null || b.project === null || a.project === b.project);
    })
    .sort((a, b) => b.confidence - a.confidence);
}
