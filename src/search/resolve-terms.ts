import { type Body, countLive, type Term } from './index/part.ts';
import { encodeText } from './index/string-table.ts';
import { computeIdf } from './score.ts';
import type { SearchPart } from './search-set.ts';
import { isWithinOneEdit } from './text/edit-distance.ts';
import type { QueryTerm } from './text/parse-query.ts';
import { isForm, listAttached, openingOf } from './text/word-forms.ts';

/** A word of the index that a word of the query stands for. */
export interface ScoredTerm extends Term {
  /** The word of the query it stands for. */
  query: QueryTerm;
  weight: number;
  idf: number;
  matched: 'word' | 'prefix' | 'form' | 'typo';
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
const MAX_FORMS = 12;
/** From 0.5 to 0.9 recall is the same within a point, in Russian, German, Turkish, Arabic and Hindi. */
const FORM_WEIGHT = 0.8;
/** Shorter words have too many neighbours, and are neighbours of too many: "any" of "animal", whose stem is "anim". */
const MIN_TYPO_LENGTH = 4;

/** How many words one may stand for, and what each of them counts beside it. */
const EXPANSIONS = {
  prefix: { most: MAX_EXPANSIONS, worth: 1 },
  form: { most: MAX_FORMS, worth: FORM_WEIGHT },
  typo: { most: MAX_TYPO_EXPANSIONS, worth: TYPO_WEIGHT },
};

interface Wanted extends Term {
  query: QueryTerm;
  /** Live docs that hold it. */
  holding: number;
  /** What a prefix, a word with forms or a misspelt word stands for besides, and how many live docs hold each. */
  expansions: Map<string, number>;
  expandedBy: keyof typeof EXPANSIONS;
}

/** Finds out which words of the index the query means and how rare each is, counting live docs only. Asks for the words of each part. */
export function* resolveTerms(
  parts: readonly SearchPart[],
  query: readonly QueryTerm[],
): Generator<SearchPart, TextPlan, Body> {
  const wanted = query.map((each): Wanted => {
    const text = each.term.toWellFormed();
    const expandedBy = each.kind === 'prefix' ? 'prefix' : 'form';
    return { text, bytes: recallBytes(text), query: each, holding: 0, expansions: new Map(), expandedBy };
  });
  for (const each of parts) {
    const body = yield each;
    for (const term of wanted) {
      if (term.query.kind === 'prefix') expand(term, each, body, body.words.withPrefix(term, Infinity) ?? []);
      else term.holding += countHolding(term, each, body);
      if (term.query.hasForms === true) expand(term, each, body, findForms(term, body));
    }
  }
  const misspelt = wanted.filter((term) => isMisspelt(term, wanted));
  for (const term of misspelt) term.expandedBy = 'typo';
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

/** Where more words begin alike in a part, only those that begin with the whole word are looked at: a walk through so many takes two milliseconds. */
const MOST_ALIKE = 2000;

function findForms({ text, bytes }: Term, { words }: Body): Term[] {
  const opening = openingOf(text);
  const alike =
    words.withPrefix({ text: opening, bytes: recallBytes(opening) }, MOST_ALIKE) ??
    words.withPrefix({ text, bytes }, MOST_ALIKE) ??
    [];
  const attached = listAttached(text).map((each) => ({ text: each, bytes: recallBytes(each) }));
  return [...alike.filter((other) => isForm(text, other.text)), ...attached.filter((other) => words.count(other) > 0)];
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

/** Nothing holds it or a form of it. Numbers are never taken for one another. The whole form of a compound is left alone where a part of it is known, and so are the stems of a prefix. */
function isMisspelt(term: Wanted, all: readonly Wanted[]): boolean {
  if (
    term.query.kind !== 'word' ||
    term.holding > 0 ||
    term.expansions.size > 0 ||
    term.text.length < MIN_TYPO_LENGTH ||
    /\p{N}/u.test(term.text)
  )
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
  for (const { text, bytes, query, holding, expansions, expandedBy: matched } of wanted) {
    const { weight } = query;
    if (holding > 0) terms.push({ text, bytes, query, weight, idf: computeIdf(docCount, holding), matched: 'word' });
    const { most, worth } = EXPANSIONS[matched];
    const chosen = chooseExpansions(expansions, said, most);
    // Taken together they are one word: a rare form must not outweigh the common one.
    const together = chosen.reduce((sum, [, each]) => sum + each, holding);
    const idf = computeIdf(docCount, Math.min(docCount, together));
    const share = weight * worth;
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
