import type { Hit, SearchResult } from '../../model/search.ts';

/** Leaves out whole hits from the end until the rest fits, but never the first. */
export function cutAnswer(
  hits: readonly Hit[],
  maxChars: number,
): { shown: Hit[]; truncated: SearchResult['truncated'] } {
  const totalChars = hits.reduce((sum, hit) => sum + hit.snippet.length, 0);
  if (maxChars === 0 || totalChars <= maxChars) return { shown: [...hits], truncated: null };
  const shown: Hit[] = [];
  let chars = 0;
  for (const hit of hits) {
    if (shown.length > 0 && chars + hit.snippet.length > maxChars) break;
    shown.push(hit);
    chars += hit.snippet.length;
  }
  const omitted = hits.length - shown.length;
  return { shown, truncated: omitted === 0 ? null : { shown: shown.length, omitted, chars, totalChars } };
}
