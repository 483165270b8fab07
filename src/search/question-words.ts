import type { ScoredTerm, TextPlan } from './resolve-terms.ts';
import { computeIdf } from './score.ts';
import type { QueryTerm } from './text/parse-query.ts';

/** What one word of the question was taken for. */
export interface QuestionWord {
  isPrefix: boolean;
  values: readonly Value[];
  /** What it is worth by how rare it is here and how much it says (stop words little). */
  possible: number;
  /** As it is written, and how much it counts as a word of a question: stop words little. */
  word: string;
  weight: number;
  /** What those of its terms are worth that nothing holds, and whether they are all of them. */
  missing: number;
  isMissing: boolean;
  /** Written like a name, though it does not begin the question, or with a digit. */
  isName: boolean;
}

/** A term of the question, what it is worth, and the terms of the index that stand for it; none where the index knows none. */
interface Value {
  query: QueryTerm;
  possible: number;
  terms: readonly ScoredTerm[];
}

export function listQuestionWords({ terms, missing, docCount }: TextPlan): QuestionWord[] {
  const rarest = computeIdf(docCount, 0);
  const known = [...Map.groupBy(terms, ({ query }) => query)].map(
    ([query, own]): Value => ({ query, possible: maxOf(own, ({ idf }) => idf * query.weight), terms: own }),
  );
  const values = [...known, ...missing.map((query): Value => ({ query, possible: rarest * query.weight, terms: [] }))];
  return [...Map.groupBy(values, ({ query }) => query.group)].map(([place, group]) => {
    const isPrefix = group.some(({ query }) => query.kind === 'prefix');
    const word = group.reduce((longest, { query }) => (query.word.length > longest.length ? query.word : longest), '');
    return {
      isPrefix,
      values: group,
      possible: isPrefix
        ? maxOf(group, ({ possible }) => possible)
        : group.reduce((sum, { possible }) => sum + possible, 0),
      weight: Math.min(
        1,
        maxOf(group, ({ query }) => query.weight),
      ),
      missing: group.reduce((sum, { possible, terms: own }) => sum + (own.length === 0 ? possible : 0), 0),
      isMissing: group.every((value) => value.terms.length === 0),
      isName: place > 0 ? /^\p{Lu}|\d/u.test(word) : /\d/.test(word),
      word,
    };
  });
}

export interface MeasuredHit {
  /** Of each word, how much of it the passage holds: 0 to 1. */
  parts: readonly number[];
  /** The share of the words that it holds, each counted by how rare it is and how much it says (stop words little). */
  share: number;
}

export function measureHit(words: readonly QuestionWord[], held: readonly ScoredTerm[]): MeasuredHit {
  const parts: number[] = [];
  let possible = 0;
  let found = 0;
  for (const word of words) {
    const { part, worth, of } = measureHeld(word, held);
    parts.push(part);
    possible += of;
    found += worth;
  }
  return { parts, share: possible === 0 ? 0 : found / possible };
}

/** What a passage holds of a word: 0 to 1, what that is worth, and of how much. Terms of a prefix are different ways to say one word. */
function measureHeld(word: QuestionWord, held: readonly ScoredTerm[]): { part: number; worth: number; of: number } {
  const worth = heldWorth(word, held);
  const of = word.isPrefix && worth > 0 ? worth : word.possible;
  return { part: of === 0 ? 0 : Math.min(1, worth / of), worth, of };
}

/** Of a prefix the best that is held counts, of a compound each of its parts. */
function heldWorth({ isPrefix, values }: QuestionWord, held: readonly ScoredTerm[]): number {
  if (isPrefix) return maxOf(values, (value) => bestHeld(value, held));
  let sum = 0;
  for (const value of values) sum += bestHeld(value, held);
  return sum;
}

/** What the best of the held terms that stand for the word gives. */
function bestHeld({ terms }: Value, held: readonly ScoredTerm[]): number {
  let best = 0;
  for (const term of terms) if (held.includes(term)) best = Math.max(best, term.idf * term.weight);
  return best;
}

function maxOf<T>(items: readonly T[], worthOf: (item: T) => number): number {
  let most = -Infinity;
  for (const item of items) most = Math.max(most, worthOf(item));
  return most;
}
