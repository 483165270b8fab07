import type { EngineParts } from '../../../engine/engine-parts.ts';
import type { Clock, Records } from '../../../engine/ports.ts';
import { findStated } from '../../../engine/rejections/space-rejections.ts';
import type { Caller } from '../../../model/caller.ts';
import { passOver } from '../../../model/damage.ts';
import { hashContent, type StoredRecord } from '../../../model/record.ts';
import { memoryKind } from '../../memories/memory-kind.ts';
import { isRatedBad } from '../../quality/score-quality.ts';
import { withoutRemember } from '../remember-prompt.ts';
import type { ContextLine } from './context-line.ts';

/** Of so many lines with the same text. */
const COPIES = 20;

/**
 * What is told of a session may repeat what somebody has taken back since: a line is given only while none of what it says was rejected, deleted, replaced or rated
 * bad as a memory, or has ceased to hold.
 */
export async function keepStanding(
  parts: EngineParts,
  caller: Caller,
  lines: readonly ContextLine[],
): Promise<ContextLine[]> {
  if (lines.length === 0) return [];
  const state = await parts.rejections.fresh(caller.space);
  const isRejected = ({ session, said, says }: ContextLine): boolean =>
    [said, ...says].some((text) => findStated(state, text, session === null ? null : `session:${session}`) !== null);
  const left = lines.filter((line) => !isRejected(line));
  const told = left.filter(({ kind }) => kind !== memoryKind.name);
  const hashes = [...new Set(told.flatMap(hashesOf))];
  const found = await Promise.all(hashes.map((hash) => isTakenBack(parts, caller, hash)));
  const takenBack = new Set(hashes.filter((_hash, i) => found[i]));
  return left.filter((line) => line.kind === memoryKind.name || !hashesOf(line).some((hash) => takenBack.has(hash)));
}

/** A memory is often the sentence without its stop. */
const STOPS = /[.!。！…]+$/u;

function hashesOf({ said, says }: ContextLine): string[] {
  const texts = [said, ...says].map(withoutRemember);
  return [...new Set(texts.flatMap((text) => [text, text.replace(STOPS, '')]))].map(hashContent);
}

/** There were memories that said so, and none of them stands any more. */
async function isTakenBack(
  { store, clock }: { store: Records; clock: Clock },
  { space }: Caller,
  contentHash: string,
): Promise<boolean> {
  const filter = { contentHash, kinds: [memoryKind.name], deleted: 'include', includeSuperseded: true } as const;
  const { items } = await store.listRecords(space, filter, { limit: COPIES, total: false }, passOver);
  const now = clock.now();
  return items.length > 0 && !items.some((record) => stands(record, now));
}

function stands(record: StoredRecord, now: number): boolean {
  const { deletedAt, supersededBy, validFrom, validUntil } = record;
  const holds = (validFrom ?? now) <= now && (validUntil ?? Number.POSITIVE_INFINITY) > now;
  return deletedAt === null && supersededBy === null && holds && !isRatedBad(record);
}
