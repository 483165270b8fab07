import type { Part } from './index/part.ts';
import type { RunMatch } from './index/runs.ts';
import type { CutNeedle } from './text/word-runs.ts';

/** From this share of the records on nothing is gained by knowing which they are. */
const TOO_MANY = 1 / 4;
/** Looking at a content takes as long as reading so many numbers. */
const LOOK_COST = 300;

export interface Candidates {
  /** Ascending; null: any record. */
  records: Uint32Array | null;
  /** They hold it, and no others. */
  isExact: boolean;
}

const ANY: Candidates = { records: null, isExact: false };

/** Records of a part that may hold a text, by the runs it must consist of. */
export function findCandidates({ body, columns }: Part, { pieces, isOnePiece }: CutNeedle): Candidates {
  const runs = body?.runs ?? null;
  if (runs === null) return ANY;
  const matches = pieces
    .map((piece) => runs.match(piece))
    .filter((match): match is RunMatch => match !== null)
    .sort((a, b) => a.size - b.size);
  const [first, ...others] = matches;
  if (first === undefined || (!isOnePiece && first.size > TOO_MANY * columns.recordCount)) return ANY;
  const marks = new Uint8Array(columns.recordCount);
  let count = 0;
  let passed = 1;
  first.eachRecord((record) => {
    count += 1 - marks[record]!;
    marks[record] = 1;
  });
  for (const match of others.slice(0, MAX_PASSES)) {
    if (match.size > LOOK_COST * count) break;
    count = 0;
    match.eachRecord((record) => {
      if (marks[record] !== passed) return;
      marks[record] = passed + 1;
      count++;
    });
    passed++;
  }
  for (let i = 0; i < runs.uncut.length; i++) marks[runs.uncut[i]!] = passed;
  return { records: collect(marks, passed), isExact: isOnePiece && runs.uncut.length === 0 };
}

/** A mark is one byte. */
const MAX_PASSES = 200;

function collect(marks: Uint8Array, wanted: number): Uint32Array {
  let count = 0;
  for (let record = 0; record < marks.length; record++) if (marks[record] === wanted) count++;
  const found = new Uint32Array(count);
  for (let record = 0, at = 0; at < count; record++) if (marks[record] === wanted) found[at++] = record;
  return found;
}
