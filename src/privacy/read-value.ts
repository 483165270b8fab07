import { isExpression, isGenerated, LEAST_GENERATED, saysSomething } from './judge-value.ts';
import { isInString, readQuoted } from './read-quoted.ts';
import { matchAt, type Range } from './secret-rule.ts';

const LONGEST = 256;
const MOST_BRACKETS = 4;
const QUOTE = /(\\{0,15})(["'`])/y;

export interface Value {
  text: string;
  range: Range;
  /** It stood between quotes. */
  quoted: boolean;
  /** What follows it, from the closing quote on. */
  next: string;
}

/** The value that begins here, with or without quotes. */
export function readValue(text: string, start: number): Value | null {
  const quote = matchAt(QUOTE, text, start);
  if (quote === null) return readBare(text, start);
  return readQuoted(text, start, quote[1]!.length, quote[2]!) ?? (quote[1] === '' ? null : readEscaped(text, start));
}

/** A word of a shell in which a backslash stands before each sign; null: there is none in it, or no generator made it. */
function readEscaped(text: string, start: number): Value | null {
  const inString = isInString(text, start);
  let plain = '';
  let at = start;
  let escapes = 0;
  while (at < text.length && at - start < LONGEST) {
    let slashes = 0;
    while (text[at + slashes] === '\\') slashes++;
    const sign = text[at + slashes] ?? ' ';
    if (slashes === 0) {
      if (/[\s"'`|&;<>()]/.test(sign)) break;
      plain += sign;
      at++;
    } else if (slashes % (inString ? 4 : 2) === 0) {
      plain += '\\';
      at += slashes;
    } else {
      // In a string of JSON one backslash ends it or begins its own escape.
      if (/[\s\w]/.test(sign) || (inString && (slashes < 2 || (sign === '"' && slashes < 3)))) break;
      plain += sign;
      at += slashes + 1;
      escapes++;
    }
  }
  if (escapes === 0 || !isGenerated(plain)) return null;
  return { text: plain, range: [start, at], quoted: true, next: text.slice(at, at + 2) };
}

const RUN = /[^\s"'`\\\u3000-\u303f\uff00-\uff0f\uff1a-\uff20「」“”„«»]{1,256}/y;
/** What comes next in a list of settings, a query or a tag, and so ends the value. */
const NEXT_SETTING =
  /;(?=$|[A-Za-z][\w ]{0,30}=)|&(?=amp;|[\w.-]{1,40}=)|,(?=$|[\w.-]{1,40}[=:])|<(?=$|[/A-Za-z!])|\|$/;

/** As far as it goes without a blank or a quote, less what closes the sentence, the list or the bracket around it. */
function readBare(text: string, start: number): Value | null {
  const run = matchAt(RUN, text, start)?.[0];
  const escaped = text[start + (run?.length ?? 0)] === '\\' ? readEscaped(text, start) : null;
  if (escaped !== null || run === undefined) return escaped;
  const next = NEXT_SETTING.exec(run);
  let value = next === null ? run : run.slice(0, next.index);
  value = value.replace(/[.,:;…]+$/, '');
  for (let cut = 0; cut < MOST_BRACKETS && isUnbalanced(value); cut++)
    value = value.slice(0, -1).replace(/[.,:;]+$/, '');
  if (value === '') return null;
  const end = start + value.length;
  return { text: value, range: [start, end], quoted: false, next: text.slice(end, end + 2) };
}

/** Up to a blank or to the end of the line, which may be written as an escape. */
const LINE_RUN = /(?:[^\s\\]|\\(?:\\\\){0,4}(?![\\nrt])|(?:\\\\){1,4}(?!\\(?![nrt]))){1,256}/y;
const LINE_REST = /(?:[ \t]+[#;][^\n]{0,80})?(?:\\{0,15}"|[ \t]*(?:\r?\n|$)|\\(?:\\\\){0,3}[nr])/y;

const BLANK_REST = /[ \t]/y;

/** In a file of settings a value goes on to the end of its line, whatever signs it has. */
export function readLine(text: string, start: number): Value | null {
  return readRun(text, start, false);
}

/** Among fields and words that blanks part, it goes on to the blank, less what closes the sentence, the list or the bracket around it. */
export function readToBlank(text: string, start: number): Value | null {
  return readRun(text, start, true);
}

function readRun(text: string, start: number, isField: boolean): Value | null {
  const run = matchAt(LINE_RUN, text, start)?.[0];
  if (run === undefined || run.length < LEAST_GENERATED) return null;
  const quote = run.search(/\\{0,15}"/);
  const inString = quote !== -1 && isInString(text, start);
  const value = inString ? cutAtQuote(run) : run;
  const end = start + value.length;
  const plain = value.replace(/\\+(["\\])/g, '$1');
  if (matchAt(LINE_REST, text, end) === null && !(isField && matchAt(BLANK_REST, text, end) !== null)) return null;
  if (isField && NEXT_FIELD.test(plain.slice(0, -1))) return null;
  if (!isGenerated(plain) || isExpression(plain)) return null;
  const closed = isField ? start + openEnd(value).length : end;
  return { text: plain, range: [start, closed], quoted: false, next: text.slice(closed, closed + 2) };
}

/** At the quote that ends the string of JSON. */
function cutAtQuote(run: string): string {
  for (let at = 0; at < run.length; at++) {
    if (run[at] === '\\') at++;
    else if (run[at] === '"') return run.slice(0, at);
  }
  return run;
}

/** `"NAME=value"`: up to the quote that ends both. */
export function readToQuote(text: string, start: number, before: string): Value | null {
  const opening = /(\\{0,15})(["'])[\w.$-]{0,48}$/.exec(before);
  if (opening === null) return null;
  const depth = opening[1]!.length;
  const value = readQuoted(text, start - depth - 1, depth, opening[2]!, true);
  return value !== null && isGenerated(value.text) ? value : null;
}

const QUERY = /(?=[^\s"&#]{0,256}%[\dA-Fa-f]{2})[^\s"<>&#\\]{1,256}/y;

/** Of a query of a URL, in which all other signs are escaped. */
export function readQuery(text: string, start: number): Value | null {
  const value = matchAt(QUERY, text, start)?.[0];
  if (value === undefined) return null;
  const plain = value.replace(/%([2-7][\dA-Fa-f])/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  const end = start + value.length;
  return isGenerated(plain) ? { text: plain, range: [start, end], quoted: true, next: text.slice(end, end + 2) } : null;
}

/** As above, where any sign may stand in the value: a name and a tag are words, and not every letter behind a sign. */
const NEXT_FIELD =
  /;$|,$|\|$|[;&,](?=(?:[a-z]{2}|[A-Z]{2}|[A-Z][a-z]{2})[\w .-]{0,38}[=:])|&(?=amp;)|<(?=$|\/?[A-Za-z][\w:-]{0,30}[\s>/]|!--)/;

/** Without the sign that ends the sentence, the code or the bracket around it. */
function openEnd(run: string): string {
  let value = run.replace(/[.,:;…]+$/, '').replace(/["'`“”»]$/, '');
  for (let cut = 0; cut < MOST_BRACKETS && isUnbalanced(value); cut++)
    value = value.slice(0, -1).replace(/[.,:;]+$/, '');
  return value;
}

const PHRASE = /[A-Za-z]{3,12}([ -])[A-Za-z]{3,12}(?:\1[A-Za-z]{3,12}){2,10}(?![A-Za-z])/y;
const NUMBER_BEHIND = /[ -]?[\d!?@$%&*+=_]{1,8}(?=[\s.,;:)\]"'`]|$)/y;

/** Words in the middle of a line, as far as they are drawn at random: four and more before the first that says something or names the next value. */
export function readPhrase(text: string, start: number): Value | null {
  const run = matchAt(PHRASE, text, start)?.[0];
  if (run === undefined) return null;
  let end = start;
  let count = 0;
  for (const [word] of run.matchAll(/[A-Za-z]+/g)) {
    const next = end + (count === 0 ? 0 : 1) + word.length;
    if (saysSomething(word.toLowerCase()) || JOINS.test(word) || /^["'`]?[ \t]?[:=]/.test(text.slice(next, next + 3)))
      break;
    end = next;
    count++;
  }
  const words = text.slice(start, end);
  if (count < LEAST_WORDS || !/^[a-z -]+$|^[A-Z][a-z]+(?:[ -][A-Z][a-z]+)+$/.test(words)) return null;
  end += matchAt(NUMBER_BEHIND, text, end)?.[0].length ?? 0;
  return { text: words, range: [start, end], quoted: false, next: text.slice(end, end + 2) };
}

const LEAST_WORDS = 4;
/** Words that join others, as none that is drawn at random. */
const JOINS =
  /^(?:because|here|there|since|after|before|while|until|unless|also|into|onto|over|under|about|again|such|like|just|more|most|some|each|both|every|other|their|them|they|these|those|his|her|him|she|been|being|were|would|could|did|done|had|let|make|made|say|said|says|now|only|very|per|via|without|within|between|through|during|against|upon|whether|either|neither|nor|yet|still|than|too|why|non|ask|asks|stored?|encrypt\w*|decrypt\w*|prompt\w*|protect\w*|verif\w*|check\w*|incorrect|correctly|missing|empty|null|none|hash\w*|generat\w*|random\w*|chang\w*|reset\w*|updat\w*|creat\w*|delet\w*|sent|send\w*|need\w*|allow\w*|support\w*|provid\w*|specif\w*|set\w*|read\w*|writ\w*|random|common|words?|minimum|maximum|four|five|six|seven|eight|twelve|sixteen)$/i;

const WORDS =
  /([A-Za-z]{3,12}(?:[ -][A-Za-z]{3,12}){3,11})(?:[ -]?[\d!?@$%&*+=._-]{1,8})?(?=[ \t]*(?:\r?\n|$|\\+[nr]|\\{0,15}"|[ \t]#))/y;

/** Words up to the end of the line, as YAML needs no quotes for them. */
export function readWords(text: string, start: number): Value | null {
  const match = matchAt(WORDS, text, start);
  if (match === null) return null;
  const end = start + match[0].length;
  return { text: match[1]!, range: [start, end], quoted: false, next: text.slice(end, end + 2) };
}

const FIELD = /[^;"\s]{1,128}(?=;)/y;

/** What a connection string holds between its semicolons. */
export function readField(text: string, start: number, before: string): Value | null {
  const value = matchAt(FIELD, text, start)?.[0];
  if (value === undefined) return null;
  const end = start + value.length;
  const isField = /;[ \t]?$/.test(before) || /^;[ \t]?[A-Za-z][\w ]{0,30}=/.test(text.slice(end, end + 40));
  const plain = value.replace(/\\\\/g, '\\');
  return isField && isGenerated(plain) && !isExpression(plain)
    ? { text: plain, range: [start, end], quoted: true, next: text.slice(end, end + 2) }
    : null;
}

const TAGGED = /[^<>\s]{1,256}(?=<[/!A-Za-z])/y;

/** What a tag holds, up to the next. */
export function readTagged(text: string, start: number): Value | null {
  const value = matchAt(TAGGED, text, start)?.[0];
  if (value === undefined || (value.includes('"') && isInString(text, start))) return null;
  const plain = value
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"');
  const end = start + value.length;
  return { text: plain, range: [start, end], quoted: false, next: text.slice(end, end + 2) };
}

const OPENING: Record<string, string> = { ')': '(', ']': '[', '}': '{', '>': '<' };

function isUnbalanced(value: string): boolean {
  const opening = OPENING[value.at(-1) ?? ''];
  return opening !== undefined && value.split(opening).length < value.split(value.at(-1)!).length;
}

export interface ProseValue {
  text: string;
  range: Range;
  /** It stood between quotes or marks of code, of whatever language. */
  quoted: boolean;
}

const OPENERS = /[*_]{0,3}(?:\\?["'`]|[“„‘‚「『]|[«‹][ \u00a0\u202f]?|\*\*)?/y;
const CLOSERS: Record<string, RegExp> = {
  '"': /"/,
  "'": /'/,
  '`': /`/,
  '“': /”/,
  '„': /[“”]/,
  '«': /»/,
  '‘': /’/,
  '‚': /[‘’]/,
  '「': /」/,
  '『': /』/,
  '‹': /›/,
};
const SPOKEN = /[^\s"'`\\\u2018-\u201e«»‹›\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7af\uff00-\uff0f\uff1a-\uff20]{1,128}/y;

/** The value that begins here in a sentence: what stands between quotes, or else as far as it goes, less the sign that ends the sentence. */
export function readProseValue(text: string, start: number): ProseValue | null {
  const opener = matchAt(OPENERS, text, start)![0];
  const quote = /["'`“„«‘‚「『‹]/.exec(opener)?.[0];
  const from = start + opener.length;
  if (quote !== undefined) {
    const window = text.slice(from, from + LONGEST);
    const close = window.search(CLOSERS[quote]!);
    const value = window.slice(0, Math.max(0, close)).replace(/[\s\u00a0\u202f\\]+$/, '');
    // The quote may have been the end of a string: then a comma or a bracket follows.
    if (value !== '' && !/[\n\\"]|^[,:}\])]/.test(value))
      return { text: value, range: [from, from + value.length], quoted: true };
    if (close !== -1 || quote === '"') return null;
  }
  const run = matchAt(SPOKEN, text, from)?.[0];
  if (run === undefined) return null;
  const next = NEXT_SETTING.exec(run);
  let value = (next === null ? run : run.slice(0, next.index)).replace(/[.,:;…*_]+$/, '');
  for (let cut = 0; cut < MOST_BRACKETS && isUnbalanced(value); cut++)
    value = value.slice(0, -1).replace(/[.,:;*_]+$/, '');
  return value === '' ? null : { text: value, range: [from, from + value.length], quoted: /\*\*$/.test(opener) };
}
