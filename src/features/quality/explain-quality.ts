import type { EngineParts } from '../../engine/engine-parts.ts';
import { locate } from '../../engine/records/find-records.ts';
import type { Caller } from '../../model/caller.ts';
import { cleanText } from '../../model/hidden-characters.ts';
import type { StoredRecord } from '../../model/record.ts';
import { firstLine } from '../../search/text/make-snippet.ts';
import { memoryKind } from '../memories/memory-kind.ts';
import { type Judged, judgeRecords } from './gather-facts.ts';
import { daysSince, RELEVANCE_FORMULA } from './measure-relevance.ts';
import type { QualityReport } from './quality.ts';
import { QUALITY_FORMULA, readQualityFacts, usageScore } from './score-quality.ts';

const TITLE_CHARS = 80;

/** The number with everything it follows from. Asking is no read: it would change the answer. */
export async function explainQuality(parts: EngineParts, caller: Caller, ref: string): Promise<QualityReport> {
  const wanted = { kind: memoryKind.name, ref, action: 'read', deleted: 'exclude' } as const;
  const record = await locate(parts, caller, wanted);
  const [judged] = await judgeRecords(parts, record.space, [record]);
  return describe(judged!, parts.clock.now());
}

function describe({ record, usage, relevance }: Judged, at: number): QualityReport {
  const { id, contentHash, type, tags, quality } = record;
  return {
    id,
    contentHash,
    title: titleOf(record),
    type,
    tags,
    quality,
    facts: readQualityFacts(record),
    usage: { ...usage, daysSinceRead: daysSince(usage, at), score: usageScore(usage, at) },
    relevance,
    formula: [...QUALITY_FORMULA, ...RELEVANCE_FORMULA],
    at,
  };
}

export function titleOf({ content }: Pick<StoredRecord, 'content'>): string {
  return cleanText(firstLine(content, TITLE_CHARS));
}
