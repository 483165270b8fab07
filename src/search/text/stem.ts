/** English stems after the published description of the Snowball "English" (Porter 2) algorithm. Takes lower-case a–z words. */
export function stem(word: string): string {
  if (word.length <= 2) return word;
  const exception = EXCEPTIONS.get(word);
  if (exception !== undefined) return exception;
  const marked = markConsonantY(word);
  const r1 = firstRegion(marked);
  const r2 = regionAfter(marked, r1);

  let current = dropPlural(marked);
  if (UNTOUCHED_AFTER_PLURAL.has(current)) return current;
  current = dropPastAndGerund(current, r1);
  current = turnFinalY(current);
  current = replaceSuffix(current, STEP_2, r1, r2);
  current = replaceSuffix(current, STEP_3, r1, r2);
  current = replaceSuffix(current, STEP_4, r1, r2);
  current = dropFinalE(current, r1, r2);
  return current.includes('Y') ? current.replaceAll('Y', 'y') : current;
}

const EXCEPTIONS = new Map(
  Object.entries({
    skis: 'ski',
    skies: 'sky',
    idly: 'idl',
    gently: 'gentl',
    ugly: 'ugli',
    early: 'earli',
    only: 'onli',
    singly: 'singl',
    sky: 'sky',
    news: 'news',
    howe: 'howe',
    atlas: 'atlas',
    cosmos: 'cosmos',
    bias: 'bias',
    andes: 'andes',
  }),
);
const UNTOUCHED_AFTER_PLURAL = new Set(
  'evening inning outing canning herring earring proceed exceed succeed'.split(' '),
);
/** Words that only look related once their first region is cut the usual way (general/generate, community/commune …). */
const LONG_PREFIXES = /^(?:gener|commun|arsen|past|univers|later|emerg|organ|inter)/;

type Rule = readonly [suffix: string, replacement: string, region: 1 | 2, before?: string];

const STEP_2 = byLastLetter([
  ['ization', 'ize', 1],
  ['ational', 'ate', 1],
  ['fulness', 'ful', 1],
  ['ousness', 'ous', 1],
  ['iveness', 'ive', 1],
  ['tional', 'tion', 1],
  ['biliti', 'ble', 1],
  ['lessli', 'less', 1],
  ['entli', 'ent', 1],
  ['ation', 'ate', 1],
  ['alism', 'al', 1],
  ['aliti', 'al', 1],
  ['ousli', 'ous', 1],
  ['iviti', 'ive', 1],
  ['fulli', 'ful', 1],
  ['ogist', 'og', 1],
  ['enci', 'ence', 1],
  ['anci', 'ance', 1],
  ['abli', 'able', 1],
  ['izer', 'ize', 1],
  ['ator', 'ate', 1],
  ['alli', 'al', 1],
  ['bli', 'ble', 1],
  ['ogi', 'og', 1, 'l'],
  ['li', '', 1, 'cdeghkmnrt'],
]);
const STEP_3 = byLastLetter([
  ['ational', 'ate', 1],
  ['tional', 'tion', 1],
  ['alize', 'al', 1],
  ['icate', 'ic', 1],
  ['iciti', 'ic', 1],
  ['ative', '', 2],
  ['ical', 'ic', 1],
  ['ness', '', 1],
  ['ful', '', 1],
]);
const STEP_4 = byLastLetter([
  ['ement', '', 2],
  ['ance', '', 2],
  ['ence', '', 2],
  ['able', '', 2],
  ['ible', '', 2],
  ['ment', '', 2],
  ['ant', '', 2],
  ['ent', '', 2],
  ['ism', '', 2],
  ['ate', '', 2],
  ['iti', '', 2],
  ['ous', '', 2],
  ['ive', '', 2],
  ['ize', '', 2],
  ['ion', '', 2, 'st'],
  ['al', '', 2],
  ['er', '', 2],
  ['ic', '', 2],
]);

/** Most words end in a letter that ends no suffix. */
function byLastLetter(rules: readonly Rule[]): ReadonlyMap<string, readonly Rule[]> {
  return Map.groupBy(rules, ([suffix]) => suffix.charAt(suffix.length - 1));
}

