import { matchAt, type Range } from './secret-rule.ts';

const LONGEST = 256;
const MOST_BRACKETS = 4;
const QUOTE = /(\\{0,3})(["'`])/y;

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
  return quote === null ? readBare(text, start) : readQuoted(text, start, quote[1]!.length, quote[2]!);
}

/** Up to the quote of the same depth: `\"` in a string that is itself in a string. */
function readQuoted(text: string, open: number, depth: number, quote: string): Value | null {
  const start = open + depth + 1;
  let slashes = 0;
  for (let at = start; at < text.length && at - start <= LONGEST; at++) {
    const character = text[at]!;
    if (character === '\\') {
      slashes++;
      continue;
    }
    if (character === '\n' || character === '\r') return null;
    if (character === quote && slashes < depth) return null;
    if (character === quote && (depth === 0 ? slashes % 2 === 0 : slashes === depth)) {
      const end = at - (depth === 0 ? 0 : slashes);
      const value = text.slice(start, end);
      // The quote may have been the end of a string and not the beginning of one: then a comma or a bracket follows.
      if (value === '' || /^[,:}\])]/.test(value) || value.includes('"') || /\w/.test(text[at + 1] ?? '')) return null;
      return { text: value, range: [start, end], quoted: true, next: text.slice(at + 1, at + 3) };
    }
    slashes = 0;
  }
  return null;
}

const RUN = /[^\s"'`\\\u3000-\u303f\uff00-\uff0f\uff1a-\uff20「」“”„«»]{1,256}/y;
/** What comes next in a list of settings, a query or a tag, and so ends the value. */
const NEXT_SETTING =
  /;(?=$|[A-Za-z][\w ]{0,30}=)|&(?=amp;|[\w.-]{1,40}=)|,(?=$|[\w.-]{1,40}[=:])|<(?=$|[/A-Za-z!])|\|$/;

/** As far as it goes without a blank or a quote, less what closes the sentence, the list or the bracket around it. */
function readBare(text: string, start: number): Value | null {
  const run = matchAt(RUN, text, start)?.[0];
  if (run === undefined) return null;
  const next = NEXT_SETTING.exec(run);
  let value = next === null ? run : run.slice(0, next.index);
  value = value.replace(/[.,:;…]+$/, '');
  for (let cut = 0; cut < MOST_BRACKETS && isUnbalanced(value); cut++)
    value = value.slice(0, -1).replace(/[.,:;]+$/, '');
  if (value === '') return null;
  const end = start + value.length;
  return { text: value, range: [start, end], quoted: false, next: text.slice(end, end + 2) };
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
