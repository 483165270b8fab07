import type { SpaceId } from '../../model/ids.ts';
import { countLive } from './index/part.ts';
import { encodeText } from './index/string-table.ts';
import type { SpaceIndexes } from './space-indexes.ts';

/** How many live passages of a space hold each of these terms, as the index writes them. */
export function countHolding(
  indexes: SpaceIndexes,
  space: SpaceId,
  terms: readonly string[],
): Promise<Map<string, number>> {
  return indexes.search([space], async (set) => {
    const counts = new Map<string, number>(terms.map((term) => [term, 0]));
    for (const part of set.parts) {
      const { words } = part.part.body ?? (await set.readBody(part));
      for (const term of terms) {
        const postings = words.find({ text: term, bytes: encodeText(term) });
        if (postings !== null) counts.set(term, counts.get(term)! + countLive(part.part, postings));
      }
    }
    return counts;
  });
}
