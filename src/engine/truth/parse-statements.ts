import { fold } from '../search/text/fold.ts';
import { stem } from '../search/text/stem.ts';

/** One thing that a text states: of what, how, and which. Only what holds until further notice counts; what happened once contradicts nothing. */
export interface Statement {
  /** The sentence as it stands. */
  text: string;
  /** Who or what: the words before the verb, in their order. */
  subject: string;
  verb: string;
  /** The words after it. */
  object: Word[];
  isNegated: boolean;
}

export interface Word {
  /** As it is compared. */
  term: string;
  kind: 'number' | 'version' | 'time' | 'day' | 'name' | 'word';
}

const MAX_CHARS = 20_000;
const MAX_SENTENCE_WORDS = 30;
const MAX_SUBJECT_WORDS = 8;

/** Verbs that say how something is; those of events are left out. */
const VERBS = new Map(
  `is=be are=be equals=be has=have have=have use=use uses=use using=use runs=run run=run listens=listen listen=listen lives=live live=live costs=cost cost=cost
   prefers=prefer prefer=prefer likes=like like=like loves=like hates=hate wants=want want=want needs=need need=need requires=need require=need supports=support support=support
   expires=expire expire=expire defaults=default deploy=deploy deploys=deploy stores=store store=store keeps=keep keep=keep starts=start start=start begins=start ends=end end=end
   belongs=belong returns=return return=return contains=contain allows=allow allow=allow depends=depend depend=depend works=work work=work owns=own own=own takes=take take=take
   lasts=last last=last holds=hold speaks=speak speak=speak writes=write write=write releases=release release=release ships=release commit=commit push=push merge=merge eats=eat eat=eat drinks=drink drink=drink
   points=point resolves=resolve maps=map retries=retry retry=retry accepts=accept accept=accept rejects=reject reject=reject happens=happen happen=happen goes=go go=go sits=sit indent=indent`
    .split(/\s+/)
    .map((pair) => pair.split('=') as [string, string]),
).set('=', 'be');
const MODALS = new Set([
  'must',
  'should',
  'can',
  'may',
  'will',
  'do',
  'does',
  'shall',
  'could',
  'would',
  'always',
  'usually',
  'still',
  'now',
  'currently',
  'only',
  'also',
  'please',
  'never',
  'not',
  'cannot',
  'longer',
  'no',
]);
const NEGATIONS = new Set([
  'not',
  'never',
  'no',
  'cannot',
  'without',
  'neither',
  'nor',
  'dont',
  'doesnt',
  'isnt',
  'arent',
  'wont',
  'cant',
  'shouldnt',
  'mustnt',
  'couldnt',
  'wouldnt',
]);
const FILLERS = new Set([
  'a',
  'an',
  'the',
  'our',
  'my',
  'your',
  'its',
  'their',
  'this',
  'that',
  'to',
  'at',
  'in',
  'on',
  'of',
  'by',
  'now',
  'currently',
  'always',
  'usually',
  'still',
  'also',
  'only',
  'just',
  'set',
  'called',
  'named',
  'be',
  'and',
  'as',
  'instead',
  'please',
]);
/** Nobody knows who or what is meant. */
const POINTING =
  /^(?:it|this|that|these|those|he|she|they|there|here|which|who|what|one|something|everything|nothing|and|but|or|if|when|because|so|then)$/;
/** What was, or was at some time, contradicts nothing that is. */
const BOUND =
  /\b(?:was|were|had|used to|until|before|back then|at the time|previously|formerly|yesterday|last (?:week|month|year|night)|ago|if|unless|when|whether|maybe|perhaps|might|could|would|\d{4}-\d\d-\d\d)\b|\?\s*$/i;
const DAYS = new Set(
  'monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december'.split(
    ' ',
  ),
);

export function parseStatements(text: string): Statement[] {
  const sentences = text
    .slice(0, MAX_CHARS)
    .split(/(?<=[.!?])\s+|\n+|;\s+/)
    .map((sentence) => sentence.trim().replace(/^[-*•>#\s]+/, ''));
  return sentences.flatMap((sentence) => parseSentence(sentence) ?? []);
}

function parseSentence(sentence: string): Statement | null {
  if (BOUND.test(sentence)) return null;
  const raw = sentence
    .replace(/[’']([a-z])\b/gi, (_, letter: string) => (letter === 't' ? 't' : ` ${letter}`))
    .replace(/^([\p{L} _-]{2,40}):\s+(?=\S)/u, '$1 = ')
    .match(/[\p{L}\p{N}_$@#/.:=%+-]+/gu);
  if (raw === null || raw.length > MAX_SENTENCE_WORDS) return null;
  const words = raw.map((word) => word.replace(/^[.:/]+(?=\w)|[.:,]+$/g, '')).filter((word) => word !== '');
  const at = words.findIndex((word, i) => VERBS.has(lower(word)) && (i > 0 || !isBe(word)) && !isNoun(words, i));
  if (at < 0) return null;
  const before = words.slice(0, at).filter((word) => !MODALS.has(lower(word)));
  const all = words.map(lower);
  const subject = before
    .map(lower)
    .filter((word) => !FILLERS.has(word))
    .map(termOf);
  if (subject.length > MAX_SUBJECT_WORDS || POINTING.test(subject[0] ?? '')) return null;
  const object = words
    .slice(at + 1)
    .filter((word) => !FILLERS.has(lower(word)) && !NEGATIONS.has(lower(word)) && !MODALS.has(lower(word)));
  return {
    text: sentence,
    // Nobody in particular is told what to do: whoever reads it.
    subject:
      subject.length === 0
        ? 'we'
        : subject.map((term) => (/^(?:we|i|you|user|team)$/.test(term) ? 'we' : term)).join(' '),
    verb: VERBS.get(lower(words[at]!))!,
    object: object.map(toWord),
    isNegated: all.slice(0, at + 3).some((word) => NEGATIONS.has(word)) || /\bno longer\b/i.test(sentence),
  };
}

const lower = (word: string): string => fold(word.toLowerCase());
const isBe = (word: string): boolean => /^(?:is|are|=)$/i.test(word);

/** A word such as "use", "cost" or "release" that follows an article is no verb. */
function isNoun(words: readonly string[], at: number): boolean {
  return (
    at > 0 &&
    /^(?:the|a|an|our|my|your|its|their|to|of|for|by|first|last|every)$/i.test(words[at - 1]!) &&
    !isBe(words[at]!)
  );
}

function toWord(word: string): Word {
  const plain = lower(word);
  if (/^\d{1,2}:\d\d(?:am|pm)?$|^\d{1,2}(?:am|pm)$/.test(plain)) return { term: plain, kind: 'time' };
  if (/^v?\d+(?:\.\d+){1,3}$/.test(plain)) return { term: plain.replace(/^v/, ''), kind: 'version' };
  if (/^[$€£]?\d[\d,._]*(?:%|ms|s|m|h|d|k|kb|mb|gb|tb)?$/.test(plain))
    return { term: plain.replace(/[,_]/g, ''), kind: 'number' };
  const day = plain.replace(/s$/, '');
  if (DAYS.has(day)) return { term: day, kind: 'day' };
  const isName = /^\p{Lu}/u.test(word) || /[_/.@#\d]/.test(word);
  return { term: termOf(plain), kind: isName ? 'name' : 'word' };
}

function termOf(word: string): string {
  return stem(word);
}
