import type { DocLists } from './doc-lists.ts';
import type { Columns } from './index/columns.ts';
import type { SearchPart } from './search-set.ts';

/** Records with a doc that scores. `matches` are those docs, where somebody has listed them. */
export function countRecords(parts: readonly SearchPart[], scores: Float32Array, matches?: DocLists): number {
  let matching = 0;
  for (const [i, { part, base }] of parts.entries()) {
    const { singlePassages, docCount } = part.columns;
    matching +=
      matches !== undefined && singlePassages
        ? matches[i]!.length
        : (singlePassages ? countScores : countIn)(part.columns, scores.subarray(base, base + docCount));
  }
  return matching;
}

/** Where each doc is a record. */
function countScores({ docCount }: Columns, scores: Float32Array): number {
  const bits = new Int32Array(scores.buffer, scores.byteOffset, scores.length);
  let matching = 0;
  for (let doc = 0; doc < docCount; doc++) matching += (0 - bits[doc]!) >>> 31;
  return matching;
}

/** Scores are 0 or more, so their bits tell whether they match. Without branches: which docs match cannot be foretold, and a wrong guess costs more than the sum. */
function countIn({ docRecord, docCount }: Columns, scores: Float32Array): number {
  const bits = new Int32Array(scores.buffer, scores.byteOffset, scores.length);
  let matching = 0;
  let last = -1;
  let counted = 0;
  for (let doc = 0; doc < docCount; doc++) {
    const record = docRecord[doc]!;
    const matches = (0 - bits[doc]!) >>> 31;
    counted &= record === last ? 1 : 0;
    matching += matches & (counted ^ 1);
    counted |= matches;
    last = record;
  }
  return matching;
}