/** The first rule whose suffix the word ends with decides, whether or not its conditions hold. */
function replaceSuffix(word: string, step: typeof STEP_2, r1: number, r2: number): string {
  const rules = step.get(word.charAt(word.length - 1));
  if (rules === undefined) return word;
  // By number: a command cuts hundreds of words before any of this is compiled, and an iterator makes an object for each rule.
  for (let at = 0; at < rules.length; at++) {
    const rule = rules[at]!;
    const suffix = rule[0];
    if (!word.endsWith(suffix)) continue;
    const cut = word.length - suffix.length;
    if (cut < (rule[2] === 1 ? r1 : r2)) return word;
    if (rule[3] !== undefined && !rule[3].includes(word.charAt(cut - 1) || ' ')) return word;
    return word.slice(0, cut) + rule[1];
  }
  return word;
}

function isVowel(word: string, index: number): boolean {
  return 'aeiouy'.includes(word.charAt(index) || ' ');
}

/** A y that opens the word or follows a vowel is a consonant, written Y while stemming. */
function markConsonantY(word: string): string {
  if (!word.includes('y')) return word;
  let marked = '';
  for (let i = 0; i < word.length; i++) {
    const letter = word.charAt(i);
    marked += letter === 'y' && (i === 0 || isVowel(marked, i - 1)) ? 'Y' : letter;
  }
  return marked;
}

function firstRegion(word: string): number {
  return LONG_PREFIXES.exec(word)?.[0].length ?? regionAfter(word, 0);
}

/** Where the part after the first consonant that follows a vowel begins, looking from `start`. */
function regionAfter(word: string, start: number): number {
  for (let i = start + 1; i < word.length; i++) if (!isVowel(word, i) && isVowel(word, i - 1)) return i + 1;
  return word.length;
}

function hasVowelBefore(word: string, end: number): boolean {
  for (let i = 0; i < end; i++) if (isVowel(word, i)) return true;
  return false;
}

function endsInShortSyllable(word: string): boolean {
  const last = word.length - 1;
  if (word === 'past') return true;
  if (last === 1) return isVowel(word, 0) && !isVowel(word, 1);
  return (
    last > 1 &&
    !isVowel(word, last - 2) &&
    isVowel(word, last - 1) &&
    !isVowel(word, last) &&
    !'wxY'.includes(word.charAt(last))
  );
}

function dropPlural(word: string): string {
  if (!word.endsWith('s') && !word.endsWith('ied')) return word;
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (word.endsWith('ied') || word.endsWith('ies')) return word.slice(0, word.length > 4 ? -2 : -1);
  if (word.endsWith('us') || word.endsWith('ss')) return word;
  return hasVowelBefore(word, word.length - 2) ? word.slice(0, -1) : word;
}

/** The longest that fits is found first, because it begins first. */
const PAST_OR_GERUND = /(?:eedly|eed|ingly|edly|ing|ed)$/;

function dropPastAndGerund(word: string, r1: number): string {
  const suffix = PAST_OR_GERUND.exec(word)?.[0];
  if (suffix === undefined) return word;
  const rest = word.slice(0, -suffix.length);
  if (suffix.startsWith('eed')) return rest.length >= r1 ? `${rest}ee` : word;
  if (word.length === 5 && word.endsWith('ying') && !isVowel(word, 0)) return `${word.charAt(0)}ie`;
  return hasVowelBefore(word, rest.length) ? repairEnd(rest, r1) : word;
}

/** hop(p)ing → hop, hop(e)ing → hope, luxuriat(e)ing → luxuriate. */
function repairEnd(word: string, r1: number): string {
  if (word.endsWith('at') || word.endsWith('bl') || word.endsWith('iz')) return `${word}e`;
  const last = word.charAt(word.length - 1);
  if (last === word.charAt(word.length - 2) && 'bdfgmnprt'.includes(last)) {
    return word.length === 3 && 'aeo'.includes(word.charAt(0)) ? word : word.slice(0, -1);
  }
  return r1 >= word.length && endsInShortSyllable(word) ? `${word}e` : word;
}

function turnFinalY(word: string): string {
  const last = word.length - 1;
  return last > 1 && 'yY'.includes(word.charAt(last)) && !isVowel(word, last - 1) ? `${word.slice(0, -1)}i` : word;
}

function dropFinalE(word: string, r1: number, r2: number): string {
  const cut = word.length - 1;
  if (word.endsWith('e')) {
    if (cut >= r2 || (cut >= r1 && !endsInShortSyllable(word.slice(0, -1)))) return word.slice(0, -1);
    return word;
  }
  return word.endsWith('ll') && cut >= r2 ? word.slice(0, -1) : word;
}
