import { fold } from '../../../search/text/fold.ts';
import { type Random, shuffled } from '../seeded-random.ts';
import { isIdentifier, saysSomething, splitSentences, splitWords } from './split-words.ts';

/** Everyday and developers' words that people use for one another. Any word of a group may stand for every other word of it. */
const GROUPS = `
fix repair solve, bug defect fault, error failure problem, crash breakdown, use employ, uses employs,
choose pick select, chose picked selected, decided agreed settled, decision choice, start begin launch,
started began launched, stop halt, delete remove erase, deleted removed erased, create make, created made,
add include, change alter modify, changed altered modified, update refresh, fast quick, slow sluggish,
big large, small little, server machine host, database storage, folder directory, file document,
function method routine, setting option configuration, test check, tests checks, deploy release ship,
deployed released shipped, customer client buyer, user person, users people, job task, meeting appointment,
likes enjoys loves, prefers favours, wants wishes, buy purchase, bought purchased, car vehicle, house home,
doctor physician, trip journey, holiday vacation, child kid, children kids, job position, money cash,
salary pay, password secret, login sign-in, key credential, request call, response answer, limit maximum,
timeout deadline, always constantly, requires needs demands, returns yields, before earlier, after later,
because since, company firm, colleague coworker, picture photo, movie film
`;

let table: ReadonlyMap<string, readonly string[]> | null = null;

/** Lower case; empty where none is known. */
function synonymsOf(word: string): readonly string[] {
  table ??= makeTable();
  return table.get(word.toLowerCase()) ?? [];
}

function makeTable(): Map<string, string[]> {
  const made = new Map<string, string[]>();
  for (const group of GROUPS.trim().split(/,\s/)) {
    const words = group.split(' ');
    for (const word of words) made.set(word, [...(made.get(word) ?? []), ...words.filter((other) => other !== word)]);
  }
  return made;
}

/** Ways of asking for a memory, from what people type first to what they rarely get right. */
export const QUESTION_KINDS = [
  'rare_words',
  'no_identifiers',
  'half_the_words',
  'other_words',
  'question',
  'two_words',
] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

export interface Making {
  random: Random;
  /** In how many memories a folded word stands. */
  textsWith: ReadonlyMap<string, number>;
}

const FEW_WORDS = 4;
const FEWEST_WORDS = 3;

/** A question about this text; null where the text does not lend itself to the kind. */
export function makeQuestion(kind: QuestionKind, text: string, making: Making): string | null {
  const sentences = splitSentences(text);
  if (sentences.length === 0) return null;
  const sentence = sentences[Math.floor(making.random() * sentences.length)]!;
  switch (kind) {
    case 'rare_words':
      return joinWords(rarest(contentWords(text), FEW_WORDS, making), making.random);
    case 'no_identifiers':
      return joinWords(rarest(contentWords(text).filter(isPlain), FEW_WORDS + 1, making), making.random);
    case 'half_the_words':
      return enough(keepHalf(contentWords(sentence), making.random));
    case 'other_words':
      return replaceSome(keepHalf(contentWords(sentence), making.random));
    case 'question':
      return turnIntoQuestion(sentence, making);
    case 'two_words':
      return pickTwo(contentWords(text).filter(isPlain), making.random);
  }
}

function contentWords(text: string): string[] {
  const seen = new Set<string>();
  return splitWords(text).filter((word) => {
    const folded = fold(word);
    if (seen.has(folded) || !saysSomething(word)) return false;
    seen.add(folded);
    return true;
  });
}

function isPlain(word: string): boolean {
  return !isIdentifier(word);
}

function rarest(words: readonly string[], count: number, { textsWith }: Making): string[] {
  return words.toSorted((a, b) => (textsWith.get(fold(a)) ?? 0) - (textsWith.get(fold(b)) ?? 0)).slice(0, count);
}

function enough(words: readonly string[]): string | null {
  return words.length < FEWEST_WORDS ? null : words.join(' ');
}

function joinWords(words: readonly string[], random: Random): string | null {
  return enough(shuffled(words, random));
}

/** In their order; identifiers are forgotten half the time. */
function keepHalf(words: readonly string[], random: Random): string[] {
  const known = random() < 0.5 ? words : words.filter(isPlain);
  const count = Math.max(FEWEST_WORDS, Math.ceil(known.length / 2));
  const kept = new Set(
    shuffled(
      known.map((_, i) => i),
      random,
    ).slice(0, count),
  );
  return known.filter((_, i) => kept.has(i));
}

/** Any two, however common: the vaguest of recollections. */
function pickTwo(words: readonly string[], random: Random): string | null {
  return words.length < FEWEST_WORDS ? null : shuffled(words, random).slice(0, 2).join(' ');
}

/** null where no word has a synonym. */
function replaceSome(words: readonly string[]): string | null {
  const replaced = words.map((word) => synonymsOf(word)[0] ?? word);
  return replaced.some((word, i) => word !== words[i]) ? enough(replaced) : null;
}

const REASON = /^(.*?)[,;]?\s+(?:because|since|so that|due to|in order to)\s+/i;
const STATEMENT =
  /^(.*?)\s+(is|are|was|were|runs?|uses?|needs?|lives?|moved|depends|belongs|fails|failed|requires|returns|prefers|works|means|costs)\s+(.+)$/i;

/** "X because Y" → why X; "X is Y" → what is X; else what is known about the rarest words. English only. */
function turnIntoQuestion(sentence: string, making: Making): string | null {
  const claim = REASON.exec(sentence)?.[1];
  if (claim !== undefined && contentWords(claim).length >= 2) return `why ${dropSome(claim, making.random)}`;
  const [, subject = '', verb = '', object = ''] = STATEMENT.exec(sentence) ?? [];
  const named = contentWords(subject);
  if (named.length >= 1 && contentWords(object).length >= 1) {
    const hint = rarest(contentWords(object).filter(isPlain), 1, making);
    return `${making.random() < 0.5 ? 'what' : 'which'} ${[...hint, verb.toLowerCase(), ...splitWords(subject)].join(' ')}`;
  }
  if (!splitWords(sentence).some((word) => /^(the|a|an|to|of|and|in|for|we|i)$/i.test(word))) return null;
  const about = joinWords(rarest(contentWords(sentence).filter(isPlain), FEWEST_WORDS, making), making.random);
  return about === null ? null : `what do I know about ${about}`;
}

/** Every fifth word on average goes. */
function dropSome(text: string, random: Random): string {
  const words = splitWords(text);
  const kept = words.filter(() => random() >= 0.2);
  return (kept.length >= FEWEST_WORDS ? kept : words).join(' ');
}
