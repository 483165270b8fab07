import { once } from '../model/once.ts';
import { isPhrase, isQuotedWord, isUuid, looksLikeKey, looksMade, looksStrong } from './judge-value.ts';
import {
  accessCode,
  afterName,
  BESIDE,
  beforeValue,
  changes,
  cjk,
  HAS_AS,
  key,
  linkCjk,
  PAIR_WORDS,
  pair,
  password,
  saidAs,
  short,
  signs,
  states,
  statesLater,
  typed,
  VERB,
} from './prose-words.ts';
import { type ProseValue, readPhrase, readProseValue } from './read-value.ts';
import { matchAt, type Range, type SecretRule } from './secret-rule.ts';

/** What stands between the word and the password. Some of these patterns take milliseconds to compile: they are asked only where a text goes on as they begin. */
interface Link {
  pattern: () => RegExp;
  /** What it can begin with; anything where nothing is said. */
  begins?: string;
}

const IS: Link = { pattern: states, begins: "` \t'’," };
const SIGN: Link = { pattern: signs, begins: ' \t*_<:=→-：＝' };
const BECOMES: Link = { pattern: changes, begins: '` \t' };
const IS_LATER: Link = { pattern: statesLater };
const IS_CJK: Link = { pattern: linkCjk };

/** A plain word counts between quotes, and where a verb says that it is the password: after a colon it may be code. */
function judgeStated({ text, quoted, range }: ProseValue, link: Link): Range | null {
  if (link === IS_LATER) return looksStrong(text) ? range : null;
  return looksMade(text) || (quoted && (isPhrase(text) || ((link === IS || link === IS_CJK) && isQuotedWord(text))))
    ? range
    : null;
}

/** The short words have other meanings: `pw = pixelWidth2`, `the last pass is mem2reg`. */
function judgeShort(value: ProseValue, link: Link): Range | null {
  const { text } = value;
  if (/^[a-z]+(?:[A-Z][a-z]+)+\d{0,2}$/.test(text)) return null;
  return looksChosen(text) ? judgeStated(value, link) : null;
}

/** Strong, or as people make them: a word and a number. */
function looksChosen(text: string): boolean {
  return looksStrong(text) || /^[A-Za-z]{4,}\d{1,4}[!?]?$|^[a-z]+\.[a-z]+\.\d+$|^(?=.{8})[a-z]+\d+[a-z]+\d+/.test(text);
}

/** The number of a door, which people want to be told again, is none without an exclamation mark, and none with it. */
function judgeCode(value: ProseValue, link: Link): Range | null {
  return /^\d+[!?]+$/.test(value.text) && !value.quoted ? null : judgeStated(value, link);
}

/** A UUID may be a key, and what is called a token alone may be one of a page or of a request. */
function judgeKey({ text, quoted, range }: ProseValue, _: Link, word: string): Range | null {
  if (isUuid(text)) return /^token$/i.test(word) ? null : range;
  if (!looksMade(text) || !(quoted || /\d/.test(text))) return null;
  return looksStrong(text) || (text.length < 16 ? /[a-z].*\d/.test(text) : looksLikeKey(text, 16)) ? range : null;
}

interface Beside {
  before: string;
  between: string;
  keyword: () => RegExp;
}

