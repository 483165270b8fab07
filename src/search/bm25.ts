import type { DocLists } from './doc-lists.ts';
import type { Body, Postings, Words } from './index/part.ts';
import { seekDoc } from './index/seek-doc.ts';
import { maskPhraseWords } from './phrase-words.ts';
import { MAX_STOP_WEIGHT, type ScoredTerm, type TextPlan } from './resolve-terms.ts';
import { MAX_SATURATION, saturate } from './score.ts';
import type { SearchPart } from './search-set.ts';

/** Counts and lengths for which BM25's quotient is looked up instead of divided anew for every posting. */
const TABLE_COUNTS = 8;
const TABLE_LENGTHS = 1024;

/** What `saturate` gives for the usual counts and lengths. */
interface Bm25Table {
  averageLength: number;
  lengths: number;
  shares: Float64Array;
}

let lastMade: Bm25Table | null = null;

/** The last one is kept: as long as nothing is written every search needs the same. */
function makeBm25Table(averageLength: number, maxLength: number): Bm25Table {
  const lengths = Math.min(maxLength + 1, TABLE_LENGTHS);
  if (lastMade?.averageLength === averageLength && lastMade.lengths === lengths) return lastMade;
  const shares = new Float64Array(TABLE_COUNTS * lengths);
  for (let count = 1; count < TABLE_COUNTS; count++) {
    for (let length = 0; length < lengths; length++)
      shares[count * lengths + length] = saturate(count, length, averageLength);
  }
  lastMade = { averageLength, lengths, shares };
  return lastMade;
}

function shareOf({ averageLength, lengths, shares }: Bm25Table, count: number, length: number): number {
  return count < TABLE_COUNTS && length < lengths
    ? shares[count * lengths + length]!
    : saturate(count, length, averageLength);
}

/** BM25 over all docs: keywords first, which make a match, then stop words, which only order what matches. */
export interface Bm25 {
  parts: readonly SearchPart[];
  /** For each part, 1 where a doc may be found; null: every one. Narrowed to docs that hold the required words. */
  masks: (Uint8Array | null)[];
  /** One score for each doc of the set. */
  text: Float32Array;
  /** The docs that match, in no order; none before the keywords are scored. */
  matches: Uint32Array[];
  /** Room for the matches of all parts and one more. */
  list: Uint32Array;
  required: readonly string[];
  table: Bm25Table;
  keywords: ScoredTerm[];
  stopWords: ScoredTerm[];
}

export function planBm25(plan: TextPlan, given: Pick<Bm25, 'parts' | 'masks' | 'text' | 'list' | 'required'>): Bm25 {
  const maxLength = given.parts.reduce((longest, { part }) => Math.max(longest, part.columns.maxLength), 0);
  const isStopWord = (term: ScoredTerm) => term.query.weight <= MAX_STOP_WEIGHT;
  return {
    ...given,
    matches: given.parts.map(() => new Uint32Array(0)),
    table: makeBm25Table(plan.averageLength, maxLength),
    keywords: plan.terms.filter((term) => !isStopWord(term)),
    stopWords: plan.terms.filter(isStopWord),
  };
}

/** Dead and hidden docs are scored too and then set to 0: leaving them out is cheaper once than for every word. */
export function* scoreKeywords(bm25: Bm25): Generator<SearchPart, void, Body> {
  const { parts, masks, list, matches, required, keywords } = bm25;
  for (const [i, each] of parts.entries()) {
    const { part, base } = each;
    const body = yield each;
    const own = list.subarray(base, base + part.columns.docCount + 1);
    const target = targetIn(bm25, each);
    const found = addKeywords(listImpacts(body.words, keywords), target, own);
    if (required.length > 0) masks[i] = maskPhraseWords(part, body, { required, mask: masks[i]! });
    matches[i] = dropHidden(own.subarray(0, found), masks[i]!, target.scores);
  }
}

/** A word's list, and what an occurrence is worth. */
interface WordImpact extends Postings {
  factor: number;
}

function listImpacts({ find }: Words, terms: readonly ScoredTerm[]): WordImpact[] {
  const impacts: WordImpact[] = [];
  for (const term of terms) {
    const postings = find(term);
    if (postings === null) continue;
    impacts.push({ docs: postings.docs, counts: postings.counts, factor: term.weight * term.idf });
  }
  return impacts;
}

