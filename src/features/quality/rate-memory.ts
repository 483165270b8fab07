import type { EngineParts } from '../../engine/engine-parts.ts';
import { changeRecord } from '../../engine/records/change-record.ts';
import { checkText } from '../../engine/records/check-text.ts';
import { type KindTable, passagesOf } from '../../engine/records/kind.ts';
import { contentOf, updateChange } from '../../engine/records/record-changes.ts';
import { openRedactor } from '../../engine/records/redact-content.ts';
import type { Caller } from '../../model/caller.ts';
import { EngineError } from '../../model/errors.ts';
import type { RecordContent, StoredRecord } from '../../model/record.ts';
import type { Memory } from '../memories/memory.ts';
import { memoryKind } from '../memories/memory-kind.ts';
import { toMemory } from '../memories/to-memory.ts';
import { type QualityEvent, RATINGS, type Rating } from './quality.ts';
import { withQualityEvent } from './score-quality.ts';

export interface RateInput {
  ref: string;
  rating: Rating;
  feedback?: string;
}

export interface RatedOutcome {
  memory: Memory;
  /** What it was before, and is now. */
  previous: number;
  quality: number;
}

/** What somebody thinks of a memory. The time of its last change stays: what it says is the same. */
export async function rateMemory(parts: EngineParts, caller: Caller, input: RateInput): Promise<RatedOutcome> {
  const { ref, rating, feedback } = input;
  if (!RATINGS.includes(rating))
    throw new EngineError('invalid_input', 'A rating is -1 (bad), 0 (neutral) or 1 (good).', {
      details: { field: 'rating' },
    });
  if (feedback !== undefined) checkText('feedback', feedback);
  const said = (await openRedactor(parts, caller)).value('feedback', feedback ?? null).value;
  const by = caller.agent ?? caller.client ?? caller.userId;
  const event = (at: number): QualityEvent => ({
    how: 'rated',
    rating,
    by,
    at,
    ...(said !== null && { feedback: said }),
  });
  return addQualityEvent(parts, caller, { ref, event, reason: `rated ${rating}` });
}

/** Adds an event to what is known of a memory's quality, and keeps what it was as a version. */
export function addQualityEvent(
  parts: EngineParts,
  caller: Caller,
  { ref, event, reason }: { ref: string; event: (at: number) => QualityEvent; reason: string },
): Promise<RatedOutcome> {
  return changeRecord<RatedOutcome>(parts, caller, {
    kind: memoryKind.name,
    ref,
    async plan(record) {
      const content = withQualityEvent(contentOf(record), event(parts.clock.now()));
      const change = planQuality(parts, record, { content, reason });
      const memory = toMemory({ ...record, ...change.content, revision: record.revision + 1 });
      return { changes: [change], outcome: { memory, previous: record.quality, quality: content.quality } };
    },
  });
}

/** Its text is as it was, and so are its passages and their vectors. */
export function planQuality(
  { kinds }: { kinds: KindTable },
  record: StoredRecord,
  { content, reason }: { content: RecordContent; reason?: string },
) {
  const passages = passagesOf(kinds.need(record.kind), record);
  return updateChange(record, content, { passages, vectors: [], unlessDuplicate: false, reason });
}
