import { fold } from '../../search/text/fold.ts';
import { LISTS, MEANINGS, type TimeLanguage, type TimeWord } from './time-words.ts';

/** A filler says nothing: an empty list. */
type Lexicon = { forms: ReadonlyMap<string, readonly TimeWord[]>; longest: number };
const lexicons = new Map<TimeLanguage, Lexicon>();

/** Lower case, no accents, one space between words, dashes inside words as spaces, no quotes or stops around it (but 24.12. keeps its own). */
export function normalizePhrase(phrase: string): string {
  const text = fold(phrase.normalize('NFKC'))
    .replace(/[’‘`´]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
  const spaced = text.replace(/(?<=[a-z])-(?=[a-z\d])|(?<=\d)-(?=[a-z])/g, ' ');
  return spaced.replace(/^["“”„]+|["“”!?。！？]+$|(?<!\d\.\d{1,2})\.+$/g, '').trim();
}

/** What each word of a phrase says, or null when a part of it means nothing in this language. */
export function lexPhrase(text: string, language: TimeLanguage): TimeWord[] | null {
  const words: TimeWord[] = [];
  let at = 0;
  while (at < text.length) {
    if (/[\s,;、，]/.test(text.charAt(at))) {
      at += 1;
      continue;
    }
    const [pattern, form] = [matchPattern(text, at, language), matchForm(text, at, language)];
    // "1. quartal", "1st half", 一昨日: a longer form of the lexicon wins over its first digits.
    const found = form !== null && form.end > (pattern?.end ?? at) ? form : pattern;
    if (found === null) return null;
    words.push(...found.words);
    at = found.end;
  }
  return words;
}

interface Found {
  words: readonly TimeWord[];
  end: number;
}

function matchPattern(text: string, at: number, language: TimeLanguage): Found | null {
  for (const { form, read } of language.patterns) {
    form.lastIndex = at;
    const match = form.exec(text);
    const words = match === null ? null : read(match);
    if (match !== null && words !== null) return { words, end: at + match[0].length };
  }
  return null;
}

function matchForm(text: string, at: number, language: TimeLanguage): Found | null {
  const { forms, longest } = lexiconOf(language);
  for (let end = Math.min(text.length, at + longest); end > at; end--) {
    const form = text.slice(at, end);
    const words = forms.get(form);
    if (words !== undefined && (!language.spaced || form.endsWith("'") || !/[\p{L}\p{N}]/u.test(text.charAt(end))))
      return { words, end };
  }
  return null;
}

function lexiconOf(language: TimeLanguage): Lexicon {
  const known = lexicons.get(language);
  if (known !== undefined) return known;
  const forms = new Map<string, readonly TimeWord[]>();
  const add = (alternatives: string, words: readonly TimeWord[]) => {
    for (const form of alternatives.split('|')) forms.set(fold(form), words);
  };
  add(language.fillers, []);
  for (const list of Object.keys(LISTS) as (keyof typeof LISTS)[])
    language[list]?.split(', ').forEach((alternatives, i) => {
      add(alternatives, [LISTS[list](i)]);
    });
  for (const [meanings, alternatives] of Object.entries(language.words)) {
    add(
      alternatives,
      meanings.split(' ').map((meaning) => MEANINGS[meaning as keyof typeof MEANINGS]),
    );
  }
  const lexicon = { forms, longest: Math.max(...[...forms.keys()].map((form) => form.length)) };
  lexicons.set(language, lexicon);
  return lexicon;
}
