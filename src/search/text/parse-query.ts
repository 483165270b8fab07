import { classAt, PAIRED } from './char-class.ts';
import { composeForms, fold } from './fold.ts';
import { scanTerms, type TermRole } from './scan-terms.ts';
import { isStopWord } from './stop-words.ts';
import { isStopWordBeyondLatin } from './stop-words-by-script.ts';
import { symbolTerms } from './tokenize.ts';
import { markForms } from './word-forms.ts';
import { capTerm, wordTerm } from './word-term.ts';

export interface QueryTerm {
  term: string;
  /** 'prefix': every index term that begins with it. */
  kind: 'word' | 'prefix';
  weight: number;
  /** Terms that come from one word of the query (its whole form, its parts) share a number. */
  group: number;
  /** As it is written in the query. */
  word: string;
  /** Other forms of the word are looked up too. */
  hasForms?: boolean;
}

export interface ParsedQuery {
  terms: QueryTerm[];
  /** Quoted texts as written; their words are among the terms. */
  phrases: string[];
  /** Something is said beside the quoted. */
  saysMore: boolean;
}

const MAX_TERMS = 64;
const MAX_PHRASES = 8;
/** A query may be a whole page; what stands beyond this adds no term that would survive the cut. */
const MAX_QUERY_LENGTH = 20_000;
/** Parts of a token beside its whole form. Where that stands, so do they: at more, a name of two parts would count like two names. */
const PART_WEIGHT = 0.25;
/** Best of 0 … 1 for BM25 on LoCoMo turns (macro R@10 0.566; 0.555 without these words, 0.50 at full weight). */
const STOP_WORD_WEIGHT = 0.15;
/** Beside other words. From 0.1 to 0.5 it helps questions for code, 0.5 most, and changes nothing else. */
const TECHNOLOGY_WEIGHT = 0.5;
/** Endings and particles of Japanese. */
const HIRAGANA_WEIGHT = 0.3;
const QUOTED = /"([^"]*)"|“([^”]*)”|„([^“”]*)[“”]|「([^」]*)」|『([^』]*)』|«([^»]*)»/g;

/** Reads any text as a query: there are no syntax errors, and what means nothing special is a word or is skipped. */
export function parseQuery(query: string): ParsedQuery {
  const text = composeForms(query.slice(0, MAX_QUERY_LENGTH));
  const terms = readTerms(text);
  if (terms.length === 0)
    terms.push(
      ...symbolTerms(text).map((term, group): QueryTerm => ({ term, kind: 'word', weight: 1, group, word: term })),
    );
  return {
    terms: cutTerms(mergeEqual(weighStopWords(markForms(terms, text)))),
    phrases: readPhrases(text),
    saysMore: hasWord(text.replace(QUOTED, ' ')),
  };
}

/** Unicode's tables take a start a part of a millisecond to be ready: most questions do without. */
function hasWord(text: string): boolean {
  return /[A-Za-z0-9]/.test(text) || /[\p{L}\p{N}]/u.test(text);
}

interface ReadTerm extends QueryTerm {
  stop?: boolean;
  technology?: boolean;
}

