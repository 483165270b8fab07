import { once } from '../model/once.ts';
import { isSpelt } from './judge-value.ts';
import {
  readField,
  readLine,
  readPhrase,
  readQuery,
  readTagged,
  readToBlank,
  readToQuote,
  readValue,
  readWords,
  type Value,
} from './read-value.ts';
import { matchAt } from './secret-rule.ts';

export interface Assigned {
  /** The name from its first letter to the keyword, and from the keyword on. */
  prefix: string;
  suffix: string;
  form: Form;
  value: Value;
  /** Nothing but signs of a list stands before the name on its line, and nothing but a comment after the value. */
  ownLine: boolean;
  /** What stands before the name, and after the value. */
  before: string;
  after: string;
  /** The keyword as it is written. */
  word: string;
}

/**
 * set: `name = value` and whatever is like it. tight: the same without blanks, as settings are written and code seldom is. key: `"name": "value"`. pair: a name
 * and its value as two fields. tag: `<name>value<`. call: `define('name', 'value')`, `setName('value')`. option: `--name value`. beside: a blank between them.
 */
export type Form = 'set' | 'tight' | 'key' | 'pair' | 'tag' | 'call' | 'option' | 'beside';

/** As much of the text around as is looked at. */
const NEAR = 80;
const LONGEST_NAME = 48;
const NAME_AFTER = /[\w.-]{0,32}/y;
/** What may stand before a name that begins its line: an indent, a diff's sign, a list's, a shell's word for setting, a table's bar. */
const LINE_HEAD =
  /(?:^|\\+[nr]|[:,[][ \t]?\\{0,15}")(?:[\w./-]{1,48}:)?[ \t]*(?:[+>|*•#-][ \t]*)*(?:\d{1,6}[.:)|→\t│-][ \t]*)?(?:(?:export|set|setx|ENV|ARG|SET|env|-e|-D|\$env:|\$)[ \t]*)?["'`]?$/;
const LINE_TAIL = /["'`]?[ \t]*(?:[;,|][ \t]*)?(?:(?:#|\/\/)[^\n]{0,80})?(?:\\?\r?\n|\\{1,7}n|$)/y;

/** What they may begin with, and the pattern. */
const listForms = (): readonly (readonly [Form, string, RegExp])[] => [
  [
    'pair',
    '\\"\', \t\r\n',
    /(?:\\{0,15}["'])?[ \t]{0,4},?(?:\s|\\{1,7}n){1,40}(?:\\{0,15}["'])?[vV]alue(?:\\{0,15}["'])?[ \t]{0,2}[:=][ \t]{0,4}/y,
  ],
  // Markdown: a name in bold or in code.
  ['set', '*`:', /(?:(?:\*\*|`)[ \t]?[:=]|:\*\*)[ \t]{1,4}(?!["'`{\\])/y],
  ['pair', '\\"\'', /\\{0,15}["'],(?:\\{0,15}["'])[vV]alue\\{0,15}["']:[ \t]{0,2}/y],
  ['set', '?:', /\??:[ \t]{0,2}&?'?[A-Za-z][\w<>[\]|. ]{0,24}[ \t]{1,2}=[ \t]{0,2}(?=["'`])/y],
  [
    'key',
    '\\"\'`',
    /\\{0,15}["'`]\]?[ \t]{0,4}(?:=>|[=:](?![=:]))[ \t]{0,8}(?:\{(?:\s|\\{1,7}n){0,40}\\{0,15}"(?:value|plain|secret|data|raw)\\{0,15}"[ \t]{0,4}:[ \t]{0,8})?/y,
  ],
  ['tight', '=:：＝', /(?:=(?![=\s])>?|=(?==[^=~\s'"`])|:=(?![=:\s])|[:：＝](?![=:\s]))/y],
  ['set', ' \t=:?|<-→：＝', /[ \t]{0,8}(?:=>|:=|\?=|\|\|=|\?\?=|<-|->|→|[=:：＝](?![=:]))[ \t]{0,8}/y],
  ['set', '"\'])|? \t', /["']?[\])]?[ \t]{0,2}(?:\|\||\?\?|or)[ \t]{1,2}(?=["'`])/y],
  [
    'set',
    ' \t',
    /[ \t]{1,2}(?:string|String|str|char|text|var|const|auto|varchar\(\d+\))[ \t]{1,2}=[ \t]{0,2}(?=["'`])/y,
  ],
  ['set', ']', /\][ \t]{1,2}=>[ \t]{1,2}/y],
  ['tag', ' \t', /(?:[ \t]+\w+="[^"<>]{0,40}"){1,3}>(?=[^\s<>=])/y],
  ['tag', '<', /<\/t[dh]>\s{0,8}<td>(?=[^\s<>=])/y],
  ['tag', '"\'>', /["']?>(?=[^\s<>=])/y],
  ['call', '"\'', /["'],[ \t]{0,2}(?=["'])/y],
  ['call', '(', /\([ \t]{0,2}(?=["'`])/y],
];
const formsByFirst = once(() => {
  const forms = listForms();
  return new Map(
    [...new Set(forms.flatMap(([, first]) => [...first]))].map((sign) => [
      sign,
      forms.filter(([, first]) => first.includes(sign)).map(([form, , pattern]) => [form, pattern] as const),
    ]),
  );
});
const OPTION = /(?:^|[\s"'`[(,])-{1,2}[\w-]{0,32}$/;
const BLANK = /[ \t]{1,4}/y;

/** Several rules ask about one keyword, one after the other. */
let last: { text: string; start: number; end: number; assigned: Assigned | null } | null = null;

/** The value that is given to the name with a keyword from `start` to `end`. */
export function readAssigned(text: string, start: number, end: number): Assigned | null {
  if (last === null || last.start !== start || last.end !== end || last.text !== text)
    last = { text, start, end, assigned: readAnew(text, start, end) };
  return last.assigned;
}

/** When a text is done: what was in it is not held on to. */
export function forgetAssigned(): void {
  last = null;
}

function readAnew(text: string, start: number, end: number): Assigned | null {
  const prefix = nameBefore(text, start);
  const suffix = matchAt(NAME_AFTER, text, end)![0].replace(/[.-]+$/, '');
  const head = findForm(text, start - prefix.length, start, end + suffix.length);
  if (head === null) return null;
  const name = start - prefix.length;
  const before = text.slice(Math.max(0, name - NEAR), name);
  const isFirst = LINE_HEAD.test(before.slice(before.lastIndexOf('\n') + 1));
  const word = text.slice(start, end);
  const mayBeWords = !KEY_WORD.test(word);
  const named = before + text.slice(name, start);
  const value = readIn(text, head.end, { form: head.form, before, named, isFirst, mayBeWords });
  if (value === null || !fits(head.form, value)) return null;
  const after = text.slice(value.range[1], value.range[1] + NEAR);
  return { prefix, suffix, form: head.form, value, before, after, word, ownLine: isFirst && endsLine(text, value) };
}

const KEY_WORD = /key|token|secret/i;

function nameBefore(text: string, start: number): string {
  let at = start;
  while (at > 0 && start - at < LONGEST_NAME && isInName(text.charCodeAt(at - 1))) at--;
  const prefix = text.slice(at, start);
  // The letter of an escape is none of the name.
  const isEscaped = /^[nrt]/.test(prefix) && text[start - prefix.length - 1] === '\\';
  return isEscaped ? prefix.slice(1) : prefix;
}

/** A letter, a digit or one of `_.$-`. */
function isInName(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 46 ||
    code === 36 ||
    code === 45
  );
}

/** `machine … login … password …` */
export const AFTER_LOGIN = /\b(?:login|user|username|account)[ \t]+\S{1,64}[ \t]+$/;

interface Naming {
  form: Form;
  /** What stands before the name, and with the name. */
  before: string;
  named: string;
  /** Nothing but signs of a list stands before the name on its line. */
  isFirst: boolean;
  /** It is the name of a password, and not of a key. */
  mayBeWords: boolean;
}

function readIn(text: string, at: number, { form, before, named, isFirst, mayBeWords }: Naming): Value | null {
  const isOnLine = isFirst && (form === 'set' || form === 'tight');
  if (form === 'tag') return readTagged(text, at) ?? readValue(text, at);
  // A quote may be the first sign of a value; then none ends it where the line does.
  if (form !== 'beside' && /["']$/.test(before)) {
    const quoted = /["'`\\]/.test(text[at] ?? '') ? null : readToQuote(text, at, named);
    if (quoted !== null) return quoted;
  }
  const line = isOnLine ? readLine(text, at) : null;
  const block = isOnLine && (form === 'set' || text[at] === '\\') ? readBlock(text, at) : null;
  if (block !== null) return block;
  if (isOnLine)
    return (
      readWhole(text, at) ??
      (isQuotedBefore(before, line) ? null : line) ??
      readWords(text, at) ??
      readAmid(text, at, { form, mayBeWords }) ??
      readValue(text, at)
    );
  if (form === 'beside' && AFTER_LOGIN.test(before)) return readToBlank(text, at) ?? readValue(text, at);
  if (form === 'tight') return readTight(text, at, { before, named }) ?? readValue(text, at);
  return (
    (form === 'set' && standsAmid(before) ? readAmid(text, at, { form, mayBeWords }) : null) ?? readValue(text, at)
  );
}

/** Before a name in the middle of a line stands what makes it no part of an expression. */
export function standsAmid(before: string): boolean {
  return before === '' || ' \t\n\r([*`→“„«'.includes(before.at(-1)!);
}

/** YAML's signs, where a line of it is told in a sentence. */
const YAML_SIGNS = /(?:(?:!{1,2}[\w:./-]{0,32}|&\w{1,32}|[|>][+-]?\d?[+-]?)[ \t]{1,4}){1,2}(?=\S)/y;

/** In the middle of a line: up to the blank if a generator made it, and words as far as none of them says something. */
function readAmid(text: string, at: number, { form, mayBeWords }: Pick<Naming, 'form' | 'mayBeWords'>): Value | null {
  if (form !== 'set') return readToBlank(text, at);
  const signs = '!&|>'.includes(text[at] ?? ' ') ? (matchAt(YAML_SIGNS, text, at)?.[0].length ?? 0) : 0;
  const start = at + signs;
  const quoted = readWhole(text, start);
  if (quoted !== null && !/\s/.test(quoted.text) && /^(?:$|[\s.,:;)\]}\\"'<|])/.test(quoted.next)) return quoted;
  const run = readToBlank(text, start);
  if (run !== null && !isSpelt(run.text)) return run;
  return quoted ?? (mayBeWords ? readPhrase(text, start) : null) ?? (signs > 0 ? readValue(text, start) : null);
}

/** The line began within quotes, and they end in it. */
function isQuotedBefore(before: string, line: Value | null): boolean {
  const quote = before.at(-1) ?? ' ';
  return (quote === '"' || quote === "'") && line?.text.includes(quote) === true;
}

/** YAML lets a tag or an anchor stand before a value, and puts a value on the line below: of its own accord, or where a sign says so. */
const TAGGED_AS = /(?:(?:!{1,2}[\w:./-]{0,32}|&\w{1,32})[ \t]{1,4}){1,2}(?=\S)/y;
const BELOW =
  /([|>][+-]?\d?[+-]?)?[ \t]{0,8}(?:[ \t]#[^\n]{0,80})?(?:\\{0,15}r)?(?:\r?\n|\\{1,7}n)(?:[ \t]{0,8}\d{1,6}(?:[→:|│]|\\{0,15}t|\t)|[#>+-][ \t])?[ \t]{1,40}(?=\S)/y;

function readBlock(text: string, at: number): Value | null {
  if (!'!&|>#\\\r\n'.includes(text[at] ?? ' ')) return null;
  const tag = matchAt(TAGGED_AS, text, at)?.[0].length ?? 0;
  const below = matchAt(BELOW, text, at + tag);
  if (below === null)
    return tag === 0 ? null : (readWhole(text, at + tag) ?? readToBlank(text, at + tag) ?? readValue(text, at + tag));
  const start = at + tag + below[0].length;
  const line = readLine(text, start);
  return line ?? (below[1] === undefined ? null : (readWords(text, start) ?? readValue(text, start)));
}

/** Behind `name=`, where no line says where the value ends. */
function readTight(text: string, at: number, { before, named }: Pick<Naming, 'before' | 'named'>): Value | null {
  if (/["'`\\]/.test(text[at] ?? ''))
    return /'$/.test(named.replace(/[\w.$-]*$/, '')) ? (readWhole(text, at) ?? readToQuote(text, at, named)) : null;
  if (/[?&]$/.test(before)) return readQuery(text, at);
  return (
    readField(text, at, before) ?? readToQuote(text, at, named) ?? (standsAmid(before) ? readToBlank(text, at) : null)
  );
}

function readWhole(text: string, at: number): Value | null {
  const value = readValue(text, at);
  return value?.quoted === true ? value : null;
}

function findForm(text: string, name: number, start: number, end: number): { form: Form; end: number } | null {
  const forms = formsByFirst().get(text[end] ?? '');
  if (forms === undefined) return null;
  for (const [form, pattern] of forms) {
    const match = matchAt(pattern, text, end);
    if (match !== null) return { form, end: end + match[0].length };
  }
  const blank = matchAt(BLANK, text, end);
  if (blank === null) return null;
  const isOption = OPTION.test(text.slice(Math.max(0, name - 2), start));
  return { form: isOption ? 'option' : 'beside', end: end + blank[0].length };
}

function fits(form: Form, { quoted, next }: Value): boolean {
  // A quoted name with a bare value is JSON: the value is a number, and a word in its place would break the text.
  if (form === 'key') return quoted;
  // `<password>` is a tag only if the value ends at the next one; otherwise it stands for a value.
  if (form === 'tag') return !quoted && next.startsWith('<');
  return form !== 'call' || (quoted && /^[ \t]?\)/.test(next));
}

function endsLine(text: string, { range }: Value): boolean {
  return matchAt(LINE_TAIL, text, range[1]) !== null;
}