/** So many docs at a time: their scores and lengths stay in the processor's second cache from one word to the next. */
const DOCS_AT_ONCE = 1 << 14;

/** Word after word, since sums of floats depend on the order. Lists the docs that match, and returns how many they are. */
function addKeywords(words: readonly WordImpact[], target: Target, own: Uint32Array): number {
  const { length } = target.scores;
  const from = words.map(() => 0);
  let found = 0;
  for (let start = 0; start < length; start += DOCS_AT_ONCE) {
    const isLast = start + DOCS_AT_ONCE >= length;
    for (let i = 0; i < words.length; i++) {
      const word = words[i]!;
      const to = isLast ? word.docs.length : seekDoc(word.docs, start + DOCS_AT_ONCE, from[i]!);
      found = addToAll(word, target, { own, found, from: from[i]!, to });
      from[i] = to;
    }
  }
  return found;
}

/** Adds the stop words to everything that matches. */
export function* addStopWords(bm25: Bm25): Generator<SearchPart, void, Body> {
  const { parts, matches, stopWords } = bm25;
  if (stopWords.length === 0) return;
  for (const [i, each] of parts.entries()) {
    const { words } = yield each;
    addInOrder(bm25, { words, docs: matches[i]!, target: targetIn(bm25, each) }, addToMatches);
  }
}

/** Adds them to these docs alone, which ascend: each is looked up in the words' lists. */
export function* addStopWordsTo(bm25: Bm25, docs: DocLists): Generator<SearchPart, void, Body> {
  for (const [i, each] of bm25.parts.entries()) {
    if (docs[i]!.length === 0) continue;
    const { words } = yield each;
    addInOrder(bm25, { words, docs: docs[i]!, target: targetIn(bm25, each) }, addByLookup);
  }
}

interface Adding {
  words: Words;
  docs: Uint32Array;
  target: Target;
}

/** Term after term, since sums of floats depend on the order; those whose counts lie by doc, as long as they follow each other, in one go. */
function addInOrder(
  { stopWords }: Bm25,
  { words, docs, target }: Adding,
  addOne: (docs: Uint32Array, postings: Postings, impact: Impact) => void,
): void {
  const together: DenseWord[] = [];
  for (const term of stopWords) {
    const factor = term.weight * term.idf;
    const counts = words.countsByDoc(term);
    if (counts !== null) {
      together.push({ counts, factor });
      continue;
    }
    addByCounts(docs, together.splice(0), target);
    addOne(docs, words.find(term) ?? NO_POSTINGS, { ...target, factor });
  }
  addByCounts(docs, together, target);
}

/** The most that the stop words can add to one doc. */
export function greatestGain({ stopWords }: Bm25): number {
  return stopWords.reduce((sum, { weight, idf }) => sum + weight * idf * MAX_SATURATION, 0);
}

const NO_POSTINGS: Postings = { docs: new Uint32Array(0), counts: new Uint8Array(0) };

interface Target {
  docLength: Uint16Array;
  table: Bm25Table;
  scores: Float32Array;
}

interface Impact extends Target {
  factor: number;
}

interface DenseWord {
  counts: Uint8Array;
  factor: number;
}

function targetIn({ text, table }: Bm25, { part, base }: SearchPart): Target {
  const { docLength, docCount } = part.columns;
  return { docLength, table, scores: text.subarray(base, base + docCount) };
}

interface Stretch {
  own: Uint32Array;
  found: number;
  from: number;
  to: number;
}

/** Lists docs that did not match before, and returns how many do now. */
function addToAll(
  { docs, counts, factor }: WordImpact,
  { docLength, table, scores }: Target,
  { own, found, from, to }: Stretch,
): number {
  const { lengths, shares } = table;
  let next = found;
  for (let i = from; i < to; i++) {
    const doc = docs[i]!;
    const at = counts[i]! * lengths + docLength[doc]!;
    // As shareOf does; most of the time of a search by words goes by in this loop.
    const share =
      counts[i]! < TABLE_COUNTS && docLength[doc]! < lengths
        ? shares[at]!
        : shareOf(table, counts[i]!, docLength[doc]!);
    const before = scores[doc]!;
    // Written in any case and kept only when new: whether a doc is new cannot be foretold, and a wrong guess costs more.
    own[next] = doc;
    next += before === 0 ? 1 : 0;
    scores[doc] = before + factor * share;
  }
  return next;
}

