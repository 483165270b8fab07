import type { RecordId, Sequence, SpaceId } from '../model/ids.ts';
import { idAt } from './index/columns.ts';
import type { Body, Part, Postings, SoughtTerm } from './index/part.ts';
import { SegmentGone } from './index/segment-gone.ts';
import type { IndexContext, SpaceIndex } from './index/space-index.ts';

/** What one search runs over: parts of the indexes of several spaces, laid end to end. */
export interface SearchSet {
  parts: SearchPart[];
  docCount: number;
  heads: Record<SpaceId, Sequence>;
  /** Some words are not in memory: the parts must be read one after the other. */
  lean: boolean;
  /** Records that are damaged, and so not in it; and how many more are missing. */
  damaged: RecordId[];
  lost: number;
  /** How many records have damaged vectors. */
  lacksVectors: number;
  readBody(part: SearchPart): Promise<Body>;
}

export interface SearchPart {
  space: SpaceId;
  part: Part;
  /** Number of its first doc among the docs of the whole set. */
  base: number;
}

export function idOf({ part, record }: { part: SearchPart; record: number }): RecordId {
  return idAt(part.part.columns, record);
}

export function makeSearchSet(indexes: readonly SpaceIndex[], context: IndexContext): SearchSet {
  const lean = indexes.some((index) => index.lean);
  const parts: SearchPart[] = [];
  let docCount = 0;
  for (const { space, parts: own } of indexes) {
    for (const part of own) {
      if (part.columns.recordCount === 0) continue;
      parts.push({ space, part: lean ? holdStill(part) : part, base: docCount });
      docCount += part.columns.docCount;
    }
  }
  const heads = Object.fromEntries(indexes.map(({ space, head }) => [space, head]));
  const damaged = indexes.flatMap((index) => [...index.damaged]);
  const lost = indexes.reduce((sum, index) => sum + index.lost, 0);
  const lacksVectors = indexes.reduce((sum, index) => sum + index.lacksVectors.size, 0);
  return { parts, docCount, heads, lean, damaged, lost, lacksVectors, readBody: (part) => readBody(context, part) };
}

async function readBody(context: IndexContext, { space, part }: SearchPart): Promise<Body> {
  const body = part.body ?? (await context.readBody(space, part.segment!.id));
  if (body === null) throw new SegmentGone();
  return body;
}

/** A search that waits between its steps needs a picture that does not move. */
function holdStill(part: Part): Part {
  const columns = { ...part.columns };
  const { deadRecords, deadDocs, body } = part;
  const still = body === null || part.segment !== null ? body : { ...body, words: cutAt(body, columns.docCount) };
  return { ...part, columns, body: still, deadRecords: deadRecords.slice(), deadDocs: deadDocs.slice() };
}

function cutAt({ words }: Body, docCount: number): Body['words'] {
  const find = (term: SoughtTerm) => {
    const postings = words.find(term);
    return postings === null ? null : takeDocsBelow(postings, docCount);
  };
  return { ...words, find, count: (term) => find(term)?.docs.length ?? 0 };
}

function takeDocsBelow({ docs, counts }: Postings, docCount: number): Postings | null {
  const end = docs.findLastIndex((doc) => doc < docCount) + 1;
  return end === 0 ? null : { docs: docs.subarray(0, end), counts: counts.subarray(0, end) };
}
