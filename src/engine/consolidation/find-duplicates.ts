import type { DuplicateGroup } from '../../model/consolidation.ts';
import type { RecordId } from '../../model/ids.ts';
import { isLessTrusted, type StoredRecord } from '../../model/record.ts';
import type { EngineParts } from '../engine-parts.ts';
import { titleOf } from '../quality/explain-quality.ts';
import { protectionOf } from '../quality/gather-facts.ts';
import { findProtection } from '../quality/measure-relevance.ts';
import { lexicalSimilarity } from '../search/text/lexical-similarity.ts';
import type { Neighbourhood } from './find-clusters.ts';

/** Texts that differ in a number, a name in code or a negation never reach it, however long they are. */
export const DUPLICATE_FROM = 0.95;

/** What says the same in the same words lies at least so near; comparing words takes a hundred times as long. */
const LEAST_COSINE = 0.85;

export interface Duplicates {
  keep: StoredRecord;
  others: { record: StoredRecord; similarity: number }[];
}

/**
 * Memories of one project that say the same in the same words. What was found before is in `taken`, and so is what this finds; who has a key of their own, or is
 * protected, is never one of those that would go.
 */
export function findDuplicates(
  parts: EngineParts,
  records: readonly StoredRecord[],
  { hood, taken, threshold }: { hood: Neighbourhood; taken: Set<RecordId>; threshold: number },
): Duplicates[] {
  const found: Duplicates[] = [];
  const protection = protectionOf(parts);
  const mayGo = (record: StoredRecord): boolean => findProtection(record, protection) === null;
  for (const record of records) {
    if (taken.has(record.id)) continue;
    const alike = (hood.near.get(record.id) ?? []).flatMap(({ id, cosine }) => {
      if (cosine < LEAST_COSINE) return [];
      const other = hood.records.get(id);
      if (other === undefined || taken.has(id) || other.project !== record.project) return [];
      const similarity = lexicalSimilarity(record.content, other.content);
      return similarity >= threshold ? [{ record: other, similarity }] : [];
    });
    if (alike.length === 0) continue;
    const [keep, ...rest] = [{ record, similarity: 1 }, ...alike].sort((a, b) =>
      compareWorth(parts, a.record, b.record),
    );
    const others = rest
      .filter((other) => mayGo(other.record))
      .map(({ record: other }) => ({
        record: other,
        similarity: lexicalSimilarity(keep!.record.content, other.content),
      }))
      .filter(({ similarity }) => similarity >= threshold);
    if (others.length === 0) continue;
    for (const { id } of [keep!.record, ...others.map((other) => other.record)]) taken.add(id);
    found.push({ keep: keep!.record, others });
  }
  return found;
}

/** The one to keep comes first: protected, more trusted, better, older. */
function compareWorth(parts: EngineParts, a: StoredRecord, b: StoredRecord): number {
  const protection = protectionOf(parts);
  const rank = (record: StoredRecord): number => (findProtection(record, protection) === null ? 1 : 0);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (a.trust !== b.trust) return isLessTrusted(a.trust, b.trust) ? 1 : -1;
  return b.quality - a.quality || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);
}

export function describeDuplicates({ keep, others }: Duplicates): DuplicateGroup {
  return {
    keep: { id: keep.id, title: titleOf(keep) },
    others: others.map(({ record, similarity }) => ({
      ...{ id: record.id, title: titleOf(record), similarity: Math.round(similarity * 1000) / 1000 },
    })),
  };
}
