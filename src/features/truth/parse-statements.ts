import { fold } from '../../search/text/fold.ts';
import { stem } from '../../search/text/stem.ts';
import { chooseGrammar } from './grammars/choose-grammar.ts';
import type { Grammar } from './grammars/grammar.ts';
import { parseChinese } from './parse-chinese.ts';
import { parseJapanese } from './parse-japanese.ts';
import { readValue, type Statement, US, type Word } from './statement.ts';

const MAX_CHARS = 20_000;
const MAX_SENTENCE_WORDS = 30;
const MAX_SUBJECT_WORDS = 8;
const KANA = /[\u3041-\u30ff]/;
const HAN = /\p{Script=Han}/u;

export function parseStatements(text: string): Statement[] {
  const sentences = text
    .slice(0, MAX_CHARS)
    .split(/(?<=[.!?])\s+|(?<=[。！？；])|\n+|;\s+/)
    .map((sentence) => sentence.trim().replace(/^[-*•>#\s]+/, ''));
  return sentences.flatMap((sentence) => parseSentence(sentence) ?? []);
}

function parseSentence(sentence: string): Statement | null {
  if (KANA.test(sentence)) return parseJapanese(sentence);
  return HAN.test(sentence) ? parseChinese(sentence) : parseSpaced(sentence, chooseGrammar(sentence));
}

function parseSpaced(sentence: string, grammar: Grammar): Statement | null {
  const { verbs, modals, negations, fillers, pointing, us, bound, prepare } = grammar;
  if (bound.test(sentence)) return null;
  // "Timeout: 30s" says what something is; a longer text after a colon says anything.
  const raw = (prepare?.(sentence) ?? sentence)
    .replace(/^([\p{L} _-]{2,40}):\s+(?=\S+(?:\s+\S+){0,2}\s*$)/u, '$1 = ')
    .match(/[\p{L}\p{N}_$€@#/.:=%+-]+/gu);
  if (raw === null || raw.length > MAX_SENTENCE_WORDS) return null;
  const words = raw.map((word) => word.replace(/^[.:/]+(?=\w)|[.:,]+$/g, '')).filter((word) => word !== '');
  const at = words.findIndex((_, i) => isVerb(words, i, grammar));
  if (at < 0) return null;
  const verb = lower(words[at]!);
  const before = words.slice(0, at).map(lower);
  const said = before.filter((word) => !modals.has(word));
  const subject = said.filter((word) => !fillers.has(word));
  if (subject.length > MAX_SUBJECT_WORDS || pointing.has(subject[0] ?? '')) return null;
  // "This is …": of what, nobody knows.
  if (subject.length === 0 && said.length > 0) return null;
  if (subject.length === 0 && grammar.dropsPronouns && !verb.endsWith('mos')) return null;
  const object = words
    .slice(at + 1)
    .filter((word) => [fillers, negations, modals].every((list) => !list.has(lower(word))));
  return {
    text: sentence,
    language: grammar.language,
    // Nobody in particular is told what to do: whoever reads it.
    subject: subject.length === 0 ? US : subject.map((word) => (us.has(word) ? US : termOf(word, grammar))).join(' '),
    verb: verbs.get(verb)!,
    object: object.map((word) => toWord(word, grammar)),
    isNegated: words.slice(0, at + 3).some((word) => negations.has(lower(word))) || /\bno longer\b/i.test(sentence),
  };
}

const lower = (word: string): string => word.toLowerCase().normalize('NFC');

/** A word such as "use", "cost" or "release" that follows an article is no verb; nor is one that begins the sentence and says what something is. */
function isVerb(
  words: readonly string[],
  at: number,
  { verbs, having, fillers, negations, language }: Grammar,
): boolean {
  const word = lower(words[at]!);
  const verb = verbs.get(word);
  if (verb === undefined || (at === 0 && verb === 'be')) return false;
  const next = lower(words[at + 1] ?? '');
  if (having.has(word)) return fillers.has(next) || negations.has(next) || /^\d/.test(next);
  const before = at > 0 ? lower(words[at - 1]!) : '';
  return (
    language !== 'en' ||
    verb === 'be' ||
    !/^(?:the|a|an|our|my|your|its|their|to|of|for|by|first|last|every)$/.test(before)
  );
}

function toWord(word: string, grammar: Grammar): Word {
  const plain = fold(lower(word));
  const value = readValue(plain);
  if (value !== null) return value;
  const day = [lower(word), lower(word).replace(/s$/, '')].find((name) => grammar.days.has(name));
  if (day !== undefined) return { term: day, kind: 'day' };
  const isName =
    /[_/.@#\d]/.test(word) || (grammar.capitalsAreNames ? /^\p{Lu}/u.test(word) : /\p{Lu}.*\p{Lu}/u.test(word));
  return { term: termOf(word, grammar), kind: isName ? 'name' : 'word' };
}

function termOf(word: string, { language }: Grammar): string {
  const plain = fold(lower(word));
  return language === 'en' ? stem(plain) : plain;
}
