import { type Body, countLive, type Term } from './index/part.ts';
import { encodeText } from './index/string-table.ts';
import { computeIdf } from './score.ts';
import type { SearchPart } from './search-set.ts';
import { isWithinOneEdit } from './text/edit-distance.ts';
import type { QueryTerm } from './text/parse-query.ts';

/** A word of the index that a word of the query stands for. */
export interface ScoredTerm extends Term {
  /** The word of the query it stands for. */
  query: QueryTerm;
  weight: number;
  idf: number;
  matched: 'word' | 'prefix' | 'typo';
}

export interface TextPlan {
  /** Words that live docs hold, in a fixed order: sums of floats depend on it. */
  terms: ScoredTerm[];
  /** Words of the query that nothing holds. */
  missing: QueryTerm[];
  docCount: number;
  averageLength: number;
}

/** Words of the query up to this weight are its stop words. They make no match by themselves. */
export const MAX_STOP_WEIGHT = 0.2;
const MAX_EXPANSIONS = 50;
const MAX_TYPO_EXPANSIONS = 20;
const TYPO_WEIGHT = 0.6;
/** Shorter words have too many neighbours, and are neighbours of too many: "any" of "animal", whose stem is "anim". */
const MIN_TYPO_LENGTH = 4;

interface Wanted extends Term {
  query: QueryTerm;
  /** Live docs that hold it. */
  holding: number;
  /** What a prefix or a misspelt word stands for, and how many live docs hold each. */
  expansions: Map<string, number>;
}

/** Finds out which words of the index the query means and how rare each is, counting live docs only. Asks for the words of each part. */
export function* resolveTerms(
  parts: readonly SearchPart[],
  query: readonly QueryTerm[],
): Generator<SearchPart, TextPlan, Body> {
  const wanted = query.map((each): Wanted => {
    const text = each.term.toWellFormed();
    return { text, bytes: recallBytes(text), query: each, holding: 0, expansions: new Map() };
  });
  for (const each of parts) {
    const body = yield each;
    for (const term of wanted) {
      if (term.query.kind === 'prefix') expand(term, each, body, body.words.withPrefix(term));
      else term.holding += countHolding(term, each, body);
    }
  }
  const misspelt = wanted.filter((term) => isMisspelt(term, wanted));
  if (misspelt.length > 0) {
    for (const each of parts) {
      const body = yield each;
      for (const term of misspelt)
        expand(
          term,
          each,
          body,
          body.words.near(term, isWithinOneEdit).filter(({ text }) => text.length >= MIN_TYPO_LENGTH),
        );
    }
  }
  return makePlan(parts, wanted);
}

/** People ask for the same words again and again: this many are remembered, then the memory starts afresh. */
const MAX_REMEMBERED = 4096;
const remembered = new Map<string, Uint8Array>();

function recallBytes(text: string): Uint8Array {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  const bytes = encodeText(text);
  remembered.set(text, bytes);
  return bytes;
}

function countHolding(term: Term, { part }: SearchPart, body: Body): number {
  if (part.liveDocs === part.columns.docCount) return body.words.count(term);
  const postings = body.words.find(term);
  return postings === null ? 0 : countLive(part, postings);
}

function expand(term: Wanted, part: SearchPart, body: Body, others: readonly Term[]): void {
  for (const other of others) {
    const holding = countHolding(other, part, body);
    if (holding > 0) term.expansions.set(other.text, (term.expansions.get(other.text) ?? 0) + holding);
  }
}

/** Nothing holds it. Numbers are never taken for one another. The whole form of a compound is left alone where a part of it is known, and so are the stems of a prefix. */
function isMisspelt(term: Wanted, all: readonly Wanted[]): boolean {
  if (term.query.kind !== 'word' || term.holding > 0 || term.text.length < MIN_TYPO_LENGTH || /\p{N}/u.test(term.text))
    return false;
  const group = all.filter((other) => other.query.group === term.query.group);
  if (group.some((other) => other.query.kind === 'prefix')) return false;
  return group[0] !== term || group.every((other) => other.holding === 0);
}

function makePlan(parts: readonly SearchPart[], wanted: readonly Wanted[]): TextPlan {
  const docCount = parts.reduce((sum, { part }) => sum + part.liveDocs, 0);
  const length = parts.reduce((sum, { part }) => sum + part.liveLength, 0);
  const terms: ScoredTerm[] = [];
  const missing: QueryTerm[] = [];
  const said = new Set(wanted.filter((term) => term.holding > 0).map((term) => term.text));
  for (const { text, bytes, query, holding, expansions } of wanted) {
    const { weight } = query;
    if (holding > 0) terms.push({ text, bytes, query, weight, idf: computeIdf(docCount, holding), matched: 'word' });
    const matched = query.kind === 'prefix' ? 'prefix' : 'typo';
    const chosen = chooseExpansions(expansions, said, matched === 'prefix' ? MAX_EXPANSIONS : MAX_TYPO_EXPANSIONS);
    // Taken together they are one word: a rare form must not outweigh the common one.
    const together = chosen.reduce((sum, [, each]) => sum + each, 0);
    const idf = computeIdf(docCount, Math.min(docCount, together));
    const share = matched === 'prefix' ? weight : weight * TYPO_WEIGHT;
    for (const [other] of chosen)
      terms.push({ text: other, bytes: recallBytes(other), query, weight: share, idf, matched });
    if (holding === 0 && chosen.length === 0) missing.push(query);
  }
  return { terms, missing, docCount, averageLength: docCount === 0 ? 1 : length / docCount || 1 };
}

function chooseExpansions(
  expansions: ReadonlyMap<string, number>,
  said: ReadonlySet<string>,
  limit: number,
): [string, number][] {
  const fresh = [...expansions].filter(([text]) => !said.has(text));
  return fresh.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).slice(0, limit);
}
