import type { Hit, SearchResult } from '../../model/search.ts';

/** Leaves out whole hits from the end until the rest fits, but never the first. */
export function cutAnswer(
  hits: readonly Hit[],
  maxChars: number,
): { shown: Hit[]; truncated: SearchResult['truncated'] } {
  const totalChars = FRAME + hits.reduce((sum, hit) => sum + measureHit(hit), 0);
  if (maxChars === 0 || totalChars <= maxChars) return { shown: [...hits], truncated: null };
  const shown: Hit[] = [];
  let chars = FRAME;
  for (const hit of hits) {
    const size = measureHit(hit);
    if (shown.length > 0 && chars + size > maxChars) break;
    shown.push(hit);
    chars += size;
  }
  const omitted = hits.length - shown.length;
  return { shown, truncated: omitted === 0 ? null : { shown: shown.length, omitted, chars, totalChars } };
}

/** What stands around the hits of an answer to an agent, and around the texts of each: id, age, names of fields, notices. */
const FRAME = 300;
const AROUND = 120;

/** About as many characters as an agent gets to read. */
function measureHit({ title, snippet, tags, project, type }: Hit): number {
  const labels = [...tags, project ?? '', type].join(', ').length;
  const shownTitle = snippet.startsWith(title.replace(/…$/, '')) ? 0 : title.length;
  const marks = snippet.split('\n').length * 5;
  return AROUND + labels + shownTitle + snippet.length + marks;
}
