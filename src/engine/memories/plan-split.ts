import type { Change } from '../../model/change.ts';
import { avoidPair } from '../../model/cut-text.ts';
import { newRecordId } from '../../model/ids.ts';
import type { JsonObject } from '../../model/json.ts';
import type { RecordContent } from '../../model/record.ts';
import { findCurrent } from '../records/find-records.ts';
import { createChange } from '../records/record-changes.ts';
import { findTextBreak } from '../records/split-passages.ts';
import { resemblance } from './find-resembling.ts';
import { memoryKind } from './memory-kind.ts';
import { newMemory, type Planning, planDuplicate, planRefusal, remarks, type StorePlan } from './plan-store.ts';

/**
 * Several memories for one long text. Each says where it belongs: `chunk_index` (from 0), `total_chunks`, `original_hash` (of the whole text).
 * The same text again is a duplicate of the first piece; pieces are not compared with other memories.
 */
export async function planSplit(planning: Planning): Promise<StorePlan> {
  const { parts, space, now, incoming, make } = planning;
  const { splitChars, splitOverlapChars } = parts.settings;
  const pieces = splitContent(incoming.content.content, { maxChars: splitChars, overlapChars: splitOverlapChars });
  const contents = pieces.map((piece, index) => pieceOf(incoming.content, piece, { index, total: pieces.length }));
  const { kind, project, contentHash } = contents[0]!;
  const there = await findCurrent(parts.store, space, { kind, project, contentHash });
  const repeated = there !== null && (there.body.metadata as JsonObject).original_hash === incoming.content.contentHash;
  if (repeated && incoming.policy === 'refuse')
    return planRefusal(planning, [resemblance({ record: there, similarity: 1 })]);
  if (repeated && incoming.policy !== 'store') return planDuplicate(planning, there);
  const texts = await make(contents);
  const ids = contents.map(() => newRecordId(now)).sort();
  const changes = contents.map(
    (content, i): Change => createChange(ids[i]!, content, { ...texts[i]!, unlessDuplicate: false }),
  );
  const chunks = contents.map((content, i) => newMemory(space, ids[i]!, content));
  return {
    changes,
    outcome: {
      outcome: 'stored',
      memory: chunks[0]!,
      resembles: [],
      supersedes: [],
      chunks,
      ...remarks(incoming, ...texts),
    },
  };
}

function pieceOf(whole: RecordContent, text: string, position: { index: number; total: number }): RecordContent {
  const metadata = {
    ...(whole.body.metadata as JsonObject),
    chunk_index: position.index,
    total_chunks: position.total,
    original_hash: whole.contentHash,
  };
  return memoryKind.derive({ ...whole, content: text, body: { metadata } });
}

/** Cuts a long text into pieces of at most `maxChars`; each repeats up to `overlapChars` of the end of the one before. */
export function splitContent(
  content: string,
  { maxChars, overlapChars }: { maxChars: number; overlapChars: number },
): string[] {
  const overlap = Math.min(overlapChars, Math.floor(maxChars / 2) - 1);
  const pieces: string[] = [];
  let start = 0;
  while (start < content.length) {
    const end = findTextBreak(content, start, maxChars);
    const piece = content.slice(start, end).trim();
    if (piece !== '') pieces.push(piece);
    if (end >= content.length) break;
    start = overlap > 0 ? Math.max(start + 1, overlapStart(content, end, overlap)) : end;
  }
  return pieces;
}

/** Prefers to begin the repeated part with a whole word. */
function overlapStart(content: string, end: number, overlap: number): number {
  const from = avoidPair(content, end - overlap);
  const space = content.slice(from, end).search(/\s\S/u);
  return space < 0 ? from : from + space + 1;
}
