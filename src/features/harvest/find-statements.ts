import type { Said } from '../../agents/agent-transcript.ts';
import { CHINESE } from './statements/chinese.ts';
import { ENGLISH } from './statements/english.ts';
import { FRENCH } from './statements/french.ts';
import { GERMAN } from './statements/german.ts';
import { JAPANESE } from './statements/japanese.ts';
import { PORTUGUESE } from './statements/portuguese.ts';
import { SPANISH } from './statements/spanish.ts';
import type { LanguageRules, StatementRule, StatementType } from './statements/statement.ts';

const LANGUAGES: readonly LanguageRules[] = [ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE, JAPANESE, CHINESE];

/** A sentence that is worth keeping, understandable on its own as far as rules can tell. */
export interface Statement {
  type: StatementType;
  text: string;
  /** 0 to 1: how often a sentence like this one is a statement of its type. */
  confidence: number;
}

const MAX_CHARS = 500;
/** Shorter ones say too little; a character of Chinese or Japanese says more than a letter. */
const MIN_CHARS = 30;
const MIN_WIDE_CHARS = 12;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const QUESTION = /[?？]["'”»)\]]*$/u;
/** Code, a path, a name with a form of its own, a version or a figure. */
const SPECIFIC =
  /`[^`]+`|[\w-]+\/[\w./-]+|\b[a-z]+[A-Z]\w+|\b\w+_\w+|\bv?\d+(?:\.\d+)+|\b\d+ ?(?:ms|s|MB|GB|kB|%)|--[a-z][\w-]+|:\d{2,5}\b/u;

/** What a message states, in its order, each sentence once. */
export function findStatements({ by, text }: Pick<Said, 'by' | 'text'>): Statement[] {
  const found: Statement[] = [];
  let before = '';
  for (const sentence of splitSentences(text)) {
    const statement = judge(sentence, by);
    if (statement !== null) {
      const { pointsBack, ...rest } = statement;
      const whole = pointsBack && before !== '' ? `${before} ${sentence}` : sentence;
      found.push({ ...rest, text: whole.length <= MAX_CHARS ? whole : sentence });
    }
    before = sentence;
  }
  return found;
}

/** The same without secrets. They are replaced before sentences are cut: the sign at which a sentence ends may stand in a password. */
export async function findScreenedStatements(said: Pick<Said, 'by' | 'text'>): Promise<Statement[]> {
  const found = findStatements(said);
  if (found.length === 0) return found;
  const { replaceSecrets } = await import('../../privacy/replace-secrets.ts');
  const left = new Set(found.slice(0, MOST_SOUGHT).map(({ text }) => text));
  const paragraphs = said.text.split(PARAGRAPHS).map((paragraph) => {
    const stated = [...left].filter((one) => paragraph.includes(one));
    for (const one of stated) left.delete(one);
    return stated.length === 0 ? paragraph : replaceSecrets(paragraph).text;
  });
  // A statement that is not found as it was said has lost its marks, or brought the sentence before it along.
  const text = left.size === 0 && found.length <= MOST_SOUGHT ? paragraphs.join('') : replaceSecrets(said.text).text;
  return text === said.text ? found : findStatements({ ...said, text });
}

/** Where a message states more, all of it is looked through. */
const MOST_SOUGHT = 50;
const PARAGRAPHS = /(\n[ \t]*\n)/;

function judge(sentence: string, by: Said['by']): (Omit<Statement, 'text'> & { pointsBack: boolean }) | null {
  const isWide = WIDE.test(sentence);
  if (sentence.length < (isWide ? MIN_WIDE_CHARS : MIN_CHARS) || sentence.length > MAX_CHARS) return null;
  if (QUESTION.test(sentence)) return null;
  let best: { rule: StatementRule; language: LanguageRules; matches: number } | null = null;
  for (const language of LANGUAGES) {
    const matching = language.rules.filter(({ pattern }) => pattern.test(sentence));
    const [first, ...others] = matching.sort((a, b) => b.confidence - a.confidence);
    if (first !== undefined && (best === null || first.confidence > best.rule.confidence))
      best = { rule: first, language, matches: 1 + others.length };
  }
  if (best === null || best.language.notYet.test(sentence)) return null;
  const { rule, language, matches } = best;
  const confidence =
    rule.confidence +
    Math.min(matches - 1, 2) * 0.05 +
    (language.reason.test(sentence) ? 0.1 : 0) +
    (SPECIFIC.test(sentence) ? 0.05 : 0) -
    (language.doubt.test(sentence) ? 0.15 : 0) -
    (rule.isUsers === true && by === 'agent' ? 0.2 : 0);
  return {
    type: rule.type,
    confidence: Math.round(Math.min(Math.max(confidence, 0), 0.95) * 100) / 100,
    pointsBack: language.pointsBack.test(sentence),
  };
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
/** Letters and signs of ASCII, and none with which a sentence ends: very many short lines need not be cut one by one. */
const ONE_SENTENCE = /^[ "-\-/->@-~]+$/;
const LIST_MARK = /^(?:[-*+•]\s+|\d{1,2}[.)]\s+|#{1,6}\s+|\[[ xX]\]\s+)+/;

function* splitSentences(text: string): Generator<string> {
  for (const line of text.split('\n')) {
    const plain = line
      .trim()
      .replace(LIST_MARK, '')
      .replaceAll(/\*\*|__/g, '');
    if (plain === '') continue;
    if (ONE_SENTENCE.test(plain)) {
      yield plain.trim();
      continue;
    }
    for (const { segment } of segmenter.segment(plain)) {
      const sentence = segment.trim();
      if (sentence !== '') yield sentence;
    }
  }
}
