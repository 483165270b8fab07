import type { CountedTerm } from '../index/part.ts';
import { fold } from './fold.ts';
import { type ListedTerms, listTerms } from './list-terms.ts';
import { isStopWord } from './stop-words.ts';
import { type KnownWord, MAX_TERM_LENGTH } from './word-term.ts';

const WORDS_SHARE = 0.6;
const STOP_WORD_WEIGHT = 0.3;
/** A word may be a stop word in one of its forms alone. */
const SLACK = 0.02;
/** Sums of the same weights in another order. */
const ALMOST_ONE = 1 - 1e-9;
/**
 * A longer text, a document rather than a memory, is like the very same text alone: comparing the tens of thousands of different words of one with another
 * would hold up everybody.
 */
export const LONGEST_COMPARED = 30_000;
/** Two texts that differ in a number, a name in code or a negation say different things, however long they are. */
const MAX_WITH_OTHER_FACTS = 0.94;
const NEGATION =
  /^(?:no|not|never|none|without|nicht|kein|keine|nie|ohne|ne|pas|jamais|sans|nunca|sin|sem|nao|cannot|(?:do|does|did|is|are|was|were|have|has|had|wo|would|ca|could|should|must)nt)$/;

/**
 * How nearly two texts say the same in the same words, 0 to 1; 1 when only case, accents, white space or punctuation differ.
 * From about 0.85 on they share all but a word or two of a sentence: near duplicates. Paraphrases in other words stay far below.
 */
export function lexicalSimilarity(a: string, b: string): number {
  return compareRead(readText(a), readText(b));
}

/** A text as similarity reads it, for whoever compares it with many. */
export interface ReadText {
  text: string;
  words: ReadonlyMap<string, number>;
  pairs: ReadonlyMap<string, number>;
  facts: ReadonlyMap<string, number>;
}

export function readText(raw: string): ReadText {
  if (raw.length > LONGEST_COMPARED) return { text: raw, words: new Map(), pairs: new Map(), facts: new Map() };
  const { text, words, facts } = read(raw);
  return { text, words: count(words), pairs: count(neighbours(words)), facts: count(facts) };
}

export function compareRead(first: ReadText, second: ReadText): number {
  if (first.text === second.text) return 1;
  if (first.words.size === 0 || second.words.size === 0) return 0;
  const words = dice(first.words, second.words);
  const pairs = dice(first.pairs, second.pairs);
  const blend = WORDS_SHARE * words + (1 - WORDS_SHARE) * pairs;
  const similarity = blend > ALMOST_ONE ? 1 : blend;
  const facts = dice(first.facts, second.facts);
  return facts > ALMOST_ONE ? similarity : Math.min(similarity, MAX_WITH_OTHER_FACTS) * (0.9 + 0.1 * facts);
}

/**
 * The least share of one text's weight of words that another must hold to be this similar.
 * From Dice's measure: 2 × shared / (one + other) ≥ least, and the other is not lighter than what it shares. Pairs of neighbours cannot agree better than
 * words do: a word stands in two pairs, each pair weighs half of its two words, and a pair is shared only where both are.
 */
export function leastShare(similarity: number): number {
  const words = Math.max(0, similarity - SLACK);
  return words / (2 - words);
}

/** A text's words as similarity weighs them: all occurrences together, and one alone. */
export interface WeighedWord {
  text: string;
  /** Whoever looks it up keeps them here. */
  bytes: Uint8Array | undefined;
  /** What is known of it by whoever counted it last. */
  counted: CountedTerm | undefined;
  cost: number;
  weight: number;
  each: number;
}

export function weighWords(raw: string): WeighedWord[] {
  const listed = listTerms(raw);
  const weighed = new Map<string, WeighedWord>();
  for (let i = 0; i < listed.terms.length; i++) {
    if (listed.roles[i] === 'part') continue;
    const text = listed.terms[i]!;
    const weight = weightOf(roleOf(listed, i));
    const known = weighed.get(text);
    if (known === undefined)
      weighed.set(text, { text, bytes: undefined, counted: listed.words[i], cost: 0, weight, each: weight });
    else {
      known.weight += weight;
      known.each = Math.max(known.each, weight);
    }
  }
  return [...weighed.values()];
}

interface Word {
  term: string;
  weight: number;
}

function read(raw: string): { text: string; words: Word[]; facts: Word[] } {
  const { text, words, facts } = readWords(raw);
  return { text: fold(text).replace(/\s+/g, ' ').trim(), words, facts };
}

function readWords(raw: string): { text: string; words: Word[]; facts: Word[] } {
  const listed = listTerms(raw);
  const { text, terms, roles } = listed;
  const words: Word[] = [];
  const facts: Word[] = [];
  for (let i = 0; i < terms.length; i++) {
    const [term, role] = [terms[i]!, roles[i]!];
    if (role === 'part') continue;
    const said = roleOf(listed, i);
    const word = { term, weight: weightOf(said) };
    words.push(word);
    if (role === 'whole' || said === 'negates' || holdsNumber(term))
      facts.push(said === 'negates' ? { term: 'not', weight: 1 } : word);
  }
  return { text, words, facts };
}

type Role = NonNullable<KnownWord['role']>;

function roleOf({ text, starts, ends, words }: ListedTerms, i: number): Role {
  return words[i]?.role ?? judge(text.slice(starts[i], ends[i]), words[i]);
}

function weightOf(role: Role): number {
  return role === 'stops' ? STOP_WORD_WEIGHT : 1;
}

function judge(written: string, known: KnownWord | undefined): Role {
  const folded = fold(written).replace(/['’]/g, '');
  const role = NEGATION.test(folded) ? 'negates' : isStopWord(folded) ? 'stops' : 'tells';
  // A longer one is known by its beginning, which says nothing of all of it.
  if (known !== undefined && written.length <= MAX_TERM_LENGTH) known.role = role;
  return role;
}

/** The tables of numbers are asked only where a term is not made of the usual letters. */
function holdsNumber(term: string): boolean {
  return !/^[a-z]*$/.test(term) && /\p{N}/u.test(term);
}

function neighbours(words: readonly Word[]): Word[] {
  const edged = [{ term: '^', weight: 0 }, ...words, { term: '$', weight: 0 }];
  return edged
    .slice(1)
    .map((word, i) => ({ term: `${edged[i]!.term} ${word.term}`, weight: (edged[i]!.weight + word.weight) / 2 }));
}

function count(words: readonly Word[]): Map<string, number> {
  const weights = new Map<string, number>();
  for (const { term, weight } of words) weights.set(term, (weights.get(term) ?? 0) + weight);
  return weights;
}

/** Shared weight over mean weight; two empty sides agree. */
function dice(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let [shared, total] = [0, 0];
  for (const weight of a.values()) total += weight;
  for (const [term, weight] of b) {
    total += weight;
    shared += Math.min(weight, a.get(term) ?? 0);
  }
  return total === 0 ? 1 : (2 * shared) / total;
}