function dropHidden(found: Uint32Array, mask: Uint8Array | null, scores: Float32Array): Uint32Array {
  if (mask === null) return found;
  let kept = 0;
  for (let i = 0; i < found.length; i++) {
    const doc = found[i]!;
    found[kept] = doc;
    if (mask[doc] === 0) scores[doc] = 0;
    else kept++;
  }
  return found.subarray(0, kept);
}

/** Whether a doc matches cannot be foretold: to those that do not, nothing is added. Scores are 0 or more, so their bits tell. */
function addToMatches(
  _matches: Uint32Array,
  { docs, counts }: Postings,
  { factor, docLength, table, scores }: Impact,
): void {
  const { lengths, shares } = table;
  const bits = new Int32Array(scores.buffer, scores.byteOffset, scores.length);
  for (let i = 0; i < docs.length; i++) {
    const doc = docs[i]!;
    const length = docLength[doc]!;
    const isUsual = counts[i]! < TABLE_COUNTS && length < lengths;
    const share = isUsual ? shares[counts[i]! * lengths + length]! : shareOf(table, counts[i]!, length);
    scores[doc] = scores[doc]! + factor * share * ((0 - bits[doc]!) >>> 31);
  }
}

/** A word that a doc does not hold adds nothing: the share of no occurrence is 0, and whether one is held cannot be foretold. */
function addByCounts(docs: Uint32Array, words: readonly DenseWord[], { docLength, table, scores }: Target): void {
  for (let at = 0; at < words.length; at += 4) addFour(docs, words.slice(at, at + 4), { docLength, table, scores });
}

/** Fewer words are filled up with the first, which then weighs nothing. */
function addFour(docs: Uint32Array, words: readonly DenseWord[], { docLength, table, scores }: Target): void {
  const [first, second, third, fourth] = words;
  const { lengths, shares } = table;
  const { counts: counts1, factor: factor1 } = first!;
  const { counts: counts2, factor: factor2 } = second ?? { counts: counts1, factor: 0 };
  const { counts: counts3, factor: factor3 } = third ?? { counts: counts1, factor: 0 };
  const { counts: counts4, factor: factor4 } = fourth ?? { counts: counts1, factor: 0 };
  for (let k = 0; k < docs.length; k++) {
    const doc = docs[k]!;
    const length = docLength[doc]!;
    const count1 = counts1[doc]!;
    const count2 = counts2[doc]!;
    const count3 = counts3[doc]!;
    const count4 = counts4[doc]!;
    let score = scores[doc]!;
    if (length < lengths && (count1 | count2 | count3 | count4) < TABLE_COUNTS) {
      score = Math.fround(score + factor1 * shares[count1 * lengths + length]!);
      score = Math.fround(score + factor2 * shares[count2 * lengths + length]!);
      score = Math.fround(score + factor3 * shares[count3 * lengths + length]!);
      score = Math.fround(score + factor4 * shares[count4 * lengths + length]!);
    } else {
      score = Math.fround(score + factor1 * shareOf(table, count1, length));
      score = Math.fround(score + factor2 * shareOf(table, count2, length));
      score = Math.fround(score + factor3 * shareOf(table, count3, length));
      score = Math.fround(score + factor4 * shareOf(table, count4, length));
    }
    scores[doc] = score;
  }
}

/** Both lists ascend: each doc is looked for from where the last one stood, in growing steps. */
function addByLookup(
  wanted: Uint32Array,
  { docs, counts }: Postings,
  { factor, docLength, table, scores }: Impact,
): void {
  let low = 0;
  for (let k = 0; k < wanted.length && low < docs.length; k++) {
    const doc = wanted[k]!;
    low = seekDoc(docs, doc, low);
    if (docs[low] === doc) scores[doc] = scores[doc]! + factor * shareOf(table, counts[low]!, docLength[doc]!);
  }
}
