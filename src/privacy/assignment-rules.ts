import { looksLikeKey, looksLikePassword } from './judge-value.ts';
import { matchAt, type Range, type RuleMode, type SecretRule } from './secret-rule.ts';

/** Names that speak of a password without holding one: password_length, tokenUrl, secret_name … */
const ABOUT =
  /(?:length|len|min|max|size|count|limit|file|path|dir|url|uri|host|endpoint|hash|digest|name|field|type|policy|expir\w*|ttl|hint|prompt|reset|label|regex|pattern|column|input|form|page|cursor|version|format|strength|score|rotation|status|at|date|time|label|title|text|message|error|required|enabled|change|changed|count|index|usage|id)$/;

/** Names are parted by blanks. */
type Row = readonly [kind: string, mode: RuleMode, names: string, accepts: (value: string) => boolean];

const ROWS: readonly Row[] = [
  ['password', 'redact', 'password passwd passphrase passwort pwd mot_de_passe contraseña', looksLikePassword],
  [
    'secret-assignment',
    'redact',
    'secret token api_key apikey api-key access_key accesskey access-key private_key privatekey signing_key encryption_key master_key',
    (value) => looksLikeKey(value, 16),
  ],
  ['generic-api-key', 'flag', 'key auth credential creds secret token apikey', (value) => looksLikeKey(value, 10)],
];

/** Secrets that only their name gives away. */
export const ASSIGNMENT_RULES: readonly SecretRule[] = ROWS.map(([kind, mode, names, accepts]) => {
  const literals = names.split(' ');
  const find: SecretRule['find'] = (text, at) => {
    const assigned = readAssigned(text, at);
    if (assigned === null || ABOUT.test(assigned.name)) return null;
    const keyword = literals.find((name) => assigned.name.startsWith(name));
    if (keyword === undefined || isPartOfWord(text, at, at + keyword.length, mode === 'flag')) return null;
    return accepts(assigned.value) ? assigned.range : null;
  };
  return { kind, mode, literals, anyCase: true, glued: true, context: true, find };
});

/** `passed`, `keyboard`, and for a guess `monkey` too, hold a keyword and are other words; `apiKey`, `TOKEN_2` and `db-password` are not. */
function isPartOfWord(text: string, start: number, end: number, strict: boolean): boolean {
  const isLower = /[a-z]/.test(text[end - 1]!);
  const goesOn = isLower ? /[a-z]/ : /[A-Za-z]/;
  return (
    goesOn.test(text[end] ?? '') ||
    (strict && start > 0 && /[a-z]/.test(text[start - 1]!) && /[a-z]/.test(text[start]!))
  );
}

/** From the name to the value: the rest of the name, quotes, an operator; of a command line's option, a blank. */
const OPERATOR =
  /([\w.-]{0,32})(\\{0,3}["'`])?\]?[ \t]{0,4}(?:=>|:=|value=|\?=|\|\|=|[=:](?![=:])|>(?=[^\s<>=]))\s{0,4}/y;
const OPTION = /([\w-]{0,32})[ \t]{1,4}/y;
const BARE = /[^\s"'`,;&<>()[\]{}|\\]{1,256}/y;
const LONGEST = 256;

interface Assigned {
  /** The name from the keyword on, in lower case. */
  name: string;
  value: string;
  range: Range;
}

/** The value that is given to the name at `at`: `name = "value"`, `"name": "value"`, `name: value`, `<name>value`, `--name value`. */
function readAssigned(text: string, at: number): Assigned | null {
  const operator = matchAt(OPERATOR, text, at);
  const option =
    operator === null && /--[\w-]{0,32}$/.test(text.slice(Math.max(0, at - 34), at)) ? matchAt(OPTION, text, at) : null;
  const head = operator ?? option;
  if (head === null) return null;
  const start = at + head[0].length;
  const quote = /^\\{0,3}(["'`])/.exec(text.slice(start, start + 4));
  // A quoted name with a bare value is JSON: the value is a number, and a word in its place would break the text.
  if (quote === null && operator?.[2] !== undefined) return null;
  const range = quote === null ? readBare(text, start) : readQuoted(text, start + quote[0].length, quote[1]!);
  // `<password>` is a tag only if the value ends at the next one; otherwise it stands for a value.
  if (range !== null && /[^=]>\s*$/.test(head[0]) && text[range[1]] !== '<') return null;
  return range === null ? null : { name: head[1]!.toLowerCase(), value: text.slice(...range), range };
}

function readQuoted(text: string, start: number, quote: string): Range | null {
  const window = text.slice(start, start + LONGEST + 4);
  const close = window.indexOf(quote);
  if (close < 1) return null;
  const value = window.slice(0, close).replace(/\\+$/, '');
  // The quote may have been the end of a string and not the beginning of one: then a comma or a bracket follows.
  if (value === '' || /^[,:}\])]|[\s\\"]/.test(value) || /\w/.test(window[close + 1] ?? '')) return null;
  return [start, start + value.length];
}

function readBare(text: string, start: number): Range | null {
  const match = matchAt(BARE, text, start);
  if (match === null || '([{'.includes(text[start + match[0].length] ?? ' ')) return null;
  const value = match[0].replace(/[.:!?*]+$/, '');
  return value === '' ? null : [start, start + value.length];
}
