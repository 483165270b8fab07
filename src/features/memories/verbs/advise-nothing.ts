import type { Hit, SearchResult } from '../../../model/search.ts';

type Judged = Pick<Hit, 'confidence'>;

/** Where the first hit is as likely as this, to say that probably nothing answers would be untrue. */
const MAY_ANSWER = 0.3;

export function adviseNothing([first, ...others]: readonly Judged[]): string {
  if (first!.confidence >= MAY_ANSWER)
    return `Nothing relevant found for certain: ${others.length === 0 ? 'this' : 'the first of these'} may answer it.`;
  return `Nothing relevant found: probably ${others.length === 0 ? 'this does not answer' : 'none of these answers'} it.`;
}

/** For answers that have no place for the verdict. */
export function noticesOfVerdict({
  verdict,
  hits,
}: Pick<SearchResult, 'verdict'> & { hits: readonly Judged[] }): string[] {
  return verdict === 'nothing' && hits.length > 0 ? [adviseNothing(hits)] : [];
}
