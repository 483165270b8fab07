import type { SpaceId } from '../model/ids.ts';
import { countLive } from './index/part.ts';
import { encodeText } from './index/string-table.ts';
import type { SpaceIndexes } from './space-indexes.ts';

/**
 * How many live passages of a space hold each of these terms, as the index writes them. Where more than `most` do, those that are gone may be counted,
 * too: nobody wants to know how many exactly.
 */
export function countHolding(
  indexes: SpaceIndexes,
  space: SpaceId,
  { terms, most }: { terms: readonly string[]; most: number },
): Promise<Map<string, number>> {
  return indexes.search([space], async (set) => {
    const counts = new Map<string, number>(terms.map((term) => [term, 0]));
    for (const part of set.parts) {
      const { words } = part.part.body ?? (await set.readBody(part));
      for (const term of terms) {
        const asked = { text: term, bytes: encodeText(term) };
        const all = words.count(asked);
        const postings = all === 0 || all > most ? null : words.find(asked);
        counts.set(term, counts.get(term)! + (postings === null ? all : countLive(part.part, postings)));
      }
    }
    return counts;
  });
}
