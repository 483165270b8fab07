import type { Columns } from './index/columns.ts';
import type { SearchPart } from './search-set.ts';

/** Records with a doc that scores; `matches` names those docs for each part. */
export function countMatches(
  parts: readonly SearchPart[],
  scores: Float32Array,
  matches: readonly Uint32Array[],
): number {
  let matching = 0;
  for (const [i, { part, base }] of parts.entries()) {
    const docs = matches[i]!;
    const { docCount, singlePassages } = part.columns;
    matching += singlePassages ? docs.length : countFirsts(part.columns, scores.subarray(base, base + docCount), docs);
  }
  return matching;
}

/** Docs before which no other of their record scores. */
function countFirsts({ docRecord, docStart }: Columns, scores: Float32Array, docs: Uint32Array): number {
  let firsts = 0;
  for (let k = 0; k < docs.length; k++) {
    const start = docStart[docRecord[docs[k]!]!]!;
    let before = docs[k]! - 1;
    while (before >= start && scores[before] === 0) before--;
    if (before < start) firsts++;
  }
  return firsts;
}

/** The same where nobody has listed the docs that score. */
export function countMatching(parts: readonly SearchPart[], scores: Float32Array): number {
  let matching = 0;
  for (const { part, base } of parts)
    matching += countMatchingIn(part.columns, scores.subarray(base, base + part.columns.docCount));
  return matching;
}

/** Scores are 0 or more, so their bits tell whether they match. Without branches: which docs match cannot be foretold, and a wrong guess costs more than the sum. */
function countMatchingIn({ docRecord, docCount, singlePassages }: Columns, scores: Float32Array): number {
  const bits = new Int32Array(scores.buffer, scores.byteOffset, scores.length);
  let matching = 0;
  if (singlePassages) {
    for (let doc = 0; doc < docCount; doc++) matching += isPositive(bits[doc]!);
    return matching;
  }
  let last = -1;
  let counted = 0;
  for (let doc = 0; doc < docCount; doc++) {
    const record = docRecord[doc]!;
    const matches = isPositive(bits[doc]!);
    counted &= record === last ? 1 : 0;
    matching += matches & (counted ^ 1);
    counted |= matches;
    last = record;
  }
  return matching;
}

function isPositive(bits: number): number {
  return (0 - bits) >>> 31;
}
