import { wordTerm } from './word-term.ts';

const ENDINGS =
  's es ed ing er y ly ies ation ication ization icate ate ity ability al ical ally ment ness able ible ive ize ism ance ence ion ous ful e or ational fulness iveness';

/**
 * Index terms that a prefix means but that do not begin with it, because stemming cut them shorter: authentica* means "authent".
 * Every way to read the prefix's end as the beginning of an ending is completed and stemmed.
 */
export function prefixStems(prefix: string): string[] {
  if (!/^[a-z]{3,40}$/.test(prefix)) return [];
  const stems = new Set<string>([wordTerm(prefix)]);
  for (const ending of ENDINGS.split(' ')) {
    for (let begun = 0; begun < ending.length; begun++) {
      if (prefix.endsWith(ending.slice(0, begun))) stems.add(wordTerm(prefix + ending.slice(begun)));
    }
  }
  return [...stems].filter((stem) => !stem.startsWith(prefix));
}
