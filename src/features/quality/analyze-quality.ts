import { authorize } from '../../engine/authorize.ts';
import type { EngineParts } from '../../engine/engine-parts.ts';
import { invalid } from '../../engine/records/check-text.ts';
import { readPages } from '../../engine/records/find-records.ts';
import type { Caller } from '../../model/caller.ts';
import { passOver } from '../../model/damage.ts';
import type { StoredRecord } from '../../model/record.ts';
import { memoryKind } from '../memories/memory-kind.ts';
import { titleOf } from './explain-quality.ts';
import type { QualityAnalysis, RatedMemory } from './quality.ts';
import { readQualityFacts } from './score-quality.ts';

const PAGE = 500;
const SHOWN = 10;
const HIGH = 0.7;
const MEDIUM = 0.5;

export interface AnalyzeInput {
  /** Only those of at least, and at most, this quality. */
  min?: number;
  max?: number;
}

/** Of the caller's own space, as far as memories are current. */
export async function analyzeQuality(
  parts: EngineParts,
  caller: Caller,
  { min = 0, max = 1 }: AnalyzeInput,
): Promise<QualityAnalysis> {
  authorize(caller, 'read', caller.space);
  if (!(min >= 0 && max <= 1 && min <= max)) throw invalid('min', 'and max must be between 0 and 1, min not above max');
  const analysis: QualityAnalysis = {
    total: 0,
    average: null,
    bands: { high: 0, medium: 0, low: 0 },
    origins: { rated: 0, scored: 0, used: 0, stated: 0 },
    best: [],
    worst: [],
  };
  let sum = 0;
  const filter = { kinds: [memoryKind.name] };
  for await (const { items } of readPages(parts.store, caller.space, { filter, limit: PAGE, note: passOver })) {
    for (const record of items) {
      const { quality } = record;
      if (quality < min || quality > max) continue;
      analysis.total++;
      sum += quality;
      analysis.bands[quality >= HIGH ? 'high' : quality >= MEDIUM ? 'medium' : 'low']++;
      analysis.origins[originOf(record)]++;
      keep(analysis.best, record, (a, b) => b.quality - a.quality);
      keep(analysis.worst, record, (a, b) => a.quality - b.quality);
    }
  }
  return { ...analysis, average: analysis.total === 0 ? null : sum / analysis.total };
}

function originOf(record: StoredRecord): keyof QualityAnalysis['origins'] {
  return readQualityFacts(record).events.at(-1)?.how ?? 'stated';
}

/** The first few in this order, of all that were offered. */
function keep(list: RatedMemory[], record: StoredRecord, order: (a: RatedMemory, b: RatedMemory) => number): void {
  const { id, contentHash, type, quality } = record;
  const last = list.at(-1);
  if (list.length === SHOWN && last !== undefined && order({ ...last, quality }, last) >= 0) return;
  list.push({ id, contentHash, title: titleOf(record), type, quality });
  list.sort((a, b) => order(a, b) || (a.id < b.id ? -1 : 1));
  list.length = Math.min(list.length, SHOWN);
}
