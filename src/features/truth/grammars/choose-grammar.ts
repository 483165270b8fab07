import { ENGLISH } from './english.ts';
import { FRENCH } from './french.ts';
import { GERMAN } from './german.ts';
import type { Grammar } from './grammar.ts';
import { PORTUGUESE } from './portuguese.ts';
import { SPANISH } from './spanish.ts';

/** English first: it is meant where a sentence fits several. */
const GRAMMARS: readonly Grammar[] = [ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE];

/** The language of which a sentence has the most small words. */
export function chooseGrammar(sentence: string): Grammar {
  const words = sentence.toLowerCase().match(/\p{L}+/gu) ?? [];
  let best = ENGLISH;
  let most = 0;
  for (const grammar of GRAMMARS) {
    const { verbs, fillers, negations, modals, us } = grammar;
    let count = 0;
    for (const word of words)
      if (verbs.has(word) || fillers.has(word) || negations.has(word) || modals.has(word) || us.has(word)) count++;
    if (count > most) [best, most] = [grammar, count];
  }
  return best;
}