function readTerms(text: string): ReadTerm[] {
  const terms: ReadTerm[] = [];
  let group = -1;
  scanTerms(text, (term, start, end, role) => {
    if (role === 'pair' && isEndOfRun(text, start, end)) return;
    if (role !== 'part') group++;
    const word = text.slice(start, end);
    const raw = fold(word);
    if (isPrefixMark(text, start, end, role)) {
      terms.push({ term: capTerm(raw), kind: 'prefix', weight: 1, group, word });
      for (const stem of prefixStems(raw)) terms.push({ term: stem, kind: 'word', weight: 1, group, word });
      return;
    }
    const stop = isStopWord(raw.replace(/['’]/g, '')) || isStopWordBeyondLatin(raw);
    terms.push({
      term,
      kind: isLoneCharacter(term, role) ? 'prefix' : 'word',
      weight: weightOf(term, role),
      group,
      word,
      stop,
      technology: isTechnologyName(raw),
    });
  });
  return terms;
}

function weightOf(term: string, role: TermRole): number {
  if (role === 'part') return PART_WEIGHT;
  return role === 'pair' && /^\p{Script=Hiragana}+$/u.test(term) ? HIRAGANA_WEIGHT : 1;
}

/** `auth*`; not the stars around **bold**, and not a single letter, which would mean half the index. */
function isPrefixMark(text: string, start: number, end: number, role: TermRole): boolean {
  return (
    role !== 'part' &&
    role !== 'pair' &&
    end - start > 1 &&
    text.charAt(end) === '*' &&
    text.charAt(end + 1) !== '*' &&
    text.charAt(start - 1) !== '*'
  );
}

/** The index holds pairs; a character that stands alone finds those that begin with it. */
function isLoneCharacter(term: string, role: TermRole): boolean {
  return role === 'pair' && [...term].length === 1;
}

/** The index repeats the last Han character of a run by itself; of a query it adds nothing to the pairs. */
function isEndOfRun(text: string, start: number, end: number): boolean {
  return isLoneCharacter(text.slice(start, end), 'pair') && start > 0 && classAt(text, start - 1) === PAIRED;
}

function weighStopWords(terms: readonly ReadTerm[]): QueryTerm[] {
  const hasOthers = terms.some((each) => each.stop !== true);
  const hasTelling = terms.some((each) => each.stop !== true && each.technology !== true);
  return terms.map(({ stop, technology, ...each }) => {
    if (stop === true && hasOthers) return { ...each, weight: each.weight * STOP_WORD_WEIGHT };
    return technology === true && hasTelling ? { ...each, weight: each.weight * TECHNOLOGY_WEIGHT } : each;
  });
}

/** A word said twice counts once, at its higher weight. */
function mergeEqual(terms: readonly QueryTerm[]): QueryTerm[] {
  const merged = new Map<string, QueryTerm>();
  for (const each of terms) {
    const key = `${each.kind} ${each.term}`;
    const known = merged.get(key);
    if (known === undefined || known.weight < each.weight) merged.set(key, each);
  }
  return [...merged.values()];
}

function cutTerms(terms: QueryTerm[]): QueryTerm[] {
  if (terms.length <= MAX_TERMS) return terms;
  const kept = new Set([...terms].sort((a, b) => b.weight - a.weight).slice(0, MAX_TERMS));
  return terms.filter((each) => kept.has(each));
}

function readPhrases(text: string): string[] {
  const phrases = new Set<string>();
  for (const match of text.matchAll(QUOTED)) {
    const phrase =
      match
        .slice(1)
        .find((each) => each !== undefined)
        ?.trim() ?? '';
    if (phrase !== '' && phrases.size < MAX_PHRASES) phrases.add(phrase);
  }
  return [...phrases];
}

const ENDINGS =
  's es ed ing er y ly ies ation ication ization icate ate ity ability al ical ally ment ness able ible ive ize ism ance ence ion ous ful e or ational fulness iveness';

/**
 * Index terms that a prefix means but that do not begin with it, because stemming cut them shorter: authentica* means "authent".
 * Every way to read the prefix's end as the beginning of an ending is completed and stemmed.
 */
function prefixStems(prefix: string): string[] {
  if (!/^[a-z]{3,40}$/.test(prefix)) return [];
  const stems = new Set<string>([wordTerm(prefix)]);
  for (const ending of ENDINGS.split(' ')) {
    for (let begun = 0; begun < ending.length; begun++) {
      if (prefix.endsWith(ending.slice(0, begun))) stems.add(wordTerm(prefix + ending.slice(begun)));
    }
  }
  return [...stems].filter((stem) => !stem.startsWith(prefix));
}

/** Languages, libraries and systems that questions name to say what they are about: "python read a file". What answers them rarely says so. */
const NAMES =
  'bash golang haskell java javascript js kotlin linux numpy pandas perl php python python3 ruby scala typescript unix';
const technologies: ReadonlySet<string> = new Set(NAMES.split(' '));

/** Takes folded text. */
function isTechnologyName(word: string): boolean {
  return technologies.has(word);
}
