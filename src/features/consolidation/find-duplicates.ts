import type { EngineParts } from '../../engine/engine-parts.ts';
import type { RecordId } from '../../model/ids.ts';
import { isLessTrusted, type StoredRecord } from '../../model/record.ts';
import { createPacer } from '../../search/index/pacer.ts';
import { compareRead, type ReadText, readText } from '../../search/text/lexical-similarity.ts';
import { titleOf } from '../quality/explain-quality.ts';
import { protectionOf } from '../quality/gather-facts.ts';
import { findProtection } from '../quality/measure-relevance.ts';
import type { DuplicateGroup } from './consolidation.ts';
import type { Neighbourhood } from './find-clusters.ts';

/** Texts that differ in a number, a name in code or a negation never reach it, however long they are. */
export const DUPLICATE_FROM = 0.95;

/** What says the same in the same words lies at least so near; comparing words takes a hundred times as long. */
export const LEAST_COSINE = 0.85;

export interface Duplicates {
  keep: StoredRecord;
  others: { record: StoredRecord; similarity: number }[];
}

interface LookedFor {
  hood: Neighbourhood;
  taken: Set<RecordId>;
  /** Memories that have been compared with all their neighbours. */
  seen: Set<RecordId>;
  threshold: number;
}

/**
 * Memories of one project that say the same in the same words. What was found before is in `taken`, and so is what this finds; who has a key of their own, or is
 * protected, is never one of those that would go.
 */
export async function findDuplicates(
  parts: EngineParts,
  records: readonly StoredRecord[],
  { hood, taken, seen, threshold }: LookedFor,
): Promise<Duplicates[]> {
  const found: Duplicates[] = [];
  const protection = protectionOf(parts);
  const mayGo = (record: StoredRecord): boolean => findProtection(record, protection) === null;
  const pace = createPacer();
  for (const record of records) {
    if (taken.has(record.id) || !hood.near.has(record.id)) continue;
    await pace();
    seen.add(record.id);
    const read = createReader();
    const alike = (hood.near.get(record.id) ?? []).flatMap(({ id, cosine }) => {
      if (cosine < LEAST_COSINE || seen.has(id)) return [];
      const other = hood.records.get(id);
      if (other === undefined || taken.has(id) || other.project !== record.project) return [];
      if (!areOfOneLength(record.content, other.content)) return [];
      const similarity = compareRead(read(record), read(other));
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
        similarity: compareRead(read(keep!.record), read(other)),
      }))
      .filter(({ similarity }) => similarity >= threshold);
    if (others.length === 0) continue;
    for (const { id } of [keep!.record, ...others.map((other) => other.record)]) taken.add(id);
    found.push({ keep: keep!.record, others });
  }
  return found;
}

/** From a similarity of 0.85 on the shorter has three quarters of the longer one's words; letters are counted faster, and vary more. */
function areOfOneLength({ length: a }: string, { length: b }: string): boolean {
  return Math.min(a, b) >= 0.6 * Math.max(a, b);
}

/** Reads each text once, however many it is compared with. */
function createReader(): (record: StoredRecord) => ReadText {
  const known = new Map<RecordId, ReadText>();
  return ({ id, content }) => {
    const read = known.get(id) ?? readText(content);
    known.set(id, read);
    return read;
  };
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
      id: record.id,
      title: titleOf(record),
      similarity: Math.round(similarity * 1000) / 1000,
    })),
  };
}
