import type { EmbedderId } from '../model/passage.ts';
import type { Ranking, RankRequest } from './rank.ts';
import type { SearchSet } from './search-set.ts';

interface Noticed {
  set: SearchSet;
  ranking: Ranking;
  asked: RankRequest;
  /** Why the question has no vector although there is an embedder. */
  notice: string | null;
}

/** What a search could not do, in sentences for whoever asked. */
export function listNotices({ set, ranking, notice, asked }: Noticed): string[] {
  const notices = notice === null ? [] : [notice];
  const { passed, compared } = ranking;
  if (asked.vector === null && notice === null && !asked.useText)
    notices.push('There is no embedder: searched by words instead of meaning.');
  // Of those that lack a quoted word nobody asked for the meaning.
  if (asked.vector !== null && asked.required.length === 0 && compared < passed)
    notices.push(`${passed - compared} of ${passed} passages have no vector yet: they cannot be found by meaning.`);
  else if (asked.vector !== null && asked.required.length > 0 && lacksVectors(set, asked.vector.embedder))
    notices.push('Some passages have no vector yet: they cannot be found by meaning.');
  if (asked.vector !== null && set.lacksVectors > 0)
    notices.push(
      `Vectors of ${set.lacksVectors} records are damaged: meaning does not find them until \`ltm doctor --repair\`.`,
    );
  if (set.lost > 0)
    notices.push(`${set.lost} records are missing from the database, and cannot be found: run \`ltm doctor\`.`);
  if (set.lean)
    notices.push(
      'The index is larger than its memory budget: it was read from the store part by part, which is slower.',
    );
  return notices;
}

/** Where words are required, only those that hold them are compared: that one of the others lacks its vector bears on the ranking all the same. */
function lacksVectors({ parts }: SearchSet, embedder: EmbedderId): boolean {
  return parts.some(({ part: { body, deadDocs, columns } }) => {
    if (body === null || body.vectors?.complete === true) return false;
    const scales = body.vectors?.embedder === embedder ? body.vectors.scales : null;
    for (let doc = 0; doc < columns.docCount; doc++)
      if (deadDocs[doc] === 0 && !(scales !== null && scales[doc]! > 0)) return true;
    return false;
  });
}