/** A value right beside the word must show more: `password SHA256` and `password field2` are said, too. */
function judgeBeside({ text, quoted, range }: ProseValue, { before, between, keyword }: Beside): Range | null {
  if (!looksMade(text) || !(quoted || looksChosen(text)) || /^[-#]|^[A-Za-z_-]+=/.test(text)) return null;
  if (keyword === short) return afterName().test(before) ? range : null;
  if (between.startsWith(',') && !looksStrong(text)) return null;
  return quoted || beforeValue().test(before) || /[!@#$%^&*?~]/.test(text) ? range : null;
}

/** `use … as the password` */
function judgeBefore(text: string, at: number): Range | null {
  const from = Math.max(0, at - 120);
  const before = text.slice(from, at);
  const match = (HAS_AS.test(before) ? saidAs().exec(before) : null) ?? typed().exec(before);
  if (match === null || !looksMade(match[1]!) || !looksChosen(match[1]!)) return null;
  const start = from + match.index + match[0].indexOf(match[1]!);
  return [start, start + match[1]!.length];
}

interface Stated {
  keyword: () => RegExp;
  links: readonly Link[];
  /** `Datenbankpasswort` counts; `bypass` must not. */
  compound?: boolean;
  /** The value may also stand right beside the word, or before it. */
  free?: boolean;
  judge?: (value: ProseValue, link: Link, word: string) => Range | null;
}

function statedRule(words: string, { keyword, links, compound, free, judge = judgeStated }: Stated): SecretRule {
  const find: SecretRule['find'] = (text, at) => {
    const word = matchAt(keyword(), text, at)?.[0];
    if (word === undefined || !(compound ? /[^/\\]|^$/ : /[^\p{L}\d_$./\\]|^$/u).test(text[at - 1] ?? '')) return null;
    // The keyword of a language, and in Spanish the key of a cipher.
    if (
      /^clave/i.test(word) &&
      /(?:palabras?|algoritmos? de|pares? de)[ \t]+$/i.test(text.slice(Math.max(0, at - 24), at))
    )
      return null;
    if (/^pass$/i.test(word) && VERB.test(text.slice(Math.max(0, at - 16), at))) return null;
    const end = at + word.length;
    for (const link of links) {
      if (link.begins?.includes(text[end] ?? '\n') === false) continue;
      const linked = matchAt(link.pattern(), text, end);
      if (linked === null) continue;
      const start = end + linked[0].length;
      const value = readProseValue(text, start);
      const range = value === null ? null : judge(value, link, word);
      if (range !== null) return range;
      const phrase = /phrase$/i.test(word) && link !== IS_LATER ? readPhrase(text, start) : null;
      if (phrase !== null) return phrase.range;
    }
    if (!free || /^clave/i.test(word)) return null;
    const blank = matchAt(BESIDE, text, end);
    const value = blank === null ? null : readProseValue(text, end + blank[0].length);
    const beside =
      value === null
        ? null
        : judgeBeside(value, { before: text.slice(Math.max(0, at - 60), at), between: blank![0], keyword });
    return beside ?? (keyword === short ? null : judgeBefore(text, at));
  };
  return ruleFor(words, find);
}

function ruleFor(words: string, find: SecretRule['find']): SecretRule {
  return {
    kind: 'password',
    mode: 'redact',
    literals: words.split(','),
    anyCase: true,
    glued: true,
    context: true,
    find,
  };
}

/** What the pattern of a pair cannot match is told at once: a line without its sign, `log(`, `try {`. */
const mayPair = once(() => /(?!log(?!(?:ged|ging)?[ -]?[io]n)|try(?![ \t]+\w))[^\n]{0,120}?[/:：]/iy);

/** `login with name / password` */
const pairRule = ruleFor(PAIR_WORDS, (text, at) => {
  if (matchAt(mayPair(), text, at) === null) return null;
  const match = /[\p{L}\d_-]/u.test(text[at - 1] ?? '') ? null : matchAt(pair(), text, at);
  if (match === null) return null;
  const value = readProseValue(text, at + match[0].length);
  if (value === null || /^(?:https?|ftp|ssh)$/i.test(match[1] ?? match[2] ?? match[3] ?? '')) return null;
  return (/^try/i.test(match[0]) ? looksStrong(value.text) : looksMade(value.text)) ? value.range : null;
});

/** Passwords said in a sentence. */
export const PROSE_RULES: readonly SecretRule[] = [
  statedRule('pass,kennwort,mot,contrase,senha,palavra,clave', {
    keyword: password,
    links: [IS, SIGN, BECOMES, IS_LATER],
    compound: true,
    free: true,
  }),
  statedRule('pass,pw,mdp,pswd', { keyword: short, links: [IS, SIGN], free: true, judge: judgeShort }),
  statedRule('パスワード,密码,密碼,口令,暗証番号,密钥', {
    keyword: cjk,
    links: [IS_CJK],
    compound: true,
    free: true,
  }),
  statedRule(
    'wifi,wi-fi,wlan,wpa,network,netzwerk,clé,unlock,access,security,entry,door,gate,alarm,zugangscode,code d,código',
    {
      keyword: accessCode,
      links: [IS, SIGN],
      judge: judgeCode,
    },
  ),
  statedRule('shared,client,secret,api,access,auth,bearer,token,schlüssel,clé', {
    keyword: key,
    links: [IS],
    compound: true,
    judge: judgeKey,
  }),
  statedRule('schlüssel,clé', {
    keyword: key,
    links: [SIGN],
    compound: true,
    judge: ({ text, range }) => (isUuid(text) ? range : null),
  }),
  pairRule,
];
